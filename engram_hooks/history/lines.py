"""Lines of a file by what they say: found again wherever they stand, however they are indented."""

from __future__ import annotations

import hashlib

_MARK_CHARS = 12


def name_lines(text: str, first: int, last: int) -> str:
    """A name of the lines `first` to `last` (from 1, both inside) of a text; '' where they say nothing.

    Blank lines, indentation and the width of white space do not count.
    """
    wanted = [line for line in map(_strip, text.split("\n")[first - 1 : last]) if line]
    return f"{len(wanted)}:{_hash(wanted[:1])}:{_hash(wanted)}" if wanted else ""


def find_lines(text: str, name: str, *, near: int = 0) -> tuple[int, int] | None:
    """(first, last) of the lines of that name in a text, those nearest to the line `near`; None for none."""
    size, start, whole = name.split(":")
    told = [(number, line) for number, line in enumerate(map(_strip, text.split("\n")), 1) if line]
    found = []
    for at in range(len(told) - int(size) + 1):
        part = [line for _, line in told[at : at + int(size)]]
        if _hash(part[:1]) == start and _hash(part) == whole:
            found.append((told[at][0], told[at + int(size) - 1][0]))
    return min(found, key=lambda span: abs(span[0] - near), default=None)


def _strip(line: str) -> str:
    return " ".join(line.split())


def _hash(lines: list[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode("utf-8", "replace")).hexdigest()[:_MARK_CHARS]
