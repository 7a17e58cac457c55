"""The words of a record by which its use is known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_hooks.sessions.marks import (
    MAX_MARKS,
    NAME,
    NUMBER,
    PROPER,
    SHOWS_REASON,
    WORD,
    all_marks,
    find_marks,
    holds,
    read_text,
    rejected_terms,
    subject_of,
)


@pytest.mark.parametrize(
    ("summary", "found"),
    [
        ("The parser lives in src/parse.py", {"src/parse.py": NAME, "parser": WORD, "lives": WORD}),
        ("Amounts go through toMinorUnits", {"tominorunits": NAME, "amounts": WORD}),
        ("Orders live in Postgres", {"postgres": PROPER, "orders": WORD, "live": WORD}),
        (
            "Jobs get seven attempts, 250 ms apart",
            {"7": NUMBER, "250": NUMBER, "jobs": WORD, "attempts": WORD, "apart": WORD},
        ),
        ("It is what it is", {}),
        ("Run the tests again", {}),
    ],
)
def test_marks_of_a_summary(summary: str, found: dict[str, str]) -> None:
    assert {
        mark.key: mark.sort for mark in all_marks(summary) if mark.key not in ("go", "ms", "get")
    } == found


def test_what_the_prompt_says_is_no_mark() -> None:
    assert [
        mark.key for mark in find_marks("Order retries use RetryBudget", read_text("the orders' retry"))
    ] == ["retrybudget"]
    assert find_marks("Order retries use RetryBudget", read_text("order retries with RetryBudget?")) == []


@pytest.mark.parametrize(
    ("text", "against"),
    [
        ("Use pnpm, not npm", {"npm"}),
        ("Postgres over Mongo", {"mongo"}),
        ("dates as UTC instead of local", {"local"}),
        ("never moment.js", {"moment.js"}),
        ("a retry over a slow line", set()),
        ("Use pnpm everywhere", set()),
    ],
)
def test_what_a_summary_speaks_against(text: str, against: set[str]) -> None:
    assert rejected_terms(text) == against


def test_reason_of_a_record_is_expected_less() -> None:
    shows = {
        mark.key: mark.shows
        for mark in all_marks("Icons come from our sprite, because fontawesome bloats bundles")
    }
    assert shows["fontawesome"] == shows["bundles"] == SHOWS_REASON
    assert shows["sprite"] > SHOWS_REASON
    short = {mark.key: mark.shows for mark in all_marks("Package manager: pnpm")}
    assert short["pnpm"] > SHOWS_REASON


@pytest.mark.parametrize(
    ("summary", "key", "text", "is_held"),
    [
        ("Parts are 30,000 bytes", "30000", "part = 30_000  # bytes", True),
        ("Retries are capped at five", "5", "max_retries = 5", True),
        ("Retries are capped at five", "5", "port = 5", False),
        ("Bookings collide", "collide", "two colliding bookings", True),
        ("Bookings collide", "collide", "two bookings", False),
        ("Uses the read-model", "read-model", "a read model of it", True),
        ("Lives in db/changes", "db/changes", "/home/ana/shop/db/changes/42.sql", True),
        ("Lives in db/changes", "db/changes", "db and changes", False),
    ],
)
def test_text_holds_a_mark(summary: str, key: str, text: str, *, is_held: bool) -> None:
    mark = next(mark for mark in all_marks(summary) if mark.key == key)
    assert holds(read_text(text), mark, subject=subject_of(summary)) is is_held


def test_name_behind_many_words_is_not_lost() -> None:
    words = "gulls terns auks plovers knots godwits avocets dunlins skuas petrels herons wagtails pipits larks swifts"
    assert all_marks(f"Birds: {words}, drawn by bird_brush")[0].key == "bird_brush"


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    marks = all_marks(text)
    assert len(marks) <= MAX_MARKS
    assert all(mark.key and 0 < mark.shows < 1 for mark in marks)
    assert all(mark.sort == NUMBER for mark in find_marks(text, read_text(text)))
