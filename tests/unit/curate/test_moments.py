"""Dates as people write them."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from engram_hooks.curate.moments import parse_moment
from engram_hooks.errors import UsageError

MAY_3_MS = 1_746_230_400_000


@pytest.mark.parametrize(
    "value",
    [
        MAY_3_MS,
        "2025-05-03T00:00:00Z",
        "2025-05-03T02:00:00+02:00",
        " 2025-05-03 00:00:00+00:00 ",
        datetime(2025, 5, 3, tzinfo=UTC),
    ],
)
def test_moment_is_in_ms(value: object) -> None:
    assert parse_moment(value) == MAY_3_MS


@pytest.mark.parametrize("value", ["2025-05-03", date(2025, 5, 3), "20250503"])
def test_a_day_is_local_and_has_an_end(value: object) -> None:
    start = int(datetime(2025, 5, 3).astimezone().timestamp() * 1000)
    assert parse_moment(value) == start
    assert parse_moment(value, is_end=True) == start + 86_399_999


def test_named_days_are_a_day_apart() -> None:
    assert 82_000_000 < parse_moment("today") - parse_moment("Yesterday") < 91_000_000


@pytest.mark.parametrize(
    "value", ["", "soon", "2025-13-01", "2025-05-03T99:00", "now", None, True, 1.5, "١٢"]
)
def test_anything_else_is_refused(value: object) -> None:
    with pytest.raises(UsageError, match="no date"):
        parse_moment(value)
