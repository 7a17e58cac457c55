"""Choosing the answers: each chain of successors gives what held at the time asked about, repeated things come once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from engram_hooks.curate.asking import fact_weights as w
from engram_hooks.curate.asking.finding import Found
from engram_hooks.curate.asking.reading import BEFORE, FIRST, NOW, WHY
from engram_hooks.recall.fields import AT, BRANCH, ID, SCOPE
from engram_hooks.store.record_search import NOW as TOLD
from engram_hooks.store.record_search import STATUS, VALID_TO

Alike = Callable[[Found, Found], bool]


@dataclass(frozen=True, slots=True)
class Moment:
    """The time that is asked about, in ms UTC: a span, and the moment in it that counts most."""

    start_ms: int
    end_ms: int
    middle_ms: int


@dataclass(frozen=True, slots=True)
class Answer:
    """A record that answers, its log odds and chance with what its chain adds; `also` are ids that say the same."""

    found: Found
    odds: float
    chance: float
    also: tuple[int, ...] = ()


def link_named(found: Sequence[Found], *, names_gone: Alike) -> list[Found]:
    """The same records, with those closed that a later one about the same question says are gone by name.

    Where the store has them side by side, the question brings them together: "gzip is off" is about the compression.
    """
    near = [one for one in found if one.chance >= w.FACT_NEAR and one.rules][: w.FACT_MAX_NEAR]
    ends: dict[int, Found] = {}
    for old in near:
        if old.successor is None and old.row[ID] not in ends:
            later = [
                new
                for new in near
                if new.row[AT] > old.row[AT] and new.end != old.end and names_gone(new, old)
            ]
            if later:
                ends[old.end] = min(later, key=lambda new: new.row[AT])
    return [_close(one, ends) for one in found] if ends else list(found)


def choose_answers(
    found: Sequence[Found], *, tense: str, moment: Moment, pivot: frozenset[int] = frozenset()
) -> list[Answer]:
    """One answer or more of each chain, the likeliest first.

    NOW and THEN give what held at the moment, BEFORE what was replaced last before it (or before the records in
    `pivot`), FIRST what began a chain, WHY whatever fits. A chain is as likely as the likeliest of its records: a
    question in the words of the old decision finds the new one.
    """
    if tense == WHY:
        return [Answer(one, one.odds, one.chance) for one in found]
    chains: dict[int, list[Found]] = {}
    for one in found:
        chains.setdefault(one.end, []).append(one)
    answers: list[Answer] = []
    for chain in chains.values():
        fitting = _fit(chain, tense, moment, pivot)
        best, chance = max(one.odds for one in chain), max(one.chance for one in chain)
        most = best
        for at, one in enumerate(fitting):
            odds = max(one.odds, best - w.FACT_CHAIN) if at == 0 else min(one.odds, most)
            answers.append(Answer(one, odds, max(one.chance, chance) if at == 0 else one.chance))
            most = odds
    return sorted(answers, key=lambda one: (-one.odds, -one.found.row[AT], -one.found.row[ID]))


def _fit(chain: Sequence[Found], tense: str, moment: Moment, pivot: frozenset[int]) -> list[Found]:
    """The records of a chain that answer, the later word first."""
    if tense == FIRST:
        first = min(one.row[AT] for one in chain)
        return [one for one in chain if one.row[AT] == first] if len(chain) > 1 else []
    if tense == BEFORE:
        return _fit_before(chain, moment, pivot)
    held = [one for one in chain if holds(one, moment, is_now=tense == NOW)]
    return sorted(held, key=lambda one: (not _covers(one, moment.middle_ms), -one.row[AT], -one.odds))


def _fit_before(chain: Sequence[Found], moment: Moment, pivot: frozenset[int]) -> list[Found]:
    """What the last change replaced; with a pivot what its record replaced."""
    gone = [one for one in chain if one.row[VALID_TO] is not None and one.row[VALID_TO] <= moment.end_ms]
    named = [one.row[AT] for one in chain if one.row[ID] in pivot]
    if named:
        gone = [one for one in gone if one.row[AT] < min(named) and one.row[ID] not in pivot]
    return sorted(gone, key=lambda one: (-one.row[VALID_TO], -one.row[AT], -one.odds))


def _close(one: Found, ends: Mapping[int, Found]) -> Found:
    """A record whose chain goes on with another one, if it does."""
    end, path = one.end, {one.end}
    while end in ends and ends[end].end not in path:
        end = ends[end].end
        path.add(end)
    if end == one.end:
        return one
    if one.row[ID] != one.end:
        return replace(one, end=end)
    new = ends[one.end]
    row = list(one.row)
    row[VALID_TO] = min(row[VALID_TO] or new.row[AT], new.row[AT])
    return replace(one, row=tuple(row), end=end, successor=new.row[ID])


def holds(one: Found, moment: Moment, *, is_now: bool) -> bool:
    """Whether a record is told as true now, or was true at some moment of the span."""
    begins, ends = one.row[AT], one.row[VALID_TO]
    if is_now:
        return one.row[STATUS] in TOLD and (ends is None or ends > moment.end_ms)
    return begins <= moment.end_ms and (ends is None or ends > moment.start_ms)


def find_pivot(found: Sequence[Found], terms: Iterable[str]) -> frozenset[int]:
    """The records that hold all of the words after "before ..."; none where no record does."""
    wanted = frozenset(terms)
    return frozenset(one.row[ID] for one in found if wanted and wanted <= set(one.reasons["matched"]))


def _covers(one: Found, at_ms: int) -> bool:
    ends = one.row[VALID_TO]
    return one.row[AT] <= at_ms and (ends is None or ends > at_ms)


def prefer_newest(answers: Sequence[Answer], *, is_same_matter: Alike) -> list[Answer]:
    """Of answers that are about as likely and about the same matter the newest first: the later word counts."""
    left, out = list(answers), []
    while left:
        first = left[0]
        ties = [one for one in left if one is first or _overtakes(one, first, is_same_matter)]
        ties.sort(key=lambda one: (-one.found.row[AT], -one.found.row[ID]))
        out.append(ties[0])
        left.remove(ties[0])
    return out


def is_together(one: Found, other: Found) -> bool:
    """Whether two records come from the same branch, or both from none."""
    return bool(one.row[SCOPE] == other.row[SCOPE] and one.row[BRANCH] == other.row[BRANCH])


def _overtakes(one: Answer, first: Answer, is_same_matter: Alike) -> bool:
    """Whether an answer, being newer, may come before a likelier one."""
    if not is_together(one.found, first.found) or (first.found.rules and not one.found.rules):
        return False
    behind = first.odds - one.odds
    if behind <= w.SURE_TIE and min(one.chance, first.chance) >= w.SURE:
        return True
    return behind <= w.NEAR_TIE and is_same_matter(first.found, one.found)


def collapse(answers: Sequence[Answer], *, says_same: Alike, limit: int) -> list[Answer]:
    """Each thing once, at most `limit`: an answer that says what a better one says is named in its `also`."""
    kept: list[Answer] = []
    for one in answers:
        at = next((at for at, other in enumerate(kept) if says_same(other.found, one.found)), None)
        if at is not None:
            kept[at] = replace(kept[at], also=(*kept[at].also, one.found.row[ID]))
        elif len(kept) < limit:
            kept.append(one)
    return kept
