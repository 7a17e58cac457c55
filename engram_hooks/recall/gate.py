"""Whether to speak at all: few records, surely relevant, none of them twice in a session."""

from __future__ import annotations

from engram_hooks.recall.fields import ID, SUMMARY
from engram_hooks.recall.weights import FLOORS, MIN_SHARE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from engram_hooks.recall.fields import Row
    from engram_hooks.recall.rank import Scored

SAME_SHARE = 0.6
_MIN_WORD_CHARS = 3


def choose(
    scored: Sequence[Scored],
    *,
    eagerness: str = "normal",
    shown_ids: Collection[int] = (),
    max_records: int = 3,
) -> list[Row]:
    """The rows to show, best first; most often none.

    `eagerness` is off, low, normal or high (an unknown word counts as normal); `shown_ids` are the record
    ids this session has had. The first row needs a score over the floor, the others one over a higher floor
    that is not far behind the best.
    """
    floor, next_floor = FLOORS.get(eagerness, FLOORS["normal"])
    picked: list[Row] = []
    words: list[frozenset[str]] = []
    best = 0.0
    for value, row, _ in scored:
        if value < (next_floor if words else floor) or value < best * MIN_SHARE:
            continue
        best = max(best, value)
        own = bag(row[SUMMARY])
        if any(is_near(own, other) for other in words):
            continue
        # A record that was shown still silences its own rewordings.
        words.append(own)
        if row[ID] not in shown_ids:
            picked.append(row)
            if len(picked) == max_records:
                break
    return picked


def bag(summary: str) -> frozenset[str]:
    """The words of a summary, for comparing two of them."""
    text = summary.lower()
    words = frozenset(word.strip(".,;:!?()[]\"'`") for word in text.split())
    return words if len(words) > 1 else frozenset(text)


def is_near(words: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two summaries say nearly the same: the share of their words that both have."""
    return len(words & other) >= SAME_SHARE * len(words | other)
