"""Directives of C and C#: blanked, with branches that would leave braces open."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from engram_hooks.history.syntax.masking import blank

_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)((?:[^\\\n]++|\\\r?\n|\\)*+)", re.M)
_OPENING = {"if", "ifdef", "ifndef"}
_TURNING = {"else", "elif", "elifdef", "elifndef"}


@dataclass(slots=True)
class _Group:
    """A conditional: where its branches are, how many braces each leaves open, if it begins with `#if 0`."""

    never: bool
    spans: list[tuple[int, int]] = field(default_factory=list)
    open_braces: list[int] = field(default_factory=list)
    begin: int = 0
    taken: int = 0


def blank_directives(masked: str) -> str:
    """Return a text of the same length without directives, and of each conditional what reads as one program.

    Where a branch of a conditional with several leaves braces open, only its first stays; what `#if 0` holds goes.
    """
    if "#" not in masked:
        return masked
    blanks: list[tuple[int, int]] = []
    groups: list[_Group] = []
    for found in _DIRECTIVE.finditer(masked):
        blanks.append(found.span())
        word = found[1]
        if word in _OPENING:
            groups.append(_Group(word == "if" and found[2].strip() == "0", begin=found.end()))
        elif word in _TURNING and groups:
            _end_branch(groups[-1], masked, found.start())
            groups[-1].begin, groups[-1].taken = found.end(), 0
        elif word == "endif" and groups:
            group = groups.pop()
            _end_branch(group, masked, found.start())
            gone = _unwanted(group)
            blanks.extend(group.spans[place] for place in gone)
            if groups:
                groups[-1].taken += sum(group.open_braces[place] for place in gone)
    return _blank_spans(masked, blanks)


def _end_branch(group: _Group, masked: str, end: int) -> None:
    net = masked.count("{", group.begin, end) - masked.count("}", group.begin, end)
    group.spans.append((group.begin, end))
    group.open_braces.append(net - group.taken)


def _unwanted(group: _Group) -> list[int]:
    """Return which branches are to be blanked."""
    first = 1 if group.never else 0
    if first >= len(group.spans) or not any(group.open_braces[first:]):
        return [0] if group.never else []
    return [place for place in range(len(group.spans)) if place != first] if len(group.spans) > 1 else []


def _blank_spans(masked: str, spans: list[tuple[int, int]]) -> str:
    pieces: list[str] = []
    done = 0
    for start, end in sorted(spans):
        if end <= done:
            continue
        start = max(start, done)
        pieces.append(masked[done:start])
        pieces.append(blank(masked[start:end]))
        done = end
    pieces.append(masked[done:])
    return "".join(pieces)
