"""Dates as people write them, as moments in ms UTC."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from engram_hooks.errors import UsageError

_DAY_MS = 86_400_000


def parse_moment(value: object, *, is_end: bool = False) -> int:
    """The moment of an ISO date or time, of `today` or `yesterday`, a `datetime`, a `date`, a number of ms.

    A time without zone and a date are local; a date means its start, with `is_end` its end. Raises
    `UsageError` for anything else.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, datetime):
        return _to_ms(value)
    if isinstance(value, date):
        return _day(value, is_end=is_end)
    if isinstance(value, str):
        return _parse_text(value.strip(), is_end=is_end)
    raise UsageError(f"{type(value).__name__} is no date")


def _parse_text(text: str, *, is_end: bool) -> int:
    named = {"today": 0, "yesterday": 1}.get(text.lower())
    try:
        if named is not None:
            return _day(datetime.now().astimezone().date() - timedelta(days=named), is_end=is_end)
        if len(text) <= 10:
            return _day(date.fromisoformat(text), is_end=is_end)
        return _to_ms(datetime.fromisoformat(text))
    except (ValueError, OverflowError, OSError):
        raise UsageError(
            f"{text[:40]!r} is no date", hint="write it as 2025-05-31 or 2025-05-31T18:40"
        ) from None


def _day(day: date, *, is_end: bool) -> int:
    start = _to_ms(datetime(day.year, day.month, day.day).astimezone())
    return start + _DAY_MS - 1 if is_end else start


def _to_ms(moment: datetime) -> int:
    aware = moment if moment.tzinfo else moment.astimezone()
    return int((aware - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(milliseconds=1))
