"""Symbols by tree-sitter grammars, where the optional packages with them are installed."""

from __future__ import annotations

import importlib
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_hooks.history.syntax.assembly import Declaration, Lines, Symbol, build_symbols
from engram_hooks.history.syntax.grammar_names import NAMERS, Namer, name_plain
from engram_hooks.history.syntax.grammar_tables import GRAMMARS, NODES
from engram_hooks.history.syntax.structure import mask_source

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, TreeCursor

_ANNOTATIONS = {
    "annotation",
    "marker_annotation",
    "attribute",
    "attribute_list",
    "attribute_item",
    "attribute_declaration",
    "decorator",
    "comment",
    "line_comment",
    "block_comment",
    "multiline_comment",
}
MAX_GRAMMAR_CHARS = 2_000_000


class GrammarReader:
    """Parsers of the languages whose grammars are installed, each loaded when first asked for."""

    def __init__(self) -> None:
        self._parsers: dict[str, Parser | None] = {}

    def parse(self, language: str, text: str) -> list[Symbol] | None:
        """Return the symbols of a source, None where there is no grammar for it or it is too large."""
        parser = self._parser(language)
        if parser is None or len(text) > MAX_GRAMMAR_CHARS:
            return None
        data = text.encode("utf-8", "replace")
        tree = parser.parse(data)
        offset = _offsets(text, data)
        masked = mask_source(language, text)
        found = [_trim(item, masked) for item in _declarations(tree.walk(), language, offset)]
        return build_symbols(text, masked, found)

    def _parser(self, language: str) -> Parser | None:
        if language not in self._parsers:
            self._parsers[language] = _load_parser(language)
        return self._parsers[language]


def _load_parser(language: str) -> Parser | None:
    module, function = GRAMMARS.get(language, ("", ""))
    if not module:
        return None
    try:
        tree_sitter = importlib.import_module("tree_sitter")
        grammar = getattr(importlib.import_module(module), function)()
        parser: Parser = tree_sitter.Parser(tree_sitter.Language(grammar))
    except (ImportError, AttributeError, ValueError):
        return None
    return parser


def _offsets(text: str, data: bytes) -> Callable[[int], int]:
    """Return the function from offsets of bytes to offsets of characters."""
    if len(text) == len(data):
        return lambda place: place
    lines = Lines(text)
    byte_starts = [0]
    for number in range(1, len(lines.starts)):
        piece = text[lines.starts[number - 1] : lines.starts[number]]
        byte_starts.append(byte_starts[-1] + len(piece.encode("utf-8", "replace")))

    def offset(place: int) -> int:
        number = bisect_right(byte_starts, place) - 1
        return lines.starts[number] + len(data[byte_starts[number] : place].decode("utf-8", "replace"))

    return offset


def _declarations(cursor: TreeCursor, language: str, offset: Callable[[int], int]) -> Iterator[Declaration]:
    """Yield the declarations of a tree; the walk needs no recursion."""
    kinds = NODES[language]
    namer = NAMERS.get(language, name_plain)
    while True:
        node = cursor.node
        if node is not None and node.type in kinds and node.is_named:
            yield from _declaration(node, kinds[node.type], namer, offset)
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def _declaration(node: Node, kind: str, namer: Namer, offset: Callable[[int], int]) -> Iterator[Declaration]:
    named = namer(node, kind)
    if named is None:
        return
    start, end = _first_byte(named.at or node), max(node.end_byte - 1, node.start_byte)
    yield Declaration(offset(start), offset(end), named.name, named.kind, named.owner)


def _trim(item: Declaration, masked: str) -> Declaration:
    """Return a declaration without the blanks and comments that some grammars count to it at its end."""
    size = len(masked[item.start : item.end + 1].rstrip())
    return replace(item, end=max(item.start, item.start + size - 1))


def _first_byte(node: Node) -> int:
    """Return where a declaration begins behind its annotations."""
    for child in node.children:
        if child.type in _ANNOTATIONS:
            continue
        if child.type == "modifiers":
            plain = next((one for one in child.children if one.type not in _ANNOTATIONS), None)
            if plain is None:
                continue
            return plain.start_byte
        return child.start_byte
    return node.start_byte
