"""Declarations found by a parser, made into symbols with lines, nesting and qualified names."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

MAX_LEADING_LINES = 200
_NEWLINE = re.compile("\n")
# Kinds whose functions are methods.
_OWNERS = {"class", "struct", "interface", "trait", "enum", "object", "scope"}
_LEADING = ("@", "#[", "[[", "[", "template")


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named piece of a source file; lines count from 1, both ends are inside.

    `start` is the first line of what stands directly above and belongs to it (decorators, attributes,
    comment lines without a blank line between); `line` is where the declaration itself begins.
    `qualified` has the names around it, outermost first, joined by dots.
    """

    name: str
    qualified: str
    kind: str
    start: int
    end: int
    line: int


@dataclass(frozen=True, slots=True)
class Declaration:
    """Where a parser found a symbol: offsets into the text, `end` is that of the last character.

    `owner` names the type it belongs to where the text around doesn't (receiver, `Type::`). Kind "scope"
    gives its name to what is inside and is no symbol; kind "pass" gives nothing.
    """

    start: int
    end: int
    name: str
    kind: str
    owner: str = ""


class Lines:
    """Offsets to line numbers."""

    def __init__(self, text: str) -> None:
        """Remember where the lines of a text begin; only line feeds end a line, as in git."""
        self.starts = [0, *(found.end() for found in _NEWLINE.finditer(text))]
        self.size = len(text)

    def number(self, offset: int) -> int:
        """Return the line (from 1) of an offset."""
        return bisect_right(self.starts, offset)

    def span(self, number: int) -> tuple[int, int]:
        """Return the offsets of a line without its line feed: first, one past the last."""
        end = self.starts[number] - 1 if number < len(self.starts) else self.size
        return self.starts[number - 1], end


def build_symbols(text: str, masked: str, found: Iterable[Declaration]) -> list[Symbol]:
    """Return the symbols of declarations, ordered by start line, outer ones first.

    masked: the text with blanks for comments and the insides of literals, of the same length.
    """
    lines = Lines(text)
    symbols: list[Symbol] = []
    around: list[tuple[int, str, str]] = []
    for item in sorted(found, key=lambda one: (one.start, -one.end)):
        while around and around[-1][0] < item.end:
            around.pop()
        prefix, kind_around = (around[-1][1], around[-1][2]) if around else ("", "")
        kind = "method" if item.kind == "function" and (item.owner or kind_around in _OWNERS) else item.kind
        parts = [part for part in (prefix, item.owner, item.name) if part]
        qualified = ".".join(parts) if item.kind != "pass" else prefix
        around.append((item.end, qualified, kind if item.kind != "pass" else kind_around))
        if kind in {"scope", "pass"} or not item.name:
            continue
        line = lines.number(item.start)
        start = _leading_line(text, masked, lines=lines, line=line)
        symbols.append(Symbol(item.name, qualified, kind, start, max(line, lines.number(item.end)), line))
    symbols.sort(key=lambda one: (one.start, -one.end, one.line))
    return symbols


def _leading_line(text: str, masked: str, *, lines: Lines, line: int) -> int:
    """Return the first of the lines directly above that belong to a declaration."""
    first, floor = line, max(1, line - MAX_LEADING_LINES)
    number = line - 1
    while number >= floor:
        begin, end = lines.span(number)
        code = masked[begin:end].strip()
        if not code:
            if text[begin:end].isspace() or begin == end or text[begin:end].startswith("#!"):
                break
        elif not code.startswith(_LEADING):
            break
        first = number
        number -= 1
    return first
