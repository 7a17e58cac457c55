"""What a record row looks like: column order, kinds, short ids, dates."""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    # (id, kind, scope, branch, summary, detail, tags, importance, looked_by, at_ms[, bm25])
    Row = tuple[Any, ...]  # Any: columns of one SQL row, each of its own type

ID, KIND, SCOPE, BRANCH, SUMMARY, DETAIL, TAGS, IMPORTANCE, LOOKED_BY, AT = range(10)
BM25 = 10

# In the order in which a session needs them.
KINDS = (
    "user",
    "feedback",
    "constraint",
    "state",
    "decision",
    "architecture",
    "procedure",
    "incident",
    "fact",
    "module",
    "insight",
    "reference",
)
ALIASES = {"gotcha": "incident", "preference": "feedback", "note": "fact"}
LETTERS = {
    "user": "u",
    "feedback": "f",
    "constraint": "c",
    "state": "s",
    "decision": "d",
    "architecture": "h",
    "procedure": "p",
    "incident": "n",
    "fact": "k",
    "module": "m",
    "insight": "g",
    "reference": "r",
}
LABELS = {
    "user": "You",
    "feedback": "You",
    "constraint": "Rule",
    "state": "State",
    "decision": "Decided",
    "architecture": "Design",
    "procedure": "How to",
    "incident": "Watch out",
    "fact": "Known",
    "module": "Module",
    "insight": "Learnt",
    "reference": "See",
}
MONTHS = (
    "",
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_UNDATED = frozenset(("user", "feedback", "constraint", "procedure", "reference"))


def short_id(row: Row) -> str:
    """The id that people type: the letter of the kind and the number, such as `d12`."""
    return f"{LETTERS.get(row[KIND], 'k')}{row[ID]}"


def is_dated(kind: str) -> bool:
    """Whether the date of a record of this kind tells its reader something."""
    return kind not in _UNDATED


def local_year(at_ms: int) -> int:
    """The year of a moment (ms UTC) on the clock of this machine; 0 for a moment no calendar holds."""
    return _local(at_ms)[0]


def format_day(at_ms: int, year: int) -> str:
    """`3 May`, or `3 May 2024` where the year is not `year`; "" for a moment no calendar holds."""
    found = _local(at_ms)
    if not found[0]:
        return ""
    day = f"{found[2]} {MONTHS[found[1]]}"
    return day if found[0] == year else f"{day} {found[0]}"


def format_clock(at_ms: int) -> str:
    """`18:40`, on the clock of this machine."""
    found = _local(at_ms)
    return f"{found[3]:02d}:{found[4]:02d}"


def _local(at_ms: int) -> tuple[int, ...]:
    try:
        return tuple(time.localtime(at_ms // 1000)[:5])
    except (OverflowError, ValueError, OSError):
        return (0, 0, 0, 0, 0)
