"""Symbols of Python: by its own parser, and by indent where that gives up."""

from __future__ import annotations

import ast
import re
import unicodedata
import warnings
from collections.abc import Iterator

from engram_hooks.history.syntax.assembly import Declaration, Symbol, build_symbols
from engram_hooks.history.syntax.masking import MaskRules, mask, read_line

# Beyond these the text is read by indent: a tree takes a hundred times the memory of its text, and the parser
# descends into chains with the stack of the process.
MAX_TREE_CHARS = 1_000_000
MAX_TREE_LINE = 50_000
MAX_CHAINED_BRANCHES = 500
_DEFINITION = re.compile(r"^([ \t\f]*)(?:async[ \t]+)?(def|class)[ \t]+(\w+)", re.M)
_CODE_LINE = re.compile(r"^([ \t\f]*)(?=\S)", re.M)
_LONE_RETURN = re.compile(r"\r(?!\n)")
# What begins no statement: the rest of one, the end of a long string, a conflict marker.
_NEVER_FIRST = frozenset(")]}%.,+=<>|/:;&^\"'")
_COMMENT_RUN = re.compile(r"^[ \t]*#")
RULES = MaskRules(
    re.compile(
        r"(?P<line>#)"
        r'|"""[^"\\]*+(?:(?:\\[\s\S]|"(?!""))[^"\\]*+)*+(?:""")?'
        r"|'''[^'\\]*+(?:(?:\\[\s\S]|'(?!''))[^'\\]*+)*+(?:''')?"
        r'|"[^"\\\n]*+(?:\\[\s\S][^"\\\n]*+)*+"?'
        r"|'[^'\\\n]*+(?:\\[\s\S][^'\\\n]*+)*+'?"
    ),
    {"line": read_line},
)

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def parse_python(text: str) -> list[Symbol]:
    """Return the symbols of a Python source of any age and state."""
    text = _LONE_RETURN.sub(" ", text)  # the parser takes it for the end of a line, git doesn't
    tree = parse_tree(text)
    if tree is None:
        return _parse_by_indent(text)
    lines = text.split("\n")
    found = [_symbol(node, around, lines) for node, around in _definitions(tree)]
    return sorted(found, key=lambda one: (one.start, -one.end, one.line))


def parse_tree(text: str) -> ast.Module | None:
    """Return the tree of a source, None where it isn't Python of today, or too deep or large to try."""
    if len(text) > MAX_TREE_CHARS or text.count("elif ") > MAX_CHAINED_BRANCHES:
        return None
    if len(text) > MAX_TREE_LINE and max(map(len, text.split("\n"))) > MAX_TREE_LINE:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def mask_python(text: str) -> str:
    """Return a text of the same length with blanks for comments and the insides of strings."""
    return mask(text, RULES)


def _definitions(tree: ast.Module) -> Iterator[tuple[_Definition, list[tuple[str, str]]]]:
    """Yield the definitions of a tree, each with the names and kinds around it, itself last."""
    waiting: list[tuple[ast.AST, list[tuple[str, str]]]] = [(tree, [])]
    while waiting:
        node, around = waiting.pop()
        if isinstance(node, _Definition):
            around = [*around, (node.name, _kind(node, around))]
            yield node, around
        for block in _BLOCKS:
            for child in getattr(node, block, ()):
                if isinstance(child, _Definition) or hasattr(child, "body") or hasattr(child, "cases"):
                    waiting.append((child, around))


def _kind(node: _Definition, around: list[tuple[str, str]]) -> str:
    if isinstance(node, ast.ClassDef):
        return "class"
    return "method" if around and around[-1][1] == "class" else "function"


def _symbol(node: _Definition, around: list[tuple[str, str]], lines: list[str]) -> Symbol:
    first = min([node.lineno, *(mark.lineno for mark in node.decorator_list)])
    while first > 1 and _COMMENT_RUN.match(lines[first - 2]) and not lines[first - 2].startswith("#!"):
        first -= 1
    name, kind = around[-1]
    qualified = ".".join(part for part, _ in around)
    return Symbol(name, qualified, kind, first, node.end_lineno or node.lineno, node.lineno)


def _parse_by_indent(text: str) -> list[Symbol]:
    """Return what stands deeper than each definition, whatever the rest looks like."""
    masked = mask_python(text)
    found: list[Declaration] = []
    pending: list[tuple[int, re.Match[str]]] = []
    depth, place = 0, 0
    while (line := _CODE_LINE.search(masked, place)) is not None:
        place = masked.find("\n", line.end())
        place = len(masked) if place < 0 else place
        definition = _DEFINITION.match(masked, line.start())
        if definition is not None:
            depth = 0
        width = len(line[1].expandtabs())
        if depth <= 0 and masked[line.end()] not in _NEVER_FIRST:
            if pending and pending[-1][0] >= width:
                last = _last_offset(text, line.start())
                while pending and pending[-1][0] >= width:
                    found.append(_declaration(pending.pop()[1], last))
            if definition is not None:
                pending.append((width, definition))
        depth = max(0, depth + _balance(masked, line.end(), place))
    last = _last_offset(text, len(text))
    found.extend(_declaration(definition, last) for _, definition in pending)
    return build_symbols(text, masked, found)


def _declaration(definition: re.Match[str], last: int) -> Declaration:
    kind = "class" if definition[2] == "class" else "function"
    name = unicodedata.normalize("NFKC", definition[3])
    return Declaration(definition.end(1), max(last, definition.end() - 1), name, kind)


def _balance(masked: str, start: int, end: int) -> int:
    """Return how many more brackets open than close between two offsets."""
    opened = masked.count("(", start, end) + masked.count("[", start, end) + masked.count("{", start, end)
    return opened - sum(masked.count(mark, start, end) for mark in ")]}")


def _last_offset(text: str, place: int) -> int:
    """Return the offset of the last character before a line that is neither blank nor in a comment."""
    while place > 0:
        begin = text.rfind("\n", 0, place - 1) + 1
        line = text[begin:place].strip()
        if line and not line.startswith("#"):
            return begin + len(text[begin:place].rstrip()) - 1
        place = begin
    return 0
