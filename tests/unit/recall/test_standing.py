"""How much a record's use so far moves the odds that it is shown."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_hooks.recall.fields import ID, KINDS
from engram_hooks.recall.standing import (
    CHANCE,
    HALF_LIFE_MS,
    HIGHEST,
    KEPT_KINDS,
    LOWEST,
    LOWEST_KEPT,
    OWN_CREDIT,
    START,
    apply_use,
    has_chance,
    lean,
    settle,
)
from engram_hooks.store.shown import PLAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram_hooks.recall.rank import Scored

STANDINGS = st.floats(-50, 50)
KIND = st.sampled_from(KINDS)
NOW = 1_000 * HALF_LIFE_MS


def _hit(odds: float, record_id: int, *, kind: str = "fact") -> Scored:
    row = (record_id, kind, "project", "", f"note {record_id}", "", "", 0.5, 1.0, record_id, -1.0)
    return (round(1 / (1 + 2.718281828459045**-odds), 4), row, {"odds": odds, "signals": {"words": odds}})


@given(STANDINGS, KIND)
def test_what_use_adds_is_bounded(standing: float, kind: str) -> None:
    lowest = LOWEST_KEPT if kind in KEPT_KINDS else LOWEST
    assert lowest <= lean(standing, kind) <= HIGHEST


@given(STANDINGS, STANDINGS, KIND)
def test_better_standing_never_adds_less(one: float, other: float, kind: str) -> None:
    low, high = sorted((one, other))
    assert lean(low, kind) <= lean(high, kind)


@given(st.floats(0, OWN_CREDIT), KIND)
def test_credit_that_watching_gives_lifts_nothing(standing: float, kind: str) -> None:
    assert lean(standing, kind) == 0.0


def test_store_passes_over_exactly_what_changes_nothing() -> None:
    assert PLAIN == (0.0, OWN_CREDIT)
    assert PLAIN[0] <= START <= PLAIN[1]


@given(STANDINGS, st.floats(0, 1e13), st.floats(0, 1e13))
def test_standing_goes_back_to_the_start_with_time(standing: float, age: float, more: float) -> None:
    nearer, near = abs(settle(standing, age + more) - START), abs(settle(standing, age) - START)
    assert nearer <= near + 1e-9 <= abs(standing - START) + 2e-9
    assert settle(standing, -age) == standing


def test_half_of_a_standing_is_left_after_a_half_life() -> None:
    assert settle(START - 4, HALF_LIFE_MS) == pytest.approx(START - 2)


def test_ignored_record_needs_better_odds_and_falls_behind() -> None:
    scored = [_hit(1.0, 1), _hit(0.5, 2)]
    found = apply_use(scored, {1: (-2.0, NOW)}, now_ms=NOW)
    assert [row[ID] for _, row, _ in found] == [2, 1]
    assert found[1][2]["odds"] == -1.0
    assert found[1][2]["signals"] == {"words": 1.0, "use": -2.0}
    assert found[1][0] == pytest.approx(0.2689)
    assert found[0] == scored[1]


def test_record_that_was_ignored_always_is_shown_where_the_prompt_makes_it_sure() -> None:
    (found,) = apply_use([_hit(3.5, 1)], {1: (-1000.0, NOW)}, now_ms=NOW)
    assert found[0] > 0.3


@pytest.mark.parametrize("kind", sorted(KEPT_KINDS))
def test_rule_that_is_obeyed_in_silence_loses_little(kind: str) -> None:
    (found,) = apply_use([_hit(0.2, 1, kind=kind)], {1: (-4.0, NOW)}, now_ms=NOW)
    assert found[0] > 0.3


def test_what_was_held_against_a_record_fades() -> None:
    later = NOW + 4 * HALF_LIFE_MS
    assert apply_use([_hit(0.5, 1)], {1: (-4.0, NOW)}, now_ms=NOW)[0][0] < 0.3
    assert apply_use([_hit(0.5, 1)], {1: (-4.0, NOW)}, now_ms=later)[0][0] > 0.3


@pytest.mark.parametrize(
    "use",
    [
        pytest.param({}, id="nothing known"),
        pytest.param({9: (-4.0, NOW)}, id="of another record"),
        pytest.param({1: (0.0, NOW), 2: (OWN_CREDIT, NOW)}, id="within the credit"),
    ],
)
def test_nothing_changes(use: dict[int, tuple[float, int]]) -> None:
    scored = [_hit(1.0, 1), _hit(0.5, 2)]
    assert apply_use(scored, use, now_ms=NOW, session_id=5) == scored


def test_record_that_no_word_speaks_for_stays_out() -> None:
    _, row, reasons = _hit(-4.0, 1)
    scored: list[Scored] = [(0.0, row, reasons)]
    assert apply_use(scored, {1: (9.0, NOW)}, now_ms=NOW) == scored


def test_person_who_calls_a_record_useful_lifts_it() -> None:
    (found,) = apply_use([_hit(-1.2, 1)], {1: (4.0, NOW)}, now_ms=NOW)
    assert found[2]["odds"] == pytest.approx(-1.2 + HIGHEST)


@given(st.integers(1, 10**6))
def test_every_record_has_chances_before_long(record_id: int) -> None:
    sessions = [0, *(at for at in range(1, 50 * CHANCE) if has_chance(record_id, at)), 50 * CHANCE]
    assert 25 <= len(sessions) <= 90
    assert max(later - one for one, later in pairwise(sessions)) < 20 * CHANCE
    assert not has_chance(record_id, 0)


def test_chance_is_the_same_for_a_whole_session_and_says_so() -> None:
    session = next(at for at in range(1, 1_000) if has_chance(1, at))
    other = next(at for at in range(1, 1_000) if not has_chance(1, at))
    (found,) = apply_use([_hit(0.5, 1)], {1: (-4.0, NOW)}, now_ms=NOW, session_id=session)
    assert found[0] > 0.3
    assert found[2]["is_retried"]
    (found,) = apply_use([_hit(0.5, 1)], {1: (-4.0, NOW)}, now_ms=NOW, session_id=other)
    assert found[0] < 0.3
    assert "is_retried" not in found[2]
