"""Which lines of a source say something to a machine: no comment, no docstring, no mere brace or `else:`."""

from __future__ import annotations

from collections.abc import Sequence

from engram_hooks.history.bulk import is_comment
from engram_hooks.recall.carried import is_filler

_QUOTES = '"""', "'''"
_OPENERS = (*_QUOTES, *(mark + quote for mark in "rRuUbBfF" for quote in _QUOTES))


PROSE, FILLER, TELLING = 0, 1, 2


def grade(line: str, path: str = "") -> int:
    """What a line is by itself: `PROSE` (blank or a comment), `FILLER` (a brace, `else:`) or `TELLING`."""
    if is_comment(line, path):
        return PROSE
    return FILLER if is_filler(line) else TELLING


def grade_lines(lines: Sequence[str], path: str) -> list[int]:
    """What each line of a file is; docstrings and comments over several lines are prose."""
    grades = [grade(line, path) for line in lines]
    is_python = path.endswith((".py", ".pyi"))
    inside, is_prose = "", False  # what ends the string or comment that a line stands in
    for number, line in enumerate(lines):
        starts_inside = bool(inside)
        if inside:
            if inside in line:
                inside = ""
        elif is_python:
            is_prose = line.lstrip().startswith(_OPENERS)
            inside = next((quote for quote in _QUOTES if line.count(quote) % 2), "")
        else:
            is_prose = line.lstrip().startswith("/*") and "*/" not in line
            inside = "*/" if is_prose else ""
        if is_prose and (starts_inside or is_python or inside):
            grades[number] = PROSE
    return grades
