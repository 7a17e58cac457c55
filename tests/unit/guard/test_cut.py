"""Long texts are cut only after their secrets are gone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_hooks.guard.cut import WHOLE_CHARS, shorten

SECRET = "ghp_" + "a1B2c3D4e5" * 4


@given(st.text(max_size=400), st.integers(60, 300))
def test_result_is_bounded(text: str, max_chars: int) -> None:
    assert len(shorten(text, max_chars)) <= max(
        max_chars, len(shorten(text, 10_000)) if len(text) <= max_chars else 0
    )


def test_short_text_stays_whole() -> None:
    assert shorten("all of it", 60) == "all of it"


@pytest.mark.parametrize("length", [2_000, WHOLE_CHARS, 3 * WHOLE_CHARS])
def test_both_ends_stay(length: int) -> None:
    found = shorten("FIRST " + "word " * (length // 5) + "LAST", 500)
    assert found.startswith("FIRST word")
    assert found.endswith("word LAST")
    assert len(found) <= 500
    assert "cut" in found


@pytest.mark.parametrize("length", [2_000, 3 * WHOLE_CHARS])
@pytest.mark.parametrize("at", range(280, 360, 10))
def test_no_part_of_a_secret_survives_a_cut_through_it(length: int, at: int) -> None:
    for text in ("x" * at + " " + SECRET + " " + "y " * length, "y " * length + SECRET + " " + "x" * at):
        found = shorten(text, 500)
        assert not any(SECRET[i : i + 12] in found for i in range(len(SECRET) - 12))


def test_secret_shortened_away_leaves_no_cut_mark() -> None:
    assert shorten(f"use {SECRET}", 60) == "use [redacted]"


def test_one_endless_word_is_cut_too() -> None:
    assert len(shorten("x" * 10 * WHOLE_CHARS, 500)) <= 500
