"""Short ids, labels and dates of record rows."""

from __future__ import annotations

import time

import pytest

from engram_hooks.recall import fields
from engram_hooks.recall.fields import format_clock, format_day, local_year, short_id


def _moment(year: int, month: int, day: int, hour: int = 12, minute: int = 0) -> int:
    return int(time.mktime((year, month, day, hour, minute, 0, 0, 0, -1))) * 1000


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("decision", "d12"), ("incident", "n12"), ("fact", "k12"), ("architecture", "h12"), ("insight", "g12")],
)
def test_short_id_is_letter_and_number(kind: str, expected: str) -> None:
    assert short_id((12, kind, "project", None, "", "", "", 0.5, 0.5, 0)) == expected


def test_every_kind_has_one_letter_and_a_label() -> None:
    assert set(fields.LETTERS) == set(fields.KINDS) == set(fields.LABELS)
    assert len(set(fields.LETTERS.values())) == len(fields.KINDS)
    assert not {"t", "e"} & set(fields.LETTERS.values())
    assert set(fields.ALIASES.values()) <= set(fields.KINDS)


@pytest.mark.parametrize(
    ("at_ms", "year", "expected"),
    [
        pytest.param(_moment(2026, 5, 3), 2026, "3 May", id="same-year"),
        pytest.param(_moment(2024, 12, 31), 2026, "31 December 2024", id="other-year"),
        pytest.param(10**20, 2026, "", id="beyond-the-calendar"),
    ],
)
def test_day(at_ms: int, year: int, expected: str) -> None:
    assert format_day(at_ms, year) == expected


def test_clock_and_year_are_local() -> None:
    at_ms = _moment(2026, 1, 1, 0, 5)
    assert format_clock(at_ms) == "00:05"
    assert local_year(at_ms) == 2026
