"""The time that a question names, as a span of ms UTC: `on 6 June 2025`, `in May`, `last spring`, `two weeks ago`."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

_MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october"]
_MONTHS += ["november", "december"]
_MONTH = "(?P<month>" + "|".join(f"{name}|{name[:3]}" for name in _MONTHS) + "|sept)"
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "couple of": 2}
_DAYS = {"day": 1, "week": 7, "month": 30, "quarter": 91, "year": 365}
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_WORDS = (
    r"(?:\b(?:(?P<not_yet>before|until|till|prior to)|(?P<onward>since|after|from)"
    r"|back|as of|around|about|at|on|in|by|during|of|last|the end of)\s+(?:the\s+)?)"
)
_LEAD, _LEADS = f"{_WORDS}*", f"{_WORDS}+"


@dataclass(frozen=True, slots=True)
class Period:
    """A span of time, both ends included, and where in the text it is named."""

    start_ms: int
    end_ms: int
    at: int
    stop: int

    @property
    def middle_ms(self) -> int:
        """What held in the middle of a span is what held in it; of a day its end counts."""
        is_day = self.end_ms - self.start_ms <= 90_000_000
        return self.end_ms if is_day else (self.start_ms + self.end_ms) // 2


def find_period(text: str, *, now_ms: int) -> Period | None:
    """The first time that a text names and that has begun; days are those of this machine's clock.

    `before May` is the moment before it. None where there is none, or where the text asks for what came since.
    """
    today = datetime.fromtimestamp(now_ms / 1000).date()
    for pattern, read in _PATTERNS:
        for match in pattern.finditer(text.lower()):
            found = _place(match, read, today)
            if found and found[0] <= now_ms:
                return Period(found[0], min(found[1], now_ms), match.start(), match.end())
    return None


def _place(match: re.Match[str], read: _Reader, today: date) -> tuple[int, int] | None:
    if match.group("onward"):
        return None
    try:
        first, last = read(match, today)
        start, end = _to_ms(first), _to_ms(last + timedelta(days=1)) - 1
    except (ValueError, OverflowError, OSError):
        return None
    return (start - 1, start - 1) if match.group("not_yet") else (start, end)


def _to_ms(day: date) -> int:
    moment = datetime(day.year, day.month, day.day).astimezone()
    return int((moment - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(milliseconds=1))


def _read_iso(match: re.Match[str], today: date) -> tuple[date, date]:
    year, month = int(match["year"]), int(match["number"])
    if match["day"]:
        day = date(year, month, int(match["day"]))
        return day, day
    return _month(year, month)


def _read_named(match: re.Match[str], today: date) -> tuple[date, date]:
    """A month by its name, with or without a day or a year; without a year the last one that has begun."""
    month = next(at for at, name in enumerate(_MONTHS, 1) if name.startswith(match["month"][:3]))
    number = match.groupdict().get("day")
    year = match.groupdict().get("year")
    first = date(int(year or today.year), month, int(number or 1))
    if not year and first > today:
        first = date(today.year - 1, month, first.day)
    if number:
        return first, first
    start, end = _month(first.year, month)
    part = match.groupdict().get("part")
    third = {"early": (1, 10), "mid": (11, 20), "late": (21, end.day)}.get(part or "")
    return (start.replace(day=third[0]), start.replace(day=third[1])) if third else (start, end)


def _read_quarter(match: re.Match[str], today: date) -> tuple[date, date]:
    month = 3 * int(match["number"]) - 2
    year = int(match["year"] or today.year)
    if not match["year"] and date(year, month, 1) > today:
        year -= 1
    return date(year, month, 1), _month(year, month + 2)[1]


def _read_year(match: re.Match[str], today: date) -> tuple[date, date]:
    return date(int(match["year"]), 1, 1), date(int(match["year"]), 12, 31)


def _read_season(match: re.Match[str], today: date) -> tuple[date, date]:
    """Three months; without a year the last such season that is over or has begun."""
    month = _SEASONS[match["season"]]
    year = int(match["year"] or today.year)
    if not match["year"] and date(year, month, 1) > today:
        year -= 1
    end = _month(year + (month == 12), (month + 1) % 12 + 1)[1]
    return date(year, month, 1), end


def _read_last(match: re.Match[str], today: date) -> tuple[date, date]:
    unit = match["unit"]
    if unit == "week":
        start = today - timedelta(days=today.weekday() + 7)
        return start, start + timedelta(days=6)
    if unit == "month":
        last = today.replace(day=1) - timedelta(days=1)
        return last.replace(day=1), last
    if unit == "quarter":
        last = date(today.year, (today.month - 1) // 3 * 3 + 1, 1) - timedelta(days=1)
        return date(last.year, last.month - 2, 1), last
    return date(today.year - 1, 1, 1), date(today.year - 1, 12, 31)


def _read_ago(match: re.Match[str], today: date) -> tuple[date, date]:
    if match["named"]:
        day = today - timedelta(days=1)
    else:
        count = _NUMBERS.get(match["count"]) or int(match["count"])
        day = today - timedelta(days=count * _DAYS[match["unit"]])
    return day, day


def _month(year: int, month: int) -> tuple[date, date]:
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


_Reader = Callable[["re.Match[str]", date], tuple[date, date]]
_PART = r"(?:(?P<part>early|mid|late)[\s-]+)"
_OR_YEAR = rf"(?:,?\s+(?:of\s+)?{_YEAR}\b)?"
_SEASON = rf"(?P<season>{'|'.join(_SEASONS)})\b"
_COUNT = rf"(?P<count>\d{{1,3}}|{'|'.join(_NUMBERS)})"
_AGO = rf"{_COUNT}\s+(?P<unit>day|week|month|quarter|year)s?\s+ago"
_PATTERNS: list[tuple[re.Pattern[str], _Reader]] = [
    (re.compile(pattern), read)
    for pattern, read in (
        (rf"{_LEAD}\b{_YEAR}-(?P<number>\d\d)(?:-(?P<day>\d\d))?(?:t\d\d:\d\d)?\b(?![-\d])", _read_iso),
        (rf"{_LEAD}\b{_DAY}\s+(?:of\s+)?{_MONTH}\b{_OR_YEAR}", _read_named),
        (rf"{_LEAD}\b{_MONTH}\s+{_DAY}\b(?![:.]\d){_OR_YEAR}", _read_named),
        (rf"{_LEAD}\b{_PART}?{_MONTH},?\s+(?:of\s+)?{_YEAR}\b", _read_named),
        (rf"{_LEAD}\b{_PART}{_MONTH}\b", _read_named),
        (rf"{_LEADS}{_MONTH}\b", _read_named),
        (rf"{_LEAD}\bq(?P<number>[1-4])\b{_OR_YEAR}", _read_quarter),
        (rf"{_LEADS}{_SEASON}{_OR_YEAR}", _read_season),
        (rf"{_LEADS}{_PART}?{_YEAR}\b(?!-)", _read_year),
        (rf"{_LEAD}\blast\s+(?P<unit>week|month|quarter|year)\b", _read_last),
        (rf"{_LEAD}\b(?:(?P<named>yesterday)|{_AGO})\b", _read_ago),
    )
]
