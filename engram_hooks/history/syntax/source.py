"""A source text with its structure, and the steps that parsers of several languages share."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engram_hooks.history.syntax.blocks import match_brackets

MAX_LOOK_BACK = 1_000
MAX_HEAD = 4_000
_SPACES = re.compile(r"\s*")
_STOP = re.compile(r"[({\[=;}\n]")
_EXPRESSION_STOP = re.compile(r"[({\[\n;,)\]}]")
_TYPE_STOP = re.compile(r"[({\[\n;)\]}]")
_CONTINUES = re.compile(r"[.?:&|+*/{(=)\]>\-]|(?:extends|with|where|derives|implements|throws|else|by|as)\b")
_OPERATOR_END = re.compile(r"(?:[=+\-*/%&|?:,.(\[{]|[=-]>|\b(?:else|return|in|is|as|if|match|yield|do))$")


@dataclass(slots=True)
class Source:
    """A text, the same with blanks for comments and literals, and its pairs of brackets (offsets).

    `steps_left` bounds the work on text that only looks like code: at 0, bodies end where they begin.
    """

    text: str
    masked: str
    closers: dict[int, int]
    steps_left: int

    def spend(self) -> bool:
        """Take one step of work; return whether any was left."""
        self.steps_left -= 1
        return self.steps_left >= 0


@dataclass(frozen=True, slots=True)
class Body:
    """What follows the head of a declaration: kind "block" (begins at a brace), "expression" or "none"."""

    kind: str
    start: int
    end: int


def read_source(text: str, masked: str) -> Source:
    """Return a source with its brackets paired."""
    return Source(text, masked, match_brackets(masked), 10_000 + len(text))


def skip_spaces(masked: str, place: int) -> int:
    """Return the offset of the next character that isn't blank."""
    found = _SPACES.match(masked, place)
    return found.end() if found else place


def declaration_start(masked: str, place: int) -> int:
    """Return where on its line a declaration begins whose keyword stands at `place`."""
    floor = max(0, place - MAX_LOOK_BACK)
    begin = masked.rfind("\n", floor, place) + 1 or floor
    cut = max(masked.rfind(mark, begin, place) for mark in "{};")
    return min(place, skip_spaces(masked, max(begin, cut + 1)))


def line_indent(masked: str, place: int) -> int:
    """Return the width of the indent of the line of an offset."""
    begin = masked.rfind("\n", max(0, place - MAX_LOOK_BACK), place) + 1
    width = 0
    for char in masked[begin:place]:
        if char not in " \t":
            break
        width += 1
    return width


def find_body(source: Source, place: int, *, indent: int, expressions: bool = False) -> Body:
    """Return the body of a declaration whose head goes on at `place`.

    indent: that of the declaration; lines of a head that go on are deeper or begin with a word of heads.
    expressions: `=` begins a body that isn't a block.
    """
    masked, last = source.masked, place
    while (found := _STOP.search(masked, place, place + MAX_HEAD)) is not None and source.spend():
        at, char = found.start(), found[0]
        if char in "([":
            closer = source.closers.get(at)
            if closer is None:
                break
            place = last = closer + 1
        elif char == "{":
            closer = source.closers.get(at)
            return Body("none", at, at) if closer is None else Body("block", at, closer)
        elif char == "\n":
            following = skip_spaces(masked, at)
            if line_indent(masked, following) <= indent and not _CONTINUES.match(masked, following):
                return Body("none", at, _last_code(masked, place, at))
            place = following
        elif char == "=" and expressions and masked[at + 1 : at + 2] not in {"=", ">"}:
            return Body("expression", at, expression_end(source, at + 1, indent=indent))
        elif char == "=":
            place = at + 2
        else:
            return Body("none", at, at if char == ";" else _last_code(masked, last, at))
    return Body("none", last, _last_code(masked, last, min(len(masked), place)))


def expression_end(source: Source, place: int, *, indent: int, is_type: bool = False) -> int:
    """Return the offset of the last character of an expression in a language where lines end statements.

    indent: that of the statement; the expression goes on in lines that are deeper.
    is_type: commas stand between arguments in `<>` and end nothing. After MAX_HEAD characters without a bracket
    or a line feed, it ends there.
    """
    masked = source.masked
    begin, stop = place, _TYPE_STOP if is_type else _EXPRESSION_STOP
    place = skip_spaces(masked, place)
    while (found := stop.search(masked, place, place + MAX_HEAD)) is not None and source.spend():
        at, char = found.start(), found[0]
        if char in "({[":
            closer = source.closers.get(at)
            if closer is None:
                return _last_code(masked, begin, at)
            place = closer + 1
        elif char == "\n":
            following = skip_spaces(masked, at)
            if not _goes_on(masked, at, following=following, indent=indent):
                return _last_code(masked, begin, at)
            place = following
        else:
            return at if char == ";" else _last_code(masked, begin, at)
    return _last_code(masked, begin, min(len(masked), place + MAX_HEAD))


def _goes_on(masked: str, newline: int, *, following: int, indent: int) -> bool:
    """Return whether an expression goes on behind the end of a line."""
    if line_indent(masked, following) > indent:
        return True
    if _CONTINUES.match(masked, following) and masked[following] not in ")]}({":
        return True
    return _OPERATOR_END.search(masked[max(0, newline - 8) : newline].rstrip()) is not None


def _last_code(masked: str, floor: int, end: int) -> int:
    """Return the offset of the last character before `end` that isn't blank."""
    while end > floor and masked[end - 1].isspace():
        end -= 1
    return max(floor - 1, end - 1, 0)


def name_at(text: str, span: tuple[int, int]) -> str:
    """Return the name at two offsets, without the quotes around it."""
    return text[span[0] : span[1]].strip("`'\"")
