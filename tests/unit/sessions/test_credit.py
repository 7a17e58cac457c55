"""Verdicts on a record, added up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_hooks.recall.standing import HALF_LIFE_MS, LOWEST, OWN_CREDIT, START
from engram_hooks.sessions.credit import MISSED, PERSON_CREDIT, USEFUL, add_up
from engram_hooks.sessions.usage import CONTRADICTED, IGNORED, MOST, USED, WRONG

NOW = 1_780_000_000_000
EVENT = st.one_of(
    st.tuples(st.just(USED), st.floats(0.7, MOST)),
    st.tuples(st.just(IGNORED), st.floats(-1.2, -0.1)),
    st.tuples(st.just(WRONG), st.just(-2.0)),
)


def _events(*found: tuple[str, float]) -> list[tuple[int, str, float]]:
    return [(NOW + at, verdict, step) for at, (verdict, step) in enumerate(found)]


def test_nothing_is_the_start() -> None:
    found = add_up([], now_ms=NOW)
    assert (found.used, found.ignored, found.standing) == (0, 0, START)


@given(st.lists(EVENT, max_size=60))
def test_standing_keeps_its_bounds(found: list[tuple[str, float]]) -> None:
    assert LOWEST <= add_up(_events(*found), now_ms=NOW + 100).standing <= OWN_CREDIT + 1e-3


@given(st.lists(EVENT, max_size=30))
def test_a_few_uses_undo_any_neglect(found: list[tuple[str, float]]) -> None:
    events = _events(*found, (USED, 2.0), (USED, 2.0), (USED, 2.0))
    assert add_up(events, now_ms=NOW + 100).standing >= 0


@given(st.lists(EVENT, max_size=30))
def test_as_few_showings_in_vain_undo_any_praise(found: list[tuple[str, float]]) -> None:
    events = _events(*found, *[(IGNORED, -1.0)] * 6)
    assert add_up(events, now_ms=NOW + 100).standing <= LOWEST + OWN_CREDIT


def test_ignored_once_is_not_held_against_a_record_that_is_used() -> None:
    assert add_up(_events((USED, 2.0), (IGNORED, -1.0)), now_ms=NOW).standing > 0


def test_counts_and_standing_fade() -> None:
    later = add_up(_events((IGNORED, -1.0), (IGNORED, -1.0)), now_ms=NOW + HALF_LIFE_MS)
    at_once = add_up(_events((IGNORED, -1.0), (IGNORED, -1.0)), now_ms=NOW)
    assert at_once.ignored == pytest.approx(2)
    assert later.ignored == pytest.approx(1, abs=0.01)
    assert START - later.standing == pytest.approx((START - at_once.standing) / 2, abs=0.01)


def test_what_a_person_says_counts_at_once() -> None:
    ignored = [(IGNORED, -1.0)] * 9
    assert add_up(_events(*ignored, (USEFUL, 0.0)), now_ms=NOW).standing == PERSON_CREDIT
    assert add_up(_events((WRONG, 0.0)), now_ms=NOW).standing == START + CONTRADICTED
    assert add_up(_events((USEFUL, 0.0), (USED, 2.0)), now_ms=NOW).standing == PERSON_CREDIT


def test_what_a_user_had_to_say_brings_a_record_back() -> None:
    ignored = [(IGNORED, -1.0)] * 9
    once = add_up(_events(*ignored, (MISSED, 0.0)), now_ms=NOW)
    assert once.standing == pytest.approx(LOWEST + MOST, abs=0.01)
    assert once.used == 0
    assert add_up(_events(*ignored, (MISSED, 0.0), (MISSED, 0.0)), now_ms=NOW).standing > 0
