"""What a question is about, and which time it asks about."""

from __future__ import annotations

from datetime import datetime

import pytest

from engram_hooks.curate.asking.reading import BEFORE, FIRST, NOW, THEN, WHY, read_question

AT = int(datetime(2026, 11, 30, 12).timestamp() * 1000)


@pytest.mark.parametrize(
    ("text", "core"),
    [
        ("hey, which linter runs in CI?", "which linter runs in CI?"),
        ("for the changelog: who signs the images?", "who signs the images?"),
        ("before I forget: which linter runs", "which linter runs"),
        ("sorry if this was asked already, which linter runs", "which linter runs"),
        ("can you remind me which linter runs?", "which linter runs?"),
        ("I always forget, which linter runs", "which linter runs"),
        ("um which linter runs again?", "which linter runs"),
        ("which linter runs right now?", "which linter runs"),
        ("which linter runs in this repo these days?", "which linter runs"),
        ("ok so which linter runs at the moment", "which linter runs"),
    ],
)
def test_what_is_said_around_a_question_is_left_out(text: str, core: str) -> None:
    assert read_question(text, now_ms=AT).core == core


@pytest.mark.parametrize(
    "text",
    [
        "which linter runs in CI?",
        "in the gateway, which port is used?",
        "billing: which currency do we store?",
        "for EU customers, which region holds the data?",
        "ok so",
        "again",
        "hello",
        "quartz",
        "",
        "the team project",
    ],
)
def test_what_a_question_is_about_stays(text: str) -> None:
    assert read_question(text, now_ms=AT).core == text


@pytest.mark.parametrize(
    ("text", "tense", "pivot"),
    [
        ("which linter runs in CI", NOW, ""),
        ("what must run before a release?", NOW, ""),
        ("which tests run before we tag", NOW, ""),
        ("which old browsers do we support", NOW, ""),
        ("what did we use for linting before?", BEFORE, ""),
        ("which linter was it before Ruff?", BEFORE, "Ruff"),
        ("what did we lint with before we moved to Ruff", BEFORE, "Ruff"),
        ("which linter did we use previously", BEFORE, ""),
        ("where we used to keep secrets", BEFORE, ""),
        ("what was the previous linter", BEFORE, ""),
        ("which linter was it originally", FIRST, ""),
        ("what did we initially lint with", FIRST, ""),
        ("which linter did we use in May 2025", THEN, ""),
        ("which linter ran two weeks ago", THEN, ""),
        ("why did we drop Flake8", WHY, ""),
        ("what was wrong with Flake8", WHY, ""),
        ("reason for leaving Flake8?", WHY, ""),
        ("what made us leave Flake8 in May 2025", WHY, ""),
    ],
)
def test_time_that_is_asked_about(text: str, tense: str, pivot: str) -> None:
    read = read_question(text, now_ms=AT)
    assert (read.tense, read.pivot) == (tense, pivot)


def test_the_time_is_no_part_of_what_is_asked() -> None:
    read = read_question("which linter did we run around 2025-06-06?", now_ms=AT)
    assert read.core == "which linter did we run ?"
    assert read.period is not None
    assert read_question("what was the linter originally", now_ms=AT).core == "what was the linter"
