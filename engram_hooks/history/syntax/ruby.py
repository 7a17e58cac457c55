"""Declarations of Ruby, whose blocks end with a word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engram_hooks.history.syntax.assembly import Declaration
from engram_hooks.history.syntax.source import (
    Source,
    declaration_start,
    expression_end,
    line_indent,
    skip_spaces,
)

_METHOD = r"(?:[^\W\d]\w*[?!=]?|\[\]=?|[+\-!~]@?|\*\*?|<=>|===?|=~|![=~]|<<|>>|<=|>=|[<>/%&|^`])"
_WORD = re.compile(
    rf"(?<![\w.:@$&])(?:(?:def\b[ \t]+(?:[\w:@]+\s*\.\s*)?(?P<def>{_METHOD}))"
    r"|class\b\s*(?P<single><<)"
    r"|(?P<kind>class|module)\b[ \t]+(?:::)?(?P<name>[A-Z]\w*(?:::\w+)*)"
    r"|(?P<word>begin|if|unless|case|while|until|for|do|end)\b(?![?!:]|\s*=[^=~>])"
    r"|(?P<made>[A-Z]\w*)\s*=\s*(?:::)?(?:Struct|Class|Module|Data)\.(?:new|define)\b)|(?<=::)(?P<none>\w+)"
)
_BEFORE_BLOCK = re.compile(
    r"(?:^|[=(,\[{|;&!+\-*/<>?:]|(?<![\w.:@$])(?:then|else|do|begin|and|or|not|return|in|when|elsif|ensure))\s*$"
)
_ENDLESS = re.compile(r"[ \t]*=(?![=~>])")
_CONDITIONS = {"if", "unless", "while", "until"}
MAX_LINE = 2_000
_LOOPS = {"while", "until", "for"}


@dataclass(slots=True)
class _Open:
    """A block that waits for its `end`: where it begins, the indent of its line, what it declares."""

    start: int
    indent: int
    kind: str = ""
    name: str = ""
    owner: str = ""


class _Scan:
    """The state of one pass over the words that open and close blocks."""

    def __init__(self, source: Source, *, by_indent: bool) -> None:
        self.source, self.masked, self.by_indent = source, source.masked, by_indent
        self.open: list[_Open] = []
        self.found: list[Declaration] = []
        self.loop_line = -1
        self.made: tuple[str, int, int] | None = None
        self.whole = True

    def run(self) -> None:
        """Read the whole source."""
        for found in _WORD.finditer(self.masked):
            if found["def"]:
                self.define(found)
            elif found["single"]:
                self.push(found.start(), "pass")
            elif found["kind"]:
                *owners, name = found["name"].split("::")
                self.push(found.start(), found["kind"], name=name, owner=".".join(owners))
            elif found["made"]:
                self.made = (found["made"], found.start(), self.call_line_end(found.end()))
            elif found["word"]:
                self.take(found["word"], found.start("word"))
        self.whole = self.whole and not self.open

    def push(self, at: int, kind: str = "", *, name: str = "", owner: str = "") -> None:
        """Open a block."""
        self.open.append(_Open(at, line_indent(self.masked, at), kind, name, owner))

    def define(self, found: re.Match[str]) -> None:
        """Open a method, or note one that is an expression."""
        name, after = found["def"], found.end()
        closer = self.source.closers.get(skip_blanks(self.masked, after), -1)
        if self.masked.startswith("(", skip_blanks(self.masked, after)) and closer >= 0:
            after = closer + 1
        endless = _ENDLESS.match(self.masked, after)
        if endless is not None and not found["def"].endswith("=="):
            indent = line_indent(self.masked, found.start())
            end = expression_end(self.source, endless.end(), indent=indent)
            self.found.append(
                Declaration(declaration_start(self.masked, found.start()), end, name, "function")
            )
            return
        self.push(found.start(), "function", name=name)

    def take(self, word: str, at: int) -> None:
        """Open or close a block at a word."""
        if word == "end":
            self.close(at)
            return
        line = self.masked.rfind("\n", max(0, at - MAX_LINE), at)
        if word in _CONDITIONS and not _BEFORE_BLOCK.search(self.masked[max(line + 1, at - 200) : at]):
            return
        if word == "do" and self.loop_line == line:
            self.loop_line = -1
            return
        if word in _LOOPS:
            self.loop_line = line
        if word == "do" and self.made is not None and at < self.made[2]:
            self.push(self.made[1], "class", name=self.made[0])
            self.made = None
            return
        self.push(at)

    def call_line_end(self, after: int) -> int:
        """Return where the line ends on which the arguments of a call end."""
        place = self.source.closers.get(after, after)
        end = self.masked.find("\n", place)
        return len(self.masked) if end < 0 else end

    def close(self, at: int) -> None:
        """Close the block that an `end` belongs to, by indent where the words don't add up."""
        if not self.open:
            self.whole = False
            return
        depth = len(self.open) - 1
        if self.by_indent and not self.masked[self.masked.rfind("\n", max(0, at - 400), at) + 1 : at].strip():
            indent = line_indent(self.masked, at)
            depth = next(
                (
                    place
                    for place in range(depth, max(-1, depth - 64), -1)
                    if self.open[place].indent == indent
                ),
                depth,
            )
        block = self.open[depth]
        del self.open[depth:]
        if block.kind:
            start = declaration_start(self.masked, block.start)
            self.found.append(Declaration(start, at + 2, block.name, block.kind, block.owner))


def skip_blanks(masked: str, place: int) -> int:
    """Return the offset of the next character on the line that isn't blank."""
    stop = masked.find("\n", place)
    return min(skip_spaces(masked, place), len(masked) if stop < 0 else stop)


def find_ruby(source: Source) -> Iterator[Declaration]:
    """Yield methods, classes, modules, and constants that take a new class with a block."""
    scan = _Scan(source, by_indent=False)
    scan.run()
    if not scan.whole:
        scan = _Scan(source, by_indent=True)
        scan.run()
    yield from scan.found
