"""How a new note stands to an earlier one: it replaces it, says the same, or has nothing to do with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engram_hooks.curate.claims import Claim, find_run
from engram_hooks.curate.claims_frames import Frame, read_frame
from engram_hooks.curate.claims_words import is_light, stem_word
from engram_hooks.curate.resolve_contrast import is_contrast, is_sibling

CHANGE, SAME, NONE = "change", "same", ""
# how alike in meaning two texts must be, apart from the value that both name
MIN_MEANING = 0.15
MIN_SAME_MEANING = 0.3

# how alike two lists of words are in meaning, from -1 to 1
Measure = Callable[[Sequence[str], Sequence[str]], float]


@dataclass(frozen=True, slots=True)
class Relation:
    """What a new text is to an old one, how sure that is (0 to 1), and why in words."""

    kind: str
    confidence: float = 0.0
    reason: str = ""


NOTHING = Relation(NONE)


def relate(
    new: Sequence[Claim], old: Sequence[Claim], measure: Measure | None = None, *, same_subject: bool = False
) -> Relation:
    """What the claims of a new text are to those of an old one.

    `measure` tells how alike in meaning words are; without it only shared words count. `same_subject` where both are
    known to be about the same.
    """
    if not new or not old or any(claim.is_rejected or claim.is_planned for claim in (*new, *old)):
        return NOTHING
    return (
        _find_named(new, old, measure, same_subject=same_subject)
        or _find_denied(new, old)
        or _find_unnamed(new, old, same_subject=same_subject)
        or _find_same(new, old, measure, same_subject=same_subject)
        or NOTHING
    )


def _find_named(
    new: Sequence[Claim], old: Sequence[Claim], measure: Measure | None, *, same_subject: bool
) -> Relation | None:
    """The new text says that something is gone which the old one asserts."""
    for claim in new:
        for region in claim.replaces:
            words = region.split()
            for other in old:
                span = find_run(words, other)
                if span is None or not other.is_asserted:
                    continue
                value = other.words[span[0] : span[1]]
                if all(is_light(word) for word in value) or not _is_specific(value, other):
                    continue
                left_out = frozenset(stem_word(word) for word in value)
                if not same_subject and is_contrast(new, old, left_out=left_out):
                    continue
                likeness = _liken(new, old, value, measure)
                if not same_subject and likeness < MIN_MEANING:
                    continue
                told = " ".join(value)
                return Relation(CHANGE, min(0.95, 0.7 + likeness / 4), f"says that {told} is no longer it")
    return None


def _liken(
    new: Sequence[Claim], old: Sequence[Claim], value: Sequence[str], measure: Measure | None
) -> float:
    """How far two texts are about the same, leaving a value out: 1 for a shared word of the subject."""
    left_out = {stem_word(word) for word in value}
    mine = frozenset().union(*(claim.subject for claim in new)) - left_out
    theirs = frozenset().union(*(claim.subject for claim in old)) - left_out
    shared = mine & theirs
    if not theirs:
        return 1.0
    if shared:
        is_apart = all(
            is_sibling(claim, other, shared) for claim in new for other in old if claim.subject & shared
        )
        return 0.0 if is_apart else 1.0
    return measure(_meaningful(new, left_out), _meaningful(old, left_out)) if measure else 0.0


def _meaningful(claims: Sequence[Claim], left_out: set[str]) -> list[str]:
    return [
        word
        for claim in claims
        for word in claim.words
        if word and word not in claim.names and not is_light(word) and stem_word(word) not in left_out
    ]


def _is_specific(value: Sequence[str], claim: Claim) -> bool:
    """Whether a value says enough to be found by: a name, or two words, and no bare unit."""
    return any(word in claim.names for word in value) or len(value) > 1 or len(value[0]) > 3


def _find_denied(new: Sequence[Claim], old: Sequence[Claim]) -> Relation | None:
    """The new text allows what the old one forbids, or the other way round."""
    for claim in new:
        for other in old:
            if claim.polarity == other.polarity or not claim.subject or not other.subject:
                continue
            extra, missing = claim.subject - other.subject, other.subject - claim.subject
            if extra or missing:
                continue
            if claim.is_news or len(claim.subject) > 1:
                told = "allows what was forbidden" if claim.polarity else "forbids what was allowed"
                return Relation(CHANGE, 0.85 if claim.is_news else 0.75, told)
    return None


def _find_unnamed(new: Sequence[Claim], old: Sequence[Claim], *, same_subject: bool) -> Relation | None:
    """Both say of the same subject what it is, and the values differ."""
    for claim in new:
        mine = read_frame(claim)
        for other in old:
            if claim.polarity != other.polarity or not other.is_asserted:
                continue
            found = _compare_frames(mine, read_frame(other), is_news=claim.is_news, same_subject=same_subject)
            if found:
                return found
    return None


def _compare_frames(mine: Frame, theirs: Frame, *, is_news: bool, same_subject: bool) -> Relation | None:
    """A change where one thing is said to be two values of one sort, one after the other."""
    if mine.family != theirs.family or (mine.amounts == theirs.amounts and mine.value == theirs.value):
        return None
    if not mine.amounts and not (mine.value - theirs.value and theirs.value - mine.value):
        return None
    if same_subject:
        return Relation(CHANGE, 0.9, "says something else of the same subject")
    both = mine.value & theirs.value
    shared = (mine.subject & theirs.subject) | (both if mine.family == "version" else frozenset())
    extra, missing = mine.subject - theirs.subject, theirs.subject - mine.subject
    if not shared or extra or (missing and not is_news) or len(missing) > len(shared):
        return None
    if not is_news and not (mine.is_definite and theirs.is_definite):
        return None
    return Relation(
        CHANGE, 0.9 if is_news and not missing else 0.75, f"says something else of {_tell(shared)}"
    )


def _tell(stems: frozenset[str]) -> str:
    return ", ".join(sorted(stems))


def _find_same(
    new: Sequence[Claim], old: Sequence[Claim], measure: Measure | None, *, same_subject: bool
) -> Relation | None:
    """Both set the same value of the same subject."""
    for claim in new:
        mine = read_frame(claim)
        if claim.replaces:
            continue
        for other in old:
            theirs = read_frame(other)
            if claim.polarity != other.polarity or not other.is_asserted or mine.amounts != theirs.amounts:
                continue
            value = _find_common(claim, other, mine, theirs)
            if value is None:
                continue
            gone = {stem_word(word) for word in value}
            subjects = mine.subject | mine.value, theirs.subject | theirs.value
            extra, missing = subjects[0] - subjects[1] - gone, subjects[1] - subjects[0] - gone
            shared = (subjects[0] & subjects[1]) - gone
            if same_subject or (shared and not extra) or not (extra or missing):
                return Relation(SAME, 0.9, "says the same")
    return None


def _find_common(claim: Claim, other: Claim, mine: Frame, theirs: Frame) -> tuple[str, ...] | None:
    """The words of the value that both claims set, () where it is an amount or both say the same, None for none."""
    if mine.amounts or mine.subject | mine.value == theirs.subject | theirs.value:
        return ()
    for frame, source, target in ((mine, claim, other), (theirs, other, claim)):
        words = [word for word in source.words if word and stem_word(word) in frame.value]
        span = find_run(words, target) if words else None
        if span and {stem_word(word) for word in target.words[span[0] : span[1]]} >= frame.value:
            return target.words[span[0] : span[1]]
    return None
