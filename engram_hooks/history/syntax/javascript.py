"""Declarations of JavaScript and TypeScript, told at each brace by what stands before it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engram_hooks.history.syntax.assembly import Declaration
from engram_hooks.history.syntax.javascript_heads import (
    Head,
    read_arrow,
    read_function,
    read_object,
    read_type,
)
from engram_hooks.history.syntax.source import Source, expression_end, line_indent, skip_spaces

MAX_HEAD = 2_000
_TOKEN = re.compile(r"[{}]|=>(?!\s*\{)")
_ALIAS = re.compile(
    r"^[ \t]*(?:(?:export|declare)\s+)*type\s+([\w$]+)\s*(?:<[^;{}()]{0,400}?>\s*)?=(?!>)", re.M
)


@dataclass(slots=True)
class _Level:
    """An open brace: what it holds, where the statement around it begins, parentheses open before it."""

    holds: str
    boundary: int
    parens: int
    inline: bool


class _Scan:
    """The state of one pass over the braces of a source."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.masked = source.masked
        self.openers = {closer: opener for opener, closer in source.closers.items()}
        self.levels: list[_Level] = []
        self.boundary, self.parens, self.position = 0, 0, 0
        self.found: list[Declaration] = []

    def holds(self) -> str:
        """Return what the innermost open brace holds."""
        return self.levels[-1].holds if self.levels else "block"

    def advance(self, at: int) -> None:
        """Take the text up to a token: statements that end, parentheses that open and close."""
        masked, start = self.masked, self.position
        semicolon = masked.rfind(";", start, at)
        if semicolon >= 0:
            self.boundary = semicolon + 1
        self.parens += masked.count("(", start, at) - masked.count(")", start, at)
        self.position = at

    def open(self, at: int) -> None:
        """Tell what an opening brace holds, and note the declaration whose body it is."""
        head = Head(
            self.masked, self.openers, max(self.boundary, at - MAX_HEAD), at, self.holds(), self.parens > 0
        )
        told = read_arrow(head) or read_function(head) or read_type(head) or read_object(head)
        closer = self.source.closers.get(at)
        if closer is not None and told.kind and not (told.kind == "function" and self.is_called(closer)):
            start = told.place if told.place >= 0 else at
            self.found.append(Declaration(start, closer, self.name(told.name), told.kind, told.owner))
        inline = told.inline or self.parens > 0
        self.levels.append(_Level(told.holds, self.boundary, max(0, self.parens), inline))
        self.boundary, self.parens, self.position = at + 1, 0, at + 1

    def close(self, at: int) -> None:
        """Go back to what was around an opening brace."""
        self.position = at + 1
        if not self.levels:
            self.boundary, self.parens = at + 1, 0
            return
        level = self.levels.pop()
        self.parens = level.parens
        self.boundary = level.boundary if level.inline else at + 1

    def arrow(self, at: int) -> None:
        """Note a function whose body is an expression."""
        begin = max(self.boundary, at - MAX_HEAD)
        head = Head(self.masked, self.openers, begin, at + 2, self.holds(), self.parens > 0)
        told = read_arrow(head)
        if told is None or not told.kind or told.is_type:
            return
        start = told.place
        end = expression_end(self.source, at + 2, indent=line_indent(self.masked, told.place))
        self.found.append(Declaration(start, end, self.name(told.name), told.kind, told.owner))

    def is_called(self, closer: int) -> bool:
        """Return whether a function is called where it stands: what it returns has the name."""
        return self.masked.startswith("(", skip_spaces(self.masked, closer + 1))

    def name(self, span: tuple[int, int] | None) -> str:
        """Return the name at two offsets, without quotes."""
        return self.source.text[span[0] : span[1]].strip("\"'`") if span else ""


def find_javascript(source: Source) -> Iterator[Declaration]:
    """Yield functions, methods, classes, and functions given to names and keys."""
    scan = _Scan(source)
    for token in _TOKEN.finditer(source.masked):
        at = token.start()
        scan.advance(at)
        if token[0] == "{":
            scan.open(at)
        elif token[0] == "}":
            scan.close(at)
        else:
            scan.arrow(at)
    yield from scan.found


def find_typescript(source: Source) -> Iterator[Declaration]:
    """Yield what JavaScript has, and interfaces, enumerations, namespaces and type aliases."""
    yield from find_javascript(source)
    for found in _ALIAS.finditer(source.masked):
        start = found.start(1)
        end = expression_end(
            source, found.end(), indent=line_indent(source.masked, found.start(1)), is_type=True
        )
        yield Declaration(start, end, found[1], "type")
