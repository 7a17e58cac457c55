"""What changes along with a file, out of the commits that changed it: votes that are shared out, and fade.

Every commit on a file gives one vote, shared among the files that changed with it: one of two files says much, one of
thirty almost nothing, and a commit on the file alone says that nothing had to follow. A vote fades with the commits
that came later, 1 / (1 + age / 8), age being their number: a file that rests forgets nothing. With T the sum of all
votes, the vote V of a companion over T + 2 is its share. This is the directed form of a decayed Ochiai coefficient,
whose other half, how often the companion changes without the file, told nothing more on nine repositories.

Names count as evidence, too: the test of a source (or the source of a test) has one more vote, another file of the
same stem half of one, and T / 20 on top in the order of the list. A companion of the same kind (source and source,
test and test) counts three quarters there: what follows a change, its tests and documents, lasts longer.

What is told unasked must hold since both files exist, and still: with shares L over the votes, and R over their
squares, of the commits since the companion is there, held = sqrt(L * R) is calibrated to the chance that it changes
along when the file changes with others: 1 / (1 + exp(-(1.2 * ln(held / (1 - held)) + 1.5))). The two numbers are a
logistic regression over 2,428 pairs of 957 later commits of nine repositories; without any one of them they are
within 1.1 to 1.3 and 1.3 to 1.7. A companion of the same kind has three quarters of these odds, as in the list: with
five repositories more, each left out once, the regression says 0.77.

It speaks for the first of the list whose chance reaches `SPEAK_AT`, where two commits changed both, and for further
ones only at `SURE_AT`: in replayed commits nine of ten of those were right, and half of the further ones below even
odds. How often a repository's own last commits would have been foretold was tried as a correction of the chance; it
did not tell how often the next ones were.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from math import exp, log, sqrt
from operator import itemgetter
from typing import Generic, NamedTuple, TypeVar

HALVED_AT = 8.0  # later commits after which a vote counts half
SILENCE = 2.0  # votes for nothing that every file begins with
NAME_VOTE = 1.0
NAME_SHARE = 0.05  # of all votes, in the order of the list
SAME_KIND = 0.75
SLOPE = 1.2
OFFSET = 1.5
SPEAK_AT = 0.44
SURE_AT = 0.6  # where further ones are told besides the first
MIN_SUPPORT = 2
MAX_KEPT = 20

Key = TypeVar("Key", bound=Hashable)


class Mate(NamedTuple, Generic[Key]):
    """What changes along with something: `score` 0 to 1 orders, `chance` is calibrated, `support` counts commits."""

    key: Key
    score: float
    support: int
    chance: float
    speaks: bool


@dataclass(slots=True)
class Tally(Generic[Key]):
    """The votes of a file's commits, newest first; `sums` are those of all votes and of their squares so far."""

    votes: dict[Key, float] = field(default_factory=dict)
    squares: dict[Key, float] = field(default_factory=dict)
    support: dict[Key, int] = field(default_factory=dict)
    sums: list[tuple[float, float]] = field(default_factory=lambda: [(0.0, 0.0)])

    @property
    def total(self) -> int:
        """How many commits voted."""
        return len(self.sums) - 1

    def add(self, companions: Collection[Key], size: int) -> None:
        """Count one more commit, older than those before: what else it changed, and how much it changed in all."""
        vote = 1.0 / (1.0 + self.total / HALVED_AT)
        long, recent = self.sums[-1]
        self.sums.append((long + vote, recent + vote * vote))
        if not companions:
            return
        share = vote / max(size - 1, len(companions))
        votes, squares, support = self.votes, self.squares, self.support
        for key in companions:
            votes[key] = votes.get(key, 0.0) + share
            squares[key] = squares.get(key, 0.0) + share * vote
            support[key] = support.get(key, 0) + 1


def rank(
    tally: Tally[Key],
    *,
    named: Mapping[Key, float],
    look_at: Callable[[Key], tuple[str, bool]],
    chances_of: Callable[[Key], int],
    limit: int = MAX_KEPT,
) -> list[Mate[Key]]:
    """The best companions in order, at most `limit`.

    `named`: what belongs to it by name -> how much of `NAME_VOTE`. `look_at`: a companion's name, by which equal ones
    are ordered, and whether it is of the same kind. `chances_of`: to how many of the newest commits it could have
    belonged, since it exists.
    """
    everything = tally.sums[-1][0]
    scale = everything + SILENCE
    if named:
        scale += NAME_VOTE + NAME_SHARE * everything
    scored: list[tuple[float, str, Key, bool]] = []
    for key in dict.fromkeys((*tally.votes, *named)):
        own = named.get(key, 0.0) * (NAME_VOTE + NAME_SHARE * everything)
        score = (tally.votes.get(key, 0.0) + own) / scale
        name, is_same_kind = look_at(key)
        scored.append((-score * SAME_KIND if is_same_kind else -score, name, key, is_same_kind))
    scored.sort(key=itemgetter(0, 1))
    found, speak_at = list[Mate[Key]](), SPEAK_AT
    for negative, _, key, is_same_kind in scored[:limit]:
        support = tally.support.get(key, 0)
        chance = 0.0
        if support >= MIN_SUPPORT:
            held = _hold(tally, key, named=named, chances=chances_of(key))
            chance = _calibrate(held, is_same_kind=is_same_kind)
        speaks = chance >= speak_at
        if speaks:
            speak_at = SURE_AT
        found.append(Mate(key, -negative, support, chance, speaks))
    return found


def tally_of(commits: Iterable[tuple[Collection[Key], int]]) -> Tally[Key]:
    """The votes of commits, newest first: what else each changed, and how much it changed in all."""
    tally: Tally[Key] = Tally()
    for companions, size in commits:
        tally.add(companions, size)
    return tally


def _hold(tally: Tally[Key], key: Key, *, named: Mapping[Key, float], chances: int) -> float:
    """How firmly a companion holds, lately and in the long run, since it exists."""
    long, recent = tally.sums[min(chances, tally.total)]
    nothing = SILENCE + (NAME_VOTE if named else 0.0)
    own = named.get(key, 0.0) * NAME_VOTE
    return sqrt((tally.votes[key] + own) / (long + nothing) * (tally.squares[key] + own) / (recent + nothing))


def _calibrate(held: float, *, is_same_kind: bool) -> float:
    held = min(max(held, 1e-6), 1 - 1e-6)
    odds = exp(SLOPE * log(held / (1.0 - held)) + OFFSET) * (SAME_KIND if is_same_kind else 1.0)
    return odds / (1.0 + odds)
