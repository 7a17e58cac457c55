"""Choosing answers: what held then, the later word first, each thing once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engram_hooks.curate.asking import answering
from engram_hooks.curate.asking.answering import Answer, Moment
from engram_hooks.curate.asking.finding import Found
from engram_hooks.curate.asking.reading import BEFORE, FIRST, NOW, THEN, WHY

AT = Moment(100, 100, 100)


def make(
    record_id: int, odds: float, *, held: tuple[int, int | None] = (0, None), end: int = 0, status: str = ""
) -> Found:
    """A record that held in a span, and ends its chain itself unless `end` is given."""
    begins, ends = held
    state = status or ("active" if ends is None else "superseded")
    row: tuple[Any, ...] = (
        record_id,
        "decision",
        "project",
        "",
        f"text {record_id}",
        "",
        "",
        0.5,
        1.0,
        begins,
    )
    reasons = {"matched": [f"word{record_id}"]}
    return Found((*row, 0.0, state, ends, None, 1), odds, 0.5, reasons, end or record_id, None)


# 1 was replaced by 2, and that by 3; 9 is about something else
OLDEST = make(1, 3.0, held=(10, 40), end=3)
OLDER = make(2, 0.0, held=(40, 70), end=3)
NEWEST = make(3, 1.0, held=(70, None), end=3)
OTHER = make(9, 2.0)
EVERY = [OLDEST, OLDER, NEWEST, OTHER]


def choose(tense: str, moment: Moment = AT, *, pivot: frozenset[int] = frozenset()) -> list[int]:
    """The ids of what is chosen among all."""
    chosen = answering.choose_answers(EVERY, tense=tense, moment=moment, pivot=pivot)
    return [one.found.row[0] for one in chosen]


@pytest.mark.parametrize(
    ("tense", "moment", "ids"),
    [
        pytest.param(NOW, AT, [3, 9], id="the old words find what replaced them"),
        pytest.param(THEN, Moment(50, 50, 50), [2, 9], id="what held at a moment"),
        pytest.param(THEN, Moment(20, 20, 20), [1, 9], id="what held first"),
        pytest.param(THEN, Moment(5, 5, 5), [9], id="nothing of it was known"),
        pytest.param(THEN, Moment(40, 40, 40), [2, 9], id="the moment of a change belongs to the new one"),
        pytest.param(THEN, Moment(30, 90, 60), [2, 9, 3, 1], id="of a span the middle comes first"),
        pytest.param(BEFORE, AT, [2, 1], id="what was replaced last comes first"),
        pytest.param(BEFORE, Moment(50, 50, 50), [1], id="what had been replaced by then"),
        pytest.param(FIRST, AT, [1], id="what began it"),
        pytest.param(WHY, AT, [1, 2, 3, 9], id="any of them tells why"),
    ],
)
def test_time_decides_which_of_a_chain_answers(tense: str, moment: Moment, ids: list[int]) -> None:
    assert choose(tense, moment) == ids if tense != WHY else sorted(choose(tense, moment)) == ids


def test_a_name_after_before_gives_what_it_replaced() -> None:
    pivot = answering.find_pivot(EVERY, ["word2"])
    assert pivot == {2}
    assert choose(BEFORE, pivot=pivot) == [1]
    assert answering.find_pivot(EVERY, ["word2", "word3"]) == frozenset()
    assert answering.find_pivot(EVERY, []) == frozenset()


@pytest.mark.parametrize("status", ["archived", "stale", "expired", "superseded"])
def test_what_is_not_told_does_not_hold_now(status: str) -> None:
    gone = make(5, 4.0, status=status)
    assert answering.choose_answers([gone], tense=NOW, moment=AT) == []
    assert len(answering.choose_answers([gone], tense=THEN, moment=AT)) == 1


def test_a_told_record_whose_time_is_over_does_not_hold() -> None:
    ended = make(5, 4.0, held=(0, 100), status="active")
    assert answering.choose_answers([ended], tense=NOW, moment=AT) == []
    assert len(answering.choose_answers([ended], tense=NOW, moment=Moment(99, 99, 99))) == 1


def test_of_two_near_answers_on_one_matter_the_newer_comes_first() -> None:
    old, new, far = (
        make(1, 2.0, held=(10, None)),
        make(2, 1.0, held=(20, None)),
        make(3, -6.0, held=(30, None)),
    )
    answers = [Answer(one, one.odds, 0.5) for one in (old, new, far)]
    together = answering.prefer_newest(answers, is_same_matter=lambda one, other: True)
    apart = answering.prefer_newest(answers, is_same_matter=lambda one, other: False)
    assert [one.found.row[0] for one in together] == [2, 1, 3]
    assert [one.found.row[0] for one in apart] == [1, 2, 3]


def test_what_says_the_same_comes_once() -> None:
    answers = [Answer(make(at, 0.0), 0.0, 0.5) for at in (1, 2, 3, 4)]
    kept = answering.collapse(
        answers, says_same=lambda one, other: one.row[0] % 2 == other.row[0] % 2, limit=5
    )
    assert [(one.found.row[0], one.also) for one in kept] == [(1, (3,)), (2, (4,))]
    cut = answering.collapse(answers, says_same=lambda one, other: False, limit=2)
    assert [(one.found.row[0], one.also) for one in cut] == [(1, ()), (2, ())]


def close(found: list[Found], pairs: set[tuple[int, int]]) -> list[int]:
    """What holds now of records of which some (new, old) say that others are gone."""
    linked = answering.link_named(found, names_gone=lambda new, old: (new.row[0], old.row[0]) in pairs)
    return [one.found.row[0] for one in answering.choose_answers(linked, tense=NOW, moment=AT)]


def test_what_a_later_record_says_is_gone_does_not_hold() -> None:
    old, new, other = (make(at, 3.0 - at, held=(10 * at, None)) for at in (1, 2, 3))
    assert close([old, new, other], {(2, 1)}) == [2, 3]
    assert close([old, new, other], {(2, 1), (3, 2)}) == [3]
    assert close([old, new, other], {(1, 2)}) == [1, 2, 3], "an earlier one says nothing of a later one"
    assert close([old, new, other], set()) == [1, 2, 3]


def test_what_was_closed_for_a_question_held_until_then() -> None:
    old, new = make(1, 3.0, held=(10, None)), make(2, 1.0, held=(50, None))
    linked = answering.link_named([old, new], names_gone=lambda later, earlier: True)
    then = answering.choose_answers(linked, tense=THEN, moment=Moment(30, 30, 30))
    assert [(one.found.row[0], one.found.successor) for one in then] == [(1, 2)]
    before = answering.choose_answers(linked, tense=BEFORE, moment=AT)
    assert [one.found.row[0] for one in before] == [1]


def test_a_remark_closes_and_overrules_nothing() -> None:
    old, remark = make(1, 3.0, held=(10, None)), replace(make(2, 2.0, held=(50, None)), rules=False)
    assert close([old, remark], {(2, 1)}) == [1, 2]
    answers = [Answer(one, one.odds, 0.5) for one in (old, remark)]
    kept = answering.prefer_newest(answers, is_same_matter=lambda one, other: True)
    assert [one.found.row[0] for one in kept] == [1, 2]


@pytest.mark.parametrize(
    ("chance", "odds", "branch", "ids"),
    [
        pytest.param(0.7, 1.0, "", [2, 1], id="both surely about the question"),
        pytest.param(0.5, 1.0, "", [1, 2], id="not so sure"),
        pytest.param(0.7, -1.0, "", [1, 2], id="far less likely"),
        pytest.param(0.7, 1.0, "topic", [1, 2], id="another branch"),
    ],
)
def test_close_sure_answers_need_no_other_sign(
    chance: float, odds: float, branch: str, ids: list[int]
) -> None:
    old, new = make(1, 2.0, held=(10, None)), make(2, odds, held=(20, None))
    new = replace(new, row=(*new.row[:3], branch, *new.row[4:]))
    answers = [Answer(one, one.odds, chance) for one in (old, new)]
    kept = answering.prefer_newest(answers, is_same_matter=lambda one, other: False)
    assert [one.found.row[0] for one in kept] == ids
