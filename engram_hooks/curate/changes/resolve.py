"""How a new note stands to an earlier one: it replaces it, says the same, or has nothing to do with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engram_hooks.curate.changes.claims import Claim, find_run
from engram_hooks.curate.changes.frames import Frame, read_frame
from engram_hooks.curate.changes.named import MIN_MEANING, find_gone
from engram_hooks.curate.changes.subjects import Measure
from engram_hooks.curate.changes.unnamed import differ_in_value, differ_once
from engram_hooks.curate.changes.words import stem_word

# `maybe` names a value that the old text has, too, but perhaps of another subject
CHANGE, SAME, MAYBE, NONE = "change", "same", "maybe", ""


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
    if not same_subject and not any(claim.subject & other.subject for claim in new for other in old):
        return NOTHING
    value, likeness = find_gone(new, old, measure, same_subject=same_subject)
    gone = " ".join(value)
    if gone and likeness >= MIN_MEANING:
        return Relation(CHANGE, min(0.95, 0.7 + likeness / 4), f"says that {gone} is no longer it")
    return (
        _find_denied(new, old)
        or _find_unnamed(new, old, same_subject=same_subject)
        or _find_same(new, old, same_subject=same_subject)
        or (Relation(MAYBE, 0.5, f"says that {gone} is gone, perhaps elsewhere") if gone else NOTHING)
    )


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
        for other in old:
            if claim.polarity != other.polarity or not other.is_asserted or not claim.is_asserted:
                continue
            shared = differ_in_value(
                read_frame(claim),
                read_frame(other),
                is_news=claim.is_news,
                same_subject=same_subject,
                names_old=bool(claim.replaces),
            )
            if shared is not None:
                confidence = 0.9 if claim.is_news or same_subject else 0.75
                return Relation(CHANGE, confidence, f"says something else of {_tell(claim, shared)}")
            if claim.polarity and differ_once(claim, other):
                return Relation(CHANGE, 0.85, "says the same of another value")
    return None


def _tell(claim: Claim, stems: frozenset[str]) -> str:
    """The words of a claim with these stems, as they are written."""
    return (
        " ".join(dict.fromkeys(word for word in claim.words if stem_word(word) in stems))
        or "the same subject"
    )


def _find_same(new: Sequence[Claim], old: Sequence[Claim], *, same_subject: bool) -> Relation | None:
    """Both begin with the same value of the same subject."""
    claim, other = new[0], old[0]
    if any(one.replaces for one in new) or claim.polarity != other.polarity or not other.is_asserted:
        return None
    mine, theirs = read_frame(claim), read_frame(other)
    value = _find_common(claim, other, mine, theirs) if mine.amounts == theirs.amounts else None
    if value is None:
        return None
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
