"""Times that questions name."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from engram_hooks.curate.asking.periods import find_period

NOW = int(datetime(2026, 11, 30, 12).timestamp() * 1000)


def day(at_ms: int) -> date:
    """The local day of a moment."""
    return datetime.fromtimestamp(at_ms / 1000).date()


@pytest.mark.parametrize(
    ("text", "first", "last", "rest"),
    [
        pytest.param("what was it on 2025-06-06?", "2025-06-06", "2025-06-06", "what was it ?", id="iso"),
        pytest.param("around 2025-06 which", "2025-06-01", "2025-06-30", " which", id="iso month"),
        pytest.param("on 6 June 2025, which", "2025-06-06", "2025-06-06", ", which", id="day month year"),
        pytest.param("which on June 6th, 2025", "2025-06-06", "2025-06-06", "which ", id="month day year"),
        pytest.param("back in May 2025 which", "2025-05-01", "2025-05-31", " which", id="month and year"),
        pytest.param("which in may", "2026-05-01", "2026-05-31", "which ", id="month without year"),
        pytest.param("which in December", "2025-12-01", "2025-12-31", "which ", id="month to come"),
        pytest.param("which on March 3rd", "2026-03-03", "2026-03-03", "which ", id="day without year"),
        pytest.param("late February 2024", "2024-02-21", "2024-02-29", "", id="late in a leap month"),
        pytest.param("mid May", "2026-05-11", "2026-05-20", "", id="middle of a month"),
        pytest.param("which in Q2 2025", "2025-04-01", "2025-06-30", "which ", id="quarter"),
        pytest.param("which in 2024", "2024-01-01", "2024-12-31", "which ", id="year"),
        pytest.param("which last spring", "2026-03-01", "2026-05-31", "which ", id="last spring"),
        pytest.param("which in winter 2024", "2024-12-01", "2025-02-28", "which ", id="winter over new year"),
        pytest.param("which last month", "2026-10-01", "2026-10-31", "which ", id="last month"),
        pytest.param("which last year", "2025-01-01", "2025-12-31", "which ", id="last year"),
        pytest.param("which last week", "2026-11-23", "2026-11-29", "which ", id="last week"),
        pytest.param("which last quarter", "2026-07-01", "2026-09-30", "which ", id="last quarter"),
        pytest.param("which yesterday", "2026-11-29", "2026-11-29", "which ", id="yesterday"),
        pytest.param("which two weeks ago", "2026-11-16", "2026-11-16", "which ", id="weeks ago"),
        pytest.param("which 3 months ago", "2026-09-01", "2026-09-01", "which ", id="months ago"),
        pytest.param("before May 2025 which", "2025-04-30", "2025-04-30", " which", id="before a month"),
        pytest.param("which this in November 2026", "2026-11-01", "2026-11-30", "which this ", id="running"),
    ],
)
def test_time_is_found(text: str, first: str, last: str, rest: str) -> None:
    found = find_period(text, now_ms=NOW)
    assert found is not None
    assert (str(day(found.start_ms)), str(day(found.end_ms))) == (first, last)
    assert text[: found.at] + text[found.stop :] == rest
    assert found.start_ms <= found.middle_ms <= found.end_ms <= NOW


@pytest.mark.parametrize(
    "text",
    [
        "what may we use",
        "march on with the parser",
        "which port is 2025",
        "v2025.1",
        "node 18 or 20",
        "ticket 2025-13",
        "on 2025-02-31",
        "in 2030",
        "on 2031-01-01",
        "since May which",
        "what changed after 2025-05-01",
        "the decade ago",
        "RFC 2025-1234567",
        "",
    ],
)
def test_other_words_are_no_time(text: str) -> None:
    assert find_period(text, now_ms=NOW) is None


def test_a_month_is_told_by_its_middle_and_a_day_by_its_end() -> None:
    month, single = find_period("in May 2025", now_ms=NOW), find_period("on 6 May 2025", now_ms=NOW)
    assert month is not None
    assert single is not None
    assert str(day(month.middle_ms)) == "2025-05-16"
    assert single.middle_ms == single.end_ms


def test_days_are_those_of_the_clock_here(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    starts = []
    for zone in ("Pacific/Auckland", "America/Los_Angeles"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        found = find_period("on 6 June 2025", now_ms=NOW)
        assert found is not None
        starts.append(found.start_ms)
    monkeypatch.undo()
    time.tzset()
    assert starts[1] - starts[0] == 19 * 3_600_000
