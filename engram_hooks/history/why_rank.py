"""How well commits answer a question: their words by field, words side by side, meaning, intent.

Scores are sums of rarities in natural logarithms: a word of one commit in a hundred weighs about 4. The weights
are coarse and stand on no peak: halving or doubling one moves the share of questions answered by about a point.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engram_hooks.recall.log_rank import rarity

# what a word says by the field it stands in: subject, body, names (paths and symbols), words of changed lines
FIELD_WEIGHTS = 3.0, 2.0, 1.0, 1.0
# of a question that is a name out of code
EXACT_FIELD_WEIGHTS = 3.0, 2.0, 3.0, 1.0
# how much the length of a field takes from it: a subject is short anyway, a long list of names is hit by chance
FIELD_LENGTHS = 0.0, 0.3, 0.75, 0.75
SATURATION = 1.2
# two words of the question that stand side by side in the message, too
PAIR = 1.0
MAX_PAIRS = 6
# a close paraphrase (cosine 0.6) is worth one rare word; changed lines are nearer to a symptom than to its cause
MESSAGE_MEANING, CODE_MEANING = 6.0, 4.0
# most questions are about how the program behaves
ASIDE = -2.0
MENDED, BROUGHT = 1.0, 1.0
BULK, MERGE = -1.0, -3.0
# what cites the very issue, or touched the very symbol that is asked for
CITED, TOUCHED = 20.0, 3.0
# a revert and what it undid stand together: the other one is worth this part at least
TIED = 0.9


@dataclass(slots=True)
class Judged:
    """A commit with what speaks for it; `signals` add up to its score."""

    id: int
    signals: dict[str, float] = field(default_factory=dict)
    matched: list[str] = field(default_factory=list)

    @property
    def total(self) -> float:
        """The score on the open scale of rarities."""
        return sum(self.signals.values())


def rarities(places: Mapping[str, Collection[int]], total: int) -> dict[str, float]:
    """What each term says, by how many of `total` commits hold it."""
    return {term: rarity(len(found), total) for term, found in places.items()}


def score_words(
    places: Mapping[str, Mapping[int, int]],
    values: Mapping[str, float],
    *,
    sizes: Mapping[int, Sequence[int]],
    averages: Sequence[float],
    fields: Sequence[float] = FIELD_WEIGHTS,
) -> dict[int, float]:
    """BM25F of the commits in `sizes` (of all, unless it is empty): fields add up before they saturate.

    `values` is rarity times weight by term. S. Robertson, H. Zaragoza, "The Probabilistic Relevance Framework",
    2009, section 3.6.
    """
    scores: dict[int, float] = {}
    plain = [sum(w for bit, w in enumerate(fields) if mask >> bit & 1) for mask in range(1 << len(fields))]
    for term, found in places.items():
        value = values[term] * (SATURATION + 1)
        for number, mask in found.items():
            if not sizes:
                mass = plain[mask]
            elif number in sizes:
                mass = _weigh_fields(mask, sizes[number], averages, fields)
            else:
                continue
            scores[number] = scores.get(number, 0.0) + value * mass / (mass + SATURATION)
    return scores


def weigh_intent(intent: str, *, kind: str, sides: Collection[str]) -> float:
    """What the intent of a commit is worth to a question of a kind."""
    if intent in ("docs", "test", "build"):
        return 0.0 if intent in sides or kind == "exact" else ASIDE
    if intent in ("bugfix", "security") and kind in ("symptom", "cause", "general"):
        return MENDED
    return BROUGHT if intent == "feature" and kind == "change" else 0.0


def tie_together(ranked: Sequence[Judged], ties: Mapping[int, Collection[int]]) -> list[tuple[Judged, float]]:
    """Commits with scores, best first, each lifted to `TIED` of the best one that it undid or was undone by."""
    totals = {one.id: one.total for one in ranked}
    lifted = []
    for one in ranked:
        near = max((totals[other] for other in ties.get(one.id, ()) if other in totals), default=0.0)
        lifted.append((one, max(one.total, TIED * near)))
    return sorted(lifted, key=lambda item: -item[1])


def share_evidence(
    ranked: Sequence[int], touched: Mapping[int, Sequence[tuple[int, float]]]
) -> dict[int, float]:
    """What the commits, best first, say for the files or symbols they touched, each given with its weight.

    The first commit has 1 to give, the second a half; one that touched much says little of each.
    """
    out: dict[int, float] = {}
    for place, number in enumerate(ranked, 1):
        things = touched.get(number, ())
        mass = sum(weight for _, weight in things)
        for thing, weight in things:
            out[thing] = out.get(thing, 0.0) + weight / (place * math.sqrt(max(mass, 1.0)))
    return out


def overlap(asked: Mapping[str, float], terms: Iterable[str]) -> float:
    """The sum of what the stems say that a question and a name share."""
    return sum(asked.get(term, 0.0) for term in set(terms))


def _weigh_fields(
    mask: int, sizes: Sequence[int], averages: Sequence[float], fields: Sequence[float]
) -> float:
    mass = 0.0
    for bit, weight in enumerate(fields):
        if mask >> bit & 1:
            share = FIELD_LENGTHS[bit]
            mass += weight / (1 - share + share * sizes[bit] / max(averages[bit], 1.0))
    return mass
