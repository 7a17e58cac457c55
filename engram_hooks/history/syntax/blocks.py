"""Which bracket closes which, in a text without literals and comments."""

from __future__ import annotations

import re

MAX_INDENT = 200
MAX_HEADER = 2_000
_BRACKET = re.compile(r"[(){}\[\]]")
_INDENT = re.compile(r"[ \t]*")
_OPENER = {")": "(", "]": "[", "}": "{"}


def match_brackets(masked: str) -> dict[int, int]:
    """Return the offset of the closing bracket for that of each opening one.

    A brace outranks parentheses left open inside it. Where braces don't add up (half of a conditional
    compilation, a literal misread), a closing brace that begins a line closes the one whose line has its indent.
    """
    closers: dict[int, int] = {}
    if not _match(masked, closers, by_indent=False):
        closers.clear()
        _match(masked, closers, by_indent=True)
    return closers


def _match(masked: str, closers: dict[int, int], *, by_indent: bool) -> bool:
    """Fill the table; return whether all braces added up."""
    kinds: list[str] = []
    places: list[int] = []
    whole = True
    for found in _BRACKET.finditer(masked):
        char = found[0]
        if char in "({[":
            kinds.append(char)
            places.append(found.start())
            continue
        wanted = _OPENER[char]
        if kinds and kinds[-1] == wanted and not (by_indent and char == "}"):
            kinds.pop()
            closers[places.pop()] = found.start()
        elif char == "}":
            depth = _depth_for(masked, found.start(), kinds=kinds, places=places, by_indent=by_indent)
            whole = whole and depth >= 0
            if depth >= 0:
                closers[places[depth]] = found.start()
                del kinds[depth:], places[depth:]
    return whole and "{" not in kinds


def _depth_for(masked: str, place: int, *, kinds: list[str], places: list[int], by_indent: bool) -> int:
    """Return the place in the stack of the brace that a closing one belongs to, or -1."""
    depth = len(kinds) - 1
    while depth >= 0 and kinds[depth] != "{":
        depth -= 1
    if not by_indent or depth < 0:
        return depth
    indent = _indent_of(masked, place)
    if indent is None:
        return depth
    for lower in range(depth, max(-1, depth - 64), -1):
        if kinds[lower] == "{" and _line_indent(masked, places[lower]) == indent:
            return lower
    return depth if indent else -1


def _indent_of(masked: str, place: int) -> str | None:
    """Return what stands before an offset on its line if that is blank, else None."""
    floor = max(0, place - MAX_INDENT)
    begin = masked.rfind("\n", floor, place)
    before = masked[begin + 1 : place]
    return before if (begin >= 0 or floor == 0) and not before.strip() else None


def _line_indent(masked: str, place: int) -> str | None:
    """Return the indent of the line of an offset, None where the line is very long."""
    floor = max(0, place - MAX_HEADER)
    begin = masked.rfind("\n", floor, place)
    if begin < 0 and floor:
        return None
    found = _INDENT.match(masked, begin + 1)
    return found[0] if found else ""
