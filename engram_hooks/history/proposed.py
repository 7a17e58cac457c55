"""A change that is only proposed: the hunks of a unified diff that concern one file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_HUNK = re.compile(r"@@+ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_PREFIXES = "a/", "b/", "i/", "w/", "c/", "o/"


class ProposedHunk(NamedTuple):
    """Lines that stand in a file (with those around that stay) and what is to stand there; first lines from 1."""

    old_start: int
    old: tuple[str, ...]
    new_start: int
    new: tuple[str, ...]


def read_diff(text: str, path: str) -> list[ProposedHunk]:
    """The hunks of a diff that change `path` (from the top of the repository).

    A diff that names no file is taken to be of this one; what is no diff has no hunks.
    """
    found: list[ProposedHunk] = []
    lines = iter(text.replace("\r\n", "\n").split("\n"))
    names: list[str] = []
    is_meant = True
    for line in lines:
        if line.startswith("diff --"):
            names, is_meant = [], False
        elif line.startswith("--- "):
            names = [line[4:]]
        elif line.startswith("+++ "):
            is_meant = any(_is_path(name, path) for name in [*names, line[4:]])
        elif (head := _HUNK.match(line)) and (hunk := _read_hunk(head, lines)) and is_meant:
            found.append(hunk)
    return found


def _is_path(name: str, path: str) -> bool:
    """Whether a name in a diff's head means a path, with or without a prefix, or from a folder further down."""
    bare = name.split("\t")[0].strip().strip('"')
    if bare.startswith(_PREFIXES):
        bare = bare[2:]
    return bare == path or path.endswith("/" + bare) or bare.endswith("/" + path)


def _read_hunk(head: re.Match[str], lines: Iterator[str]) -> ProposedHunk:
    old_count, new_count = int(head[2] or 1), int(head[4] or 1)
    old: list[str] = []
    new: list[str] = []
    while len(old) < old_count or len(new) < new_count:
        line = next(lines, None)
        if line is None:
            break
        mark, rest = line[:1], line[1:]
        if mark in "- ":  # an empty line stands for one that stays, whose blank was lost
            old.append(rest)
        if mark in "+ ":
            new.append(rest)
    return ProposedHunk(
        int(head[1]) + (not old_count), tuple(old), int(head[3]) + (not new_count), tuple(new)
    )
