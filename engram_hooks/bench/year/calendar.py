"""Working days of the made-up year as dates and moments."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

FIRST_DAY = date(2025, 1, 6)  # a Monday
DAYS_A_WEEK = 5


def date_of(day: int) -> date:
    """The date of a working day, counted from 0."""
    return FIRST_DAY + timedelta(days=day // DAYS_A_WEEK * 7 + day % DAYS_A_WEEK)


def moment_of(day: int, *, hour: int = 9, minute: int = 0) -> int:
    """A time of a working day in ms UTC."""
    at = date_of(day)
    return int(datetime(at.year, at.month, at.day, hour, minute, tzinfo=UTC).timestamp() * 1000)


def name_day(day: int) -> str:
    """A working day as people write it: `14 March`."""
    at = date_of(day)
    return f"{at.day} {at:%B}"
