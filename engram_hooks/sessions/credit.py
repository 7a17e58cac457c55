"""The verdicts on one record, added up: how often it was used and ignored, and how it stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engram_hooks.recall.standing import HALF_LIFE_MS, LOWEST, OWN_CREDIT, START, settle
from engram_hooks.sessions.usage import CONTRADICTED, IGNORED, MOST, USED, WRONG

USEFUL, MISSED = "useful", "missed"
# who calls a record useful takes back all that was held against it, and gives credit for four showings in vain
PERSON_CREDIT = 4.0
# steps of what is known without watching: who calls a record wrong also stops it being told, which says enough
_SAID = {MISSED: MOST, WRONG: CONTRADICTED}

# (moment in ms, verdict, step)
Event = tuple[int, str, float]


@dataclass(frozen=True, slots=True)
class Credit:
    """`used` and `ignored` are counts, halved by each half-life; `standing` is as in `recall.standing`."""

    used: float
    ignored: float
    standing: float


def add_up(events: Iterable[Event], *, now_ms: int) -> Credit:
    """The credit at a moment from verdicts in the order of time.

    `useful` sets the standing. All else moves it step by step between the lowest and the credit that watching gives, so
    that neither long praise nor long neglect takes long to undo. What somebody says comes with step 0: `wrong` counts
    like a contradiction, `missed` (a user had to say what the record says) like one use.
    """
    used = ignored = 0.0
    standing, last_at = START, 0
    for at_ms, verdict, step in events:
        left = 0.5 ** (max(at_ms - last_at, 0) / HALF_LIFE_MS) if last_at else 1.0
        used, ignored, standing = (
            used * left,
            ignored * left,
            settle(standing, at_ms - last_at if last_at else 0),
        )
        last_at = max(at_ms, last_at)
        used += verdict in (USED, USEFUL)
        ignored += verdict in (IGNORED, WRONG)
        if verdict == USEFUL:
            standing = PERSON_CREDIT
        else:
            step = step or _SAID.get(verdict, 0.0)
            standing = min(max(standing + step, LOWEST), max(OWN_CREDIT, standing))
    left = 0.5 ** (max(now_ms - last_at, 0) / HALF_LIFE_MS) if last_at else 1.0
    age_ms = now_ms - last_at if last_at else 0
    return Credit(round(used * left, 4), round(ignored * left, 4), round(settle(standing, age_ms), 4))
