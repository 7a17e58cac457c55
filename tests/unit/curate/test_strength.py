"""The curve of forgetting: recency, frequency and importance."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_hooks.curate.strength import (
    FLOOR,
    HALF_LIFE_DAYS,
    LASTING_DAYS,
    compute_strength,
    days_until_floor,
)
from tests.support.repo_files import ROOT

KINDS = st.sampled_from([*HALF_LIFE_DAYS, "user", "feedback"])
SHARES = st.floats(0.15, 1)
COUNTS = st.floats(0, 200)


@pytest.mark.parametrize(
    ("kind", "days", "expected"),
    [("fact", 0, 0.5), ("fact", 90, 0.25), ("fact", 180, 0.125), ("state", 30, 0.25), ("user", 720, 0.25)],
)
def test_unused_record_is_worth_half_after_its_half_life(kind: str, days: float, expected: float) -> None:
    assert compute_strength(kind=kind, importance=0.5, days=days) == pytest.approx(expected)


@given(KINDS, SHARES, COUNTS, COUNTS)
def test_floor_is_reached_on_the_day_that_is_named(
    kind: str, importance: float, used: float, ignored: float
) -> None:
    days = days_until_floor(kind=kind, importance=importance, used=used, ignored=ignored)
    at = compute_strength(kind=kind, importance=importance, days=days, used=used, ignored=ignored)
    assert at == pytest.approx(FLOOR)


@given(KINDS, SHARES, st.floats(0, 3_000), COUNTS)
def test_use_importance_and_recency_strengthen_and_neglect_weakens(
    kind: str, importance: float, days: float, used: float
) -> None:
    own = compute_strength(kind=kind, importance=importance, days=days, used=used)
    assert compute_strength(kind=kind, importance=importance, days=days, used=used + 1) > own
    assert compute_strength(kind=kind, importance=importance, days=days + 1, used=used) < own
    assert compute_strength(kind=kind, importance=importance * 0.9, days=days, used=used) < own
    neglected = compute_strength(kind=kind, importance=importance, days=days, used=used, ignored=used + 30)
    assert neglected <= own


def test_record_that_is_weak_from_the_start_lasts_no_day() -> None:
    assert days_until_floor(kind="fact", importance=FLOOR) == 0


def test_documented_days_are_those_of_the_curve() -> None:
    text = (ROOT / "docs" / "consolidation.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", text, re.MULTILINE)
    assert {row[0] for row in rows} == {*HALF_LIFE_DAYS, "user", "feedback"}
    for kind, half_life, *days in rows:
        assert int(half_life) == HALF_LIFE_DAYS.get(kind, LASTING_DAYS)
        found = [days_until_floor(kind=kind, importance=0.5, used=used) for used in (0, 1, 3)]
        assert [int(number) for number in days] == [round(number) for number in found]
