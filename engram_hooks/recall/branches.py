"""How near a record is to what is checked out: which rank lower here, and which must say where they come from.

A record with a branch was made on it and is not known to be on the mainline yet; scope `branch` limits it to that.
"""

from __future__ import annotations

from engram_hooks.recall.fields import BRANCH, SCOPE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from engram_hooks.recall.fields import Row

    Scored = tuple[float, tuple[Any, ...], dict[str, Any]]  # Any: columns of a row; reasons of several types

HERE, MAINLINE, EVERYWHERE, AWAY, LIMITED = range(5)
# What a score is worth by the place of its record. Those of one project and mainline keep theirs: the floors of
# the gate are measured on them.
FACTORS = (1.03, 1.0, 0.98, 0.85, 0.7)


def place_of(scope: str, branch: str | None, here: str) -> int:
    """Where a record stands seen from the branch `here` ('' = none): the current branch, the mainline, everywhere,
    or away: on another branch, limited to it or not."""
    if scope == "global":
        return EVERYWHERE
    if not branch:
        return MAINLINE
    if branch == here:
        return HERE
    return LIMITED if scope == "branch" else AWAY


def is_away(row: Row, here: str) -> bool:
    """Whether a record was made on a branch that is not checked out."""
    return bool(row[BRANCH]) and place_of(row[SCOPE], row[BRANCH], here) >= AWAY


def weigh(scored: Sequence[Scored], here: str) -> list[Scored]:
    """Records with their scores, best first, each weighed by its place: current branch, mainline, everywhere, others.

    Scores stay at most 1.
    """
    places = [place_of(item[1][SCOPE], item[1][BRANCH], here) for item in scored]
    if places.count(MAINLINE) == len(places):
        return list(scored)
    weighed = [(item[0] * FACTORS[place], item) for place, item in zip(places, scored, strict=True)]
    weighed.sort(key=lambda pair: -pair[0])
    return [(min(value, 1.0), item[1], item[2]) for value, item in weighed]
