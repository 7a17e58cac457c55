"""Failed approaches held against what is about to change, and how they are told."""

from __future__ import annotations

from engram_hooks.guard.firewall import attr, clean
from engram_hooks.recall.carried import is_filler
from engram_hooks.recall.fields import format_day

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    # an approach as the store gives it: store.attempts.Row
    Row = tuple[Any, ...]
    # (approach, lines that went, lines that came) of one file
    Tried = tuple[Row, Sequence[str], Sequence[str]]
    # (old lines, new lines) of one place that changes
    Piece = tuple[Sequence[str], Sequence[str]]

REPEAT, SIMILAR, APART = 2, 1, 0
# Of the lines that were tried, how many have to come again for a repeat; of those that come, how many were tried.
REPEAT_SHARE = 0.75
MIN_OWN_SHARE = 0.5
SIMILAR_SHARE = 0.34
# Two lines are the same line in other words from this share of their names and numbers on.
LIKE_SHARE = 0.6
MAX_TOLD = 3
MAX_CHARS = 600
_MAX_CODE, _MAX_FAULT, _MAX_CURE, _MAX_PATH = 110, 200, 160, 120
_ID, _FAULTS, _FINGERPRINT, _CURE, _REPEATS, _AT = 0, 4, 5, 6, 10, 12
_CLOSE = "</engram>"


def resemblance(tried: Tried, pieces: Iterable[Piece]) -> int:
    """REPEAT where a change does again what was tried, SIMILAR where it does something like it at the same place,
    else APART. Lines are compared without their indentation; lines that say little do not count."""
    _, gone, came = tried
    wanted, taken = _told(came), _told(gone)
    new: set[str] = set()
    old: set[str] = set()
    for before, after in pieces:
        before_lines, after_lines = _told(before), _told(after)
        new |= after_lines - before_lines
        old |= before_lines - after_lines
    if not wanted:
        return REPEAT if taken and taken <= old and not new else APART
    again = wanted & new
    if len(again) >= REPEAT_SHARE * len(wanted) and len(again) >= MIN_OWN_SHARE * len(new):
        return REPEAT
    if len(again) >= SIMILAR_SHARE * len(wanted):
        return SIMILAR
    at_place = bool(taken & old)
    return SIMILAR if new and (at_place or not taken) and _is_like(wanted, new) else APART


def whole_resemblance(tried: Tried, content: Sequence[str]) -> int:
    """The same for a file that is written whole, whose old content is not known."""
    _, gone, came = tried
    wanted, taken, new = _told(came), _told(gone), _told(content)
    if not wanted:
        return APART
    again = wanted & new
    if len(again) >= REPEAT_SHARE * len(wanted) and not (taken - wanted) & new:
        return REPEAT
    return SIMILAR if len(again) >= REPEAT_SHARE * len(wanted) else APART


def _told(lines: Iterable[str]) -> set[str]:
    return {" ".join(line.split()) for line in lines if not is_filler(line)}


def _is_like(wanted: set[str], new: set[str]) -> bool:
    """Whether the lines are made of the same names: an approach in slightly other words."""
    ours, theirs = _words(wanted), _words(new)
    rare = ours & theirs
    return bool(ours) and len(rare) >= LIKE_SHARE * min(len(ours), len(theirs))


def _words(lines: set[str]) -> set[str]:
    text = "".join(char if char.isalnum() or char == "_" else " " for char in " ".join(lines))
    return {word for word in text.split() if len(word) > 1 or word.isdigit()}


def distinct(tried: Iterable[Tried]) -> list[Tried]:
    """Each way to fail once: of approaches that failed alike the first."""
    seen: set[str] = set()
    out: list[Tried] = []
    for one in tried:
        if one[0][_FINGERPRINT] not in seen:
            seen.add(one[0][_FINGERPRINT])
            out.append(one)
    return out


def tell(tried: Tried, *, year: int, path: str = "") -> str:
    """`a fresh key per retry; test_x failed with E (9 May, 3 times) [t2]`; `path` is named where it is given."""
    row = tried[0]
    often = f", {row[_REPEATS]} times" if row[_REPEATS] > 1 else ""
    text = f"{summarise(tried, path=path)} ({format_day(row[_AT], year)}{often}) [t{row[_ID]}]"
    cure = _cure(row)
    return f"{text}. What passed in its place: {cure}" if cure else text


def summarise(tried: Tried, *, path: str = "") -> str:
    """`a fresh key per retry in pay.py; test_x failed with E`: what was tried and how it failed."""
    row, gone, came = tried
    code = _code(came) or f"taking out {_code(gone)}"
    where = f" in {clean(path, max_chars=_MAX_PATH)}" if path else ""
    return f"{code}{where}; {_fault(row)}"


def _code(lines: Sequence[str]) -> str:
    told = [line.strip() for line in lines if not is_filler(line)] or [
        line.strip() for line in lines if line.strip()
    ]
    text = clean(" ".join(told[:3]), max_chars=_MAX_CODE).replace("`", "'")
    return f"`{text}`" if text else ""


def _fault(row: Row) -> str:
    faults = row[_FAULTS]
    if not faults:
        return "the check failed"
    place, error, message, _ = (*faults[0], "", "", "", "")[:4]
    said = ": ".join(part for part in (error, message) if part)
    more = f" and {len(faults) - 1} more" if len(faults) > 1 else ""
    name = f"{place} failed{more}" if place else f"it failed{more}"
    return clean(f"{name} with {said}" if said else name, max_chars=_MAX_FAULT)


def _cure(row: Row) -> str:
    added = [
        line[1:].strip()
        for line in row[_CURE].split("\n")
        if line.startswith("+") and not is_filler(line[1:])
    ]
    text = clean(" ".join(added[:3]), max_chars=_MAX_CURE).replace("`", "'")
    return f"`{text}`" if text else ""


def tried_block(path: str, lines: Sequence[str], *, max_chars: int = MAX_CHARS, last: str = "") -> str:
    """A block on approaches, its leading lines as far as they fit; '' where none does. `last` is a line of ours."""
    place = f' file="{attr(path, max_chars=_MAX_PATH)}"' if path else ""
    head = f'<engram{place} from="earlier tries">'
    room = max_chars - len(head) - len(_CLOSE) - 1 - (len(last) + 1 if last else 0)
    kept: list[str] = []
    for line in lines[:MAX_TOLD]:
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join((head, *kept, *([last] if last else []), _CLOSE)) if kept else ""


def tell_failure(rows: Sequence[Row], *, year: int) -> str:
    """One line on a failure that was seen before: how it was cured, or that it never was."""
    cured = next((row for row in rows if _cure(row)), None)
    if cured is not None:
        day = format_day(cured[_AT], year)
        return f"This failure was seen before ({day}) and cured by {_cure(cured)} [t{cured[_ID]}]"
    row = rows[0]
    return f"This failure was seen before and not cured ({format_day(row[_AT], year)}): {_fault(row)} [t{row[_ID]}]"
