"""Which lines of a source say something to a machine: no comment, no docstring, no mere brace or `else:`."""

from __future__ import annotations

from collections.abc import Sequence

from engram_hooks.history.bulk import is_comment
from engram_hooks.recall.carried import is_filler

_QUOTES = '"""', "'''"
_OPENERS = (*_QUOTES, *(mark + quote for mark in "rRuUbBfF" for quote in _QUOTES))


LONG_CHARS = 40  # no filler is as long
PROSE, FILLER, TELLING = 0, 1, 2


def grade(line: str, path: str = "") -> int:
    """What a line is by itself: `PROSE` (blank or a comment), `FILLER` (a brace, `else:`) or `TELLING`."""
    if is_comment(line, path):
        return PROSE
    text = line.strip()
    return FILLER if len(text) < LONG_CHARS and is_filler(text) else TELLING


def find_prose(lines: Sequence[str], path: str) -> set[int]:
    """The lines of a file (from 0) that docstrings and comments over several lines take."""
    is_python = path.endswith((".py", ".pyi"))
    found: set[int] = set()
    inside, is_prose = "", False  # what ends the string or comment that a line stands in
    for number, line in enumerate(lines):
        if inside:
            if is_prose:
                found.add(number)
            if inside in line:
                inside = ""
        elif is_python:
            if _QUOTES[0] in line or _QUOTES[1] in line:
                is_prose = line.lstrip().startswith(_OPENERS)
                inside = next((quote for quote in _QUOTES if line.count(quote) % 2), "")
                if is_prose:
                    found.add(number)
        elif "/*" in line and "*/" not in line and line.lstrip().startswith("/*"):
            inside, is_prose = "*/", True
            found.add(number)
    return found
