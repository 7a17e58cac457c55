"""Symbols by tree-sitter grammars, where the optional packages with them are installed."""

from __future__ import annotations

import importlib
import re
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from engram_hooks.history.syntax.assembly import Declaration, Lines, Symbol, build_symbols
from engram_hooks.history.syntax.grammar_tables import GRAMMARS, NODES
from engram_hooks.history.syntax.structure import mask_source

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Tree, TreeCursor

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
_OTHER_C = re.compile(r"^\s*(?:class|namespace|template|using)\b|\w::\w|\b(?:public|private)\s*:", re.M)
CHUNK_BYTES = 1 << 16
MIN_SECONDS = 0.3
BYTES_PER_SECOND = 250_000
MAX_GRAMMAR_CHARS = 2_000_000
# At an error in a deep nest, or on a very long line, one step of tree-sitter takes time and memory that grow with the
# square of the depth, and calls back only behind it.
MAX_DEPTH = 200
MAX_LINE_CHARS = 5_000
_NESTING = re.compile(r"[()\[\]{}<>;]")


class GrammarReader:
    """Parsers of the languages whose grammars are installed, each loaded when first asked for."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Take the clock (seconds) that ends the reading of texts which grammars are slow on."""
        self._clock = clock
        self._parsers: dict[str, Parser | None] = {}

    def parse(self, language: str, text: str) -> list[Symbol] | None:
        """Return the symbols of a source, None without a grammar for it, or where that meets errors in it."""
        if language == "c" and _OTHER_C.search(text):
            language = "cpp"
        parser = self._parser(language)
        if parser is None or len(text) > MAX_GRAMMAR_CHARS or _is_deep(text):
            return None
        data = text.encode("utf-8", "replace")
        tree = _parse_in_time(parser, data, self._clock)
        if tree is None or tree.root_node.has_error:
            return None
        found = [*_declarations(tree.walk(), language, data)]
        if language == "rust":
            found.extend(_macro_declarations(parser, data, self._clock))
        masked, offset = mask_source(language, text), _offsets(text, data)
        moved = [replace(item, start=offset(item.start), end=offset(item.end)) for item in found]
        return build_symbols(text, masked, [_trim(item, masked) for item in moved])

    def _parser(self, language: str) -> Parser | None:
        if language not in self._parsers:
            self._parsers[language] = _load_parser(language)
        return self._parsers[language]


@cache
def installed_grammars() -> GrammarReader:
    """Return the reader of this process, so that each grammar is loaded once."""
    return GrammarReader()


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


def _is_deep(text: str) -> bool:
    """Return whether brackets, or lines, go on for longer than people write them."""
    if max(map(len, text.split("\n"))) > MAX_LINE_CHARS:
        return True
    depth = angles = 0
    for found in _NESTING.finditer(text):
        sign = found[0]
        if sign == "<":
            angles += 1
        elif sign == ">":
            angles = max(0, angles - 1)
        else:
            depth = depth + 1 if sign in "([{" else depth if sign == ";" else max(0, depth - 1)
            angles = 0
        if depth > MAX_DEPTH or angles > MAX_DEPTH:
            return True
    return False


def _parse_in_time(parser: Parser, data: bytes, clock: Callable[[], float]) -> Tree | None:
    """Return the tree of a source; None once it has an error, or takes the quadratic time some texts take."""
    deadline = clock() + MIN_SECONDS + len(data) / BYTES_PER_SECOND
    try:
        return parser.parse(
            lambda place, _: data[place : place + CHUNK_BYTES],
            progress_callback=lambda _, has_error: has_error or clock() > deadline,
        )
    except ValueError:
        parser.reset()  # else it would go on with this text when given the next
        return None


def _declarations(cursor: TreeCursor, language: str, data: bytes, shift: int = 0) -> Iterator[Declaration]:
    """Yield the declarations of a tree with offsets of bytes, `shift` added; the walk needs no recursion."""
    from engram_hooks.history.syntax.grammar_names import NAMERS, name_plain

    def read(node: Node | None) -> str:
        return "" if node is None else data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    kinds = NODES[language]
    namer = NAMERS.get(language, name_plain)
    while True:
        node = cursor.node
        if node is not None and node.type in kinds and node.is_named:
            named = namer(node, kinds[node.type], read)
            if named is not None:
                start, end = _first_byte(named.at or node), max(node.end_byte - 1, node.start_byte)
                yield Declaration(shift + start, shift + end, named.name, named.kind, named.owner)
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def _macro_declarations(parser: Parser, data: bytes, clock: Callable[[], float]) -> Iterator[Declaration]:
    """Yield what is declared in the braces of Rust macros, which the grammar leaves unread."""
    waiting, budget = [(0, data)], 4 * len(data)
    while waiting:
        shift, piece = waiting.pop()
        tree = _parse_in_time(parser, piece, clock)
        if tree is None:
            continue
        if shift:
            yield from _declarations(tree.walk(), "rust", piece, shift)
        for begin, end in _macro_bodies(tree.walk(), piece):
            budget -= end - begin
            if budget > 0:
                waiting.append((shift + begin, piece[begin:end]))


def _macro_bodies(cursor: TreeCursor, data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where the braces of macro calls are."""
    while True:
        node = cursor.node
        if node is not None and node.type == "macro_invocation":
            last = node.children[-1] if node.children else None
            if (
                last is not None
                and last.type == "token_tree"
                and data[last.start_byte : last.start_byte + 1] == b"{"
            ):
                yield last.start_byte + 1, last.end_byte - 1
        elif cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


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
            return int(plain.start_byte)
        return int(child.start_byte)
    return int(node.start_byte)
