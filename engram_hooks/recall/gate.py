"""Whether to speak at all: few records, surely relevant, none of them twice in a session."""

from __future__ import annotations

from engram_hooks.recall.fields import ID, SUMMARY
from engram_hooks.recall.weights import FLOORS, MIN_SHARE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any

    from engram_hooks.recall.rank import Scored

SAME_SHARE = 0.6
SHOWN = "shown"
UNLIKELY = "less likely needed than minder.eagerness asks for"
BEHIND = "far behind the best"
REWORDED = "says nearly the same as a better one"
KNOWN = "in the context already"
ENOUGH = "enough others are better"


def choose(
    scored: Sequence[Scored],
    *,
    eagerness: str = "normal",
    shown_ids: Collection[int] = (),
    max_records: int = 3,
) -> list[Scored]:
    """What to show, best first; most often nothing. See `decide`."""
    verdicts = decide(scored, eagerness=eagerness, shown_ids=shown_ids, max_records=max_records)
    return [item for item in scored if verdicts.get(item[1][ID]) == SHOWN]


def decide(
    scored: Sequence[Scored],
    *,
    eagerness: str = "normal",
    shown_ids: Collection[int] = (),
    max_records: int = 3,
) -> dict[int, str]:
    """By record id what becomes of each: `SHOWN` or the reason of silence.

    `eagerness` is off, low, normal or high (an unknown word counts as normal); `shown_ids` are the record
    ids this session has had. The first row needs a score over the floor, the others one over a higher floor
    that is not far behind the best.
    """
    floor, next_floor = FLOORS.get(eagerness, FLOORS["normal"])
    verdicts: dict[int, str] = {}
    words: list[frozenset[str]] = []
    best = 0.0
    left = max_records
    for value, row, _ in scored:
        least = next_floor if words else floor
        if value < least:
            verdicts[row[ID]] = UNLIKELY
        elif value < best * MIN_SHARE:
            verdicts[row[ID]] = BEHIND
        elif not left:
            verdicts[row[ID]] = ENOUGH
        else:
            best = max(best, value)
            own = bag(row[SUMMARY])
            if any(is_near(own, other) for other in words):
                verdicts[row[ID]] = REWORDED
                continue
            # A record that was shown still silences its own rewordings.
            words.append(own)
            verdicts[row[ID]] = KNOWN if row[ID] in shown_ids else SHOWN
            left -= row[ID] not in shown_ids
    return verdicts


def tell_reason(value: float, reasons: dict[str, Any]) -> str:
    """Why a record was shown, in a few words: `0.83: words label, stripe; meaning 0.76`."""
    parts = [f"words {', '.join(reasons['matched'])}"] if reasons["matched"] else []
    if reasons["matters"]:
        parts.append(f"same matter: {', '.join(reasons['matters'])}")
    if reasons["cosine"] is not None:
        parts.append(f"meaning {reasons['cosine']:.2f}")
    if reasons.get("is_retried"):
        parts.append("ignored before, given another chance")
    return f"{value:.2f}: {'; '.join(parts)}"


def bag(summary: str) -> frozenset[str]:
    """The words of a summary, for comparing two of them."""
    text = summary.lower()
    words = frozenset(word.strip(".,;:!?()[]\"'`") for word in text.split())
    return words if len(words) > 1 else frozenset(text)


def is_near(words: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two summaries say nearly the same: the share of their words that both have."""
    return len(words & other) >= SAME_SHARE * len(words | other)
