"""Declarations of Go, which stand at the beginning of a line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engram_hooks.history.syntax.assembly import Declaration
from engram_hooks.history.syntax.source import Source, expression_end

_TOP = re.compile(
    r"^(?:func[ \t]*(\([^()\n]*\)[ \t]*)?(\w+)|type[ \t]+(?:(\w+)|(\())|var[ \t]+(\w+)[^=\n]*=\s*func\b)",
    re.M,
)
_RECEIVER = re.compile(r"(\w+)\s*(?:\[[^\]]*\])?\s*\)")
_GROUPED = re.compile(r"^\t(\w+)(?=[ \t\[=])", re.M)
_TYPE = re.compile(r"(?:\[[^\n]*?\])?[ \t]*=?[ \t]*(struct|interface)?\b")
_STOP = re.compile(r"[({\[\n]")


def find_go(source: Source) -> Iterator[Declaration]:
    """Yield functions, methods with their receiver's type, and types, also those in groups."""
    for found in _TOP.finditer(source.masked):
        if found[4]:
            yield from _grouped_types(source, found.end() - 1)
        elif found[3]:
            yield _type(source, found.start(), name=found[3], after=found.end())
        else:
            end = _body_end(source, found.end())
            receiver = _RECEIVER.search(found[1] or "")
            yield Declaration(
                found.start(), end, found[2] or found[5], "function", receiver[1] if receiver else ""
            )


def _grouped_types(source: Source, opener: int) -> Iterator[Declaration]:
    end = source.closers.get(opener, opener)
    done = opener
    for found in _GROUPED.finditer(source.masked, opener, end):
        if found.start() > done:
            item = _type(source, found.start() + 1, name=found[1], after=found.end())
            done = item.end
            yield item


def _type(source: Source, start: int, *, name: str, after: int) -> Declaration:
    found = _TYPE.match(source.masked, after)
    kind = (found[1] if found else "") or "type"
    end = expression_end(source, after, indent=10**6, is_type=True)
    return Declaration(start, end, name, kind)


def _body_end(source: Source, place: int) -> int:
    """Return the offset where the block of a function closes, or where its line ends."""
    masked = source.masked
    last = place
    while (found := _STOP.search(masked, place)) is not None:
        at = found.start()
        closer = source.closers.get(at)
        if found[0] == "\n" or closer is None:
            return max(last - 1, at - 1)
        if (
            found[0] == "{"
            and masked[max(0, at - 12) : at].rstrip().rsplit(None, 1)[-1:] not in _BRACED_TYPES
        ):
            return closer
        place = last = closer + 1
    return len(masked) - 1


_BRACED_TYPES = (["struct"], ["interface"])
