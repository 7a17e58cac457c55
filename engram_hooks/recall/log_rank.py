"""Which lines of the log answer a question: their words, those of their neighbours and of their session."""

from __future__ import annotations

import math

from engram_hooks.recall.weights import (
    LENGTH,
    NEXT_BUT_ONE,
    NEXT_LINE,
    REPEAT,
    REPETITION,
    SAME_WORDS,
    SESSION_LENGTH,
    SESSION_REPEAT,
)
from engram_hooks.terms import STOP_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    # concept -> line -> how often it stands there
    Postings = Mapping[str, Mapping[int, int]]

MAX_COMPARED = 40
_MASS_UNIT = 12.0
_NONE: frozenset[str] = frozenset()
_EDGES = ".,;:!?()[]{}<>\"'`*-"


def rarity(count: int, total: int) -> float:
    """What a term of `count` among `total` texts says: 0.4 where it is in all but a few, 4 in one of a hundred."""
    return math.log(1.0 + (max(total, count) - count + 0.5) / (count + 0.5))


def score_lines(
    postings: Postings, weights: Mapping[str, float], lengths: Mapping[int, int], *, total: int
) -> dict[int, float]:
    """bm25 of every line that holds a concept; `lengths` in terms by line, `total` lines there are.

    Rarities are those of the project asked, not of the whole store: a word may be common in one only.
    """
    middle = sum(lengths.values()) / len(lengths) if lengths else 1.0
    scores: dict[int, float] = {}
    for concept, lines in postings.items():
        value = weights[concept] * rarity(len(lines), total) * (REPEAT + 1)
        for line, count in lines.items():
            size = 1 - LENGTH + LENGTH * lengths.get(line, middle) / max(middle, 1.0)
            scores[line] = scores.get(line, 0.0) + value * count / (count + REPEAT * size)
    return scores


def score_sessions(
    postings: Postings, weights: Mapping[str, float], homes: Mapping[int, int], sizes: Mapping[int, float]
) -> dict[int, float]:
    """bm25 of every session as one text. `homes` gives the session of a line, `sizes` the length of each session."""
    middle = sum(sizes.values()) / len(sizes) if sizes else 1.0
    scores: dict[int, float] = {}
    for concept, lines in postings.items():
        counts: dict[int, int] = {}
        for line, count in lines.items():
            counts[homes[line]] = counts.get(homes[line], 0) + count
        value = weights[concept] * rarity(len(counts), len(sizes)) * (SESSION_REPEAT + 1)
        for session, count in counts.items():
            share = sizes.get(session, middle) / max(middle, 1.0)
            size = 1 - SESSION_LENGTH + SESSION_LENGTH * share
            scores[session] = scores.get(session, 0.0) + value * count / (count + SESSION_REPEAT * size)
    return scores


def estimate_sizes(
    counts: Mapping[int, int], homes: Mapping[int, int], lengths: Mapping[int, int]
) -> dict[int, float]:
    """About how many terms each session has: its lines (`counts`) as long as those of it that are known."""
    known: dict[int, list[int]] = {}
    for line, session in homes.items():
        if line in lengths:
            known.setdefault(session, []).append(lengths[line])
    middle = sum(lengths.values()) / len(lengths) if lengths else 1.0
    means = {session: sum(sizes) / len(sizes) for session, sizes in known.items()}
    return {session: count * means.get(session, middle) for session, count in counts.items()}


def add_neighbours(own: Mapping[int, float], runs: Iterable[Sequence[int]]) -> dict[int, float]:
    """What every line of the runs gains from the two lines before and the two behind it.

    A run holds lines of one conversation in order. A line in several runs gets the most that one of them
    shows: near the end of a run its surroundings are cut off.
    """
    gained: dict[int, float] = {}
    for run in runs:
        for at, line in enumerate(run):
            value = 0.0
            for distance, weight in ((1, NEXT_LINE), (2, NEXT_BUT_ONE)):
                for other in (at - distance, at + distance):
                    if 0 <= other < len(run):
                        value += weight * own.get(run[other], 0.0)
            if value > gained.get(line, -1.0):
                gained[line] = value
    return gained


def bag(text: str) -> frozenset[str]:
    """The words of a line that say something, for telling repetitions."""
    words = (word.strip(_EDGES) for word in text.lower().split())
    return frozenset(word for word in words if word and word not in STOP_WORDS)


def spread(
    ranked: Sequence[tuple[int, float]], bags: Mapping[int, frozenset[str]]
) -> list[tuple[int, float]]:
    """Lines with scores, best first, those that repeat a better one put back.

    `bags` gives the words of a line; a line that has all its words from a better one loses `REPETITION`
    of the best score, one with `SAME_WORDS` of them nothing. Only the first 40 are compared.
    """
    left, rest = list(ranked[:MAX_COMPARED]), list(ranked[MAX_COMPARED:])
    scores, best = dict(left), left[0][1] if left else 0.0
    lost = dict.fromkeys(scores, 0.0)
    out: list[tuple[int, float]] = []
    while scores:
        chosen = max(scores, key=lambda line: scores[line] - lost[line])
        out.append((chosen, scores.pop(chosen) - lost[chosen]))
        for line in scores:
            share = _shared(bags.get(line, _NONE), bags.get(chosen, _NONE))
            if share > SAME_WORDS:
                lost[line] = max(lost[line], REPETITION * best * (share - SAME_WORDS) / (1 - SAME_WORDS))
    return sorted(out + rest, key=lambda item: -item[1])


def calibrate(value: float, asked: float) -> float:
    """A score from 0 to 1 that can stand beside those of records; `asked`: what all words of the question weigh."""
    if value <= 0:
        return 0.0
    share = min(1.0, value / max(2 * asked, 1e-9))
    return (1.0 - math.exp(-value / _MASS_UNIT)) * (0.45 + 0.55 * share)


def _shared(words: frozenset[str], other: frozenset[str]) -> float:
    smaller = min(len(words), len(other))
    return len(words & other) / smaller if smaller else 0.0
