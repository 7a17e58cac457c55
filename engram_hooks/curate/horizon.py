"""The last day that a sentence about an event names: until when it can matter."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

DAY_MS = 86_400_000
_JUST_OVER_DAYS = 90  # a day without a year that is longer ago is one of the next year
_MONTHS = {
    name: number
    for number, names in enumerate(
        ("jan january", "feb february", "mar march", "apr april", "may", "jun june", "jul july", "aug august",
         "sep sept september", "oct october", "nov november", "dec december"),
        1,
    )
    for name in names.split()
}  # fmt: skip
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_LIMITS = (
    r"until|till|by|before|through|due(?:\s+(?:on|by))?|ends?(?:\s+on)?|expires?(?:\s+on)?|"
    r"deadline(?:\s+is)?(?:\s+on)?:?|due:|scheduled\s+for|planned\s+for"
)
_LEAD = rf"\b(?P<lead>{_LIMITS}|on)\s+(?:the\s+)?"
_MONTH = r"(?P<month>[A-Za-z]{3,9})\.?"
_ISO = re.compile(_LEAD + r"(?P<year>\d{4})-(?P<number>\d{1,2})-(?P<day>\d{1,2})\b", re.IGNORECASE)
_DAY_FIRST = re.compile(
    _LEAD + r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?" + _MONTH + r"(?:,?\s+(?P<year>\d{4}))?\b",
    re.IGNORECASE,
)
_MONTH_FIRST = re.compile(
    _LEAD + _MONTH + r"\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(?P<year>\d{4}))?\b", re.IGNORECASE
)
_WEEKDAY = re.compile(
    rf"\b(?:{_LIMITS}|next|(?:on|this)\s+coming)\s+(?:next\s+|this\s+)?(?P<weekday>{'|'.join(_WEEKDAYS)})\b",
    re.IGNORECASE,
)
_NEAR = re.compile(
    r"\b(?:until|till|by|before|for|only)\s+(?:the\s+end\s+of\s+)?(?P<span>today|tonight|tomorrow|this\s+week|"
    r"next\s+week|this\s+sprint|this\s+month)\b",
    re.IGNORECASE,
)
# what happens on a day; of anything else a day tells since when it holds
_EVENT = re.compile(
    r"\b(?:demo|meeting|release|freeze|launch|deadline|review|call|workshop|visit|conference|interview|maintenance|"
    r"outage|cut-?over|presentation|rehearsal|audit|inspection|holiday|vacation|away|off-?site|downtime)\b",
    re.IGNORECASE,
)
_SPANS = {"today": 0, "tonight": 0, "tomorrow": 1, "this week": 6, "next week": 13, "this sprint": 20}
_REPEATED = re.compile(r"\b(?:every|each|always|weekly|daily|monthly)\b|\bon\s+\w+days\b", re.IGNORECASE)


def find_horizon(text: str, *, said_at: int) -> int | None:
    """The end (ms UTC) of the latest day that a sentence sets as its limit, or None for one that sets none.

    Only days that lay ahead when it was said (`said_at`, ms UTC) count: a date in the past tells when something
    came to hold, not when it ends. What repeats has no end.
    """
    if _REPEATED.search(text):
        return None
    said = datetime.fromtimestamp(said_at / 1000, UTC)
    dated = [found for pattern in (_ISO, _DAY_FIRST, _MONTH_FIRST) for found in pattern.finditer(text)]
    limits = [found for found in dated if found["lead"].lower() != "on" or _EVENT.search(text)]
    days = [day for day in (_date(found, said) for found in limits) if day]
    for found in _WEEKDAY.finditer(text):
        ahead = (_WEEKDAYS.index(found["weekday"].lower()) - said.weekday()) % 7
        days.append(said + timedelta(days=ahead))
    for found in _NEAR.finditer(text):
        span = " ".join(found["span"].lower().split())
        days.append(said + timedelta(days=_SPANS.get(span, 30)))
    ahead_days = [day for day in days if day.date() >= said.date()]
    if not ahead_days:
        return None
    last = max(ahead_days).replace(hour=0, minute=0, second=0, microsecond=0)
    return int(last.timestamp() * 1000) + DAY_MS


def _date(found: re.Match[str], said: datetime) -> datetime | None:
    """The day of a match; without a year the next one of that name, seen from when it was said."""
    parts = found.groupdict()
    month = int(parts["number"]) if parts.get("number") else _MONTHS.get((parts.get("month") or "").lower())
    if not month:
        return None
    try:
        if parts["year"]:
            return datetime(int(parts["year"]), month, int(parts["day"]), tzinfo=UTC)
        day = datetime(said.year, month, int(parts["day"]), tzinfo=UTC)
    except ValueError:
        return None
    return day.replace(year=said.year + 1) if said - day > timedelta(days=_JUST_OVER_DAYS) else day
