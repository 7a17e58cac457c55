"""Answering a question of fact from the records: read it, find what may answer, choose what held then."""

from __future__ import annotations

from collections.abc import Callable
from sqlite3 import Connection

from engram_hooks.curate import backfill
from engram_hooks.curate.asking import answering, finding
from engram_hooks.curate.asking import fact_weights as w
from engram_hooks.curate.asking.answering import Answer, Moment
from engram_hooks.curate.asking.finding import Found
from engram_hooks.curate.asking.meaning import Meaning
from engram_hooks.curate.asking.question import Question
from engram_hooks.curate.asking.reading import BEFORE, FIRST, NOW, THEN, Reading, read_question
from engram_hooks.curate.changes.claims import read_claims
from engram_hooks.curate.changes.likeness import open_measure
from engram_hooks.curate.changes.matters import ONE_MATTER, weigh_matter
from engram_hooks.curate.changes.named import find_gone
from engram_hooks.curate.changes.subjects import Measure
from engram_hooks.recall.fields import DETAIL, KIND, SUMMARY, TAGS
from engram_hooks.store.tombstones import normalise
from engram_hooks.terms import query_terms

# so many of the likeliest are compared with each other
MIN_TOLD = 20


def find_answers(db: Connection, question: Question) -> list[Answer]:
    """At most `k` answers, best first: each thing once, none where nothing is near enough to the question."""
    read = read_question(question.text, now_ms=question.now_ms)
    moment = _find_moment(question, read)
    found = answering.link_named(finding.find_records(db, question, read), names_gone=names_gone)
    tense = THEN if read.tense == NOW and moment.end_ms != question.now_ms else read.tense
    pivot = answering.find_pivot(found, query_terms(read.pivot)) if read.pivot else frozenset()
    answers = answering.choose_answers(found, tense=tense, moment=moment, pivot=pivot)
    told = _speak(answers)
    if not told and tense in (BEFORE, FIRST):  # nothing was ever replaced: what there is answers
        told = _speak(answering.choose_answers(found, tense=NOW, moment=moment))
    told = told[: max(MIN_TOLD, 2 * question.k)]
    with Meaning(db, question.data, question.environ) as meaning, open_measure(question.environ) as measure:

        def is_near(one: Found, other: Found, least: float) -> bool:
            likeness = meaning.compare(_text_of(one), _text_of(other))
            return likeness is None or likeness >= least

        def is_same_matter(one: Found, other: Found) -> bool:
            return is_near(one, other, w.SAME_MATTER) or is_one_matter(one, other, measure)

        if tense in (NOW, THEN):
            told = answering.prefer_newest(told, is_same_matter=is_same_matter)
        return answering.collapse(
            told, says_same=lambda one, other: says_same(one, other, is_near), limit=question.k
        )


def is_one_matter(one: Found, other: Found, measure: Measure | None) -> bool:
    """Whether two records seem to set one thing to two values, so that the later one counts."""
    if measure is None:
        return False
    mine, theirs = (read_claims(row[SUMMARY], row[KIND]) for row in (one.row, other.row))
    return weigh_matter(mine, theirs, measure) >= ONE_MATTER


def names_gone(new: Found, old: Found) -> bool:
    """Whether a later record says by name that what an earlier one sets is gone."""
    if not answering.is_together(new, old):
        return False
    mine, theirs = (read_claims(row[SUMMARY], row[KIND]) for row in (new.row, old.row))
    return bool(find_gone(mine, theirs, None, same_subject=True)[0])


def says_same(one: Found, other: Found, is_near: Callable[[Found, Found, float], bool]) -> bool:
    """Whether two records that answer a question give the same answer: the same words, or the same value for it."""
    if normalise(one.row[SUMMARY]) == normalise(other.row[SUMMARY]):
        return True
    common = _values_of(one) & _values_of(other)
    if not common:
        return False
    # a number alone says little: two timeouts of 30 seconds are two things
    has_name = any(not value[:1].isdigit() for value in common)
    return is_near(one, other, w.SAME_ANSWER if has_name else w.SAME_MATTER)


def _values_of(one: Found) -> set[str]:
    """What a record says that a thing is."""
    claims = read_claims(one.row[SUMMARY], one.row[KIND])
    return {
        claim.value
        for claim in claims
        if claim.value
        and claim.polarity
        and claim.is_asserted
        and not (claim.is_rejected or claim.is_planned)
    }


def _find_moment(question: Question, read: Reading) -> Moment:
    """The time asked about: the date that was given apart, the one in the question, or now."""
    if question.as_of_ms is not None:
        return Moment(question.as_of_ms, question.as_of_ms, question.as_of_ms)
    if read.period:
        return Moment(read.period.start_ms, read.period.end_ms, read.period.middle_ms)
    return Moment(question.now_ms, question.now_ms, question.now_ms)


def _speak(answers: list[Answer]) -> list[Answer]:
    """Those that are near enough to the question to be told, none where not even one surely is."""
    if max((one.chance for one in answers), default=0.0) < w.FACT_FLOOR:
        return []
    return [one for one in answers if one.chance >= w.FACT_NEXT_FLOOR]


def _text_of(one: Found) -> str:
    return backfill.text_of(one.row[SUMMARY], one.row[TAGS], one.row[DETAIL])
