"""Slips of the finger in questions."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engram_hooks.curate.asking.spelling import mend_slips

LANGUAGE = {"where", "which", "format", "table", "scales"}
RECORDS = {"deploy": 4, "gateway": 2, "migration": 7, "migrations": 3, "kestrel": 1}


def mend(text: str) -> str:
    """The text as it is mended with these words known."""

    def count(words: Sequence[str]) -> dict[str, int]:
        return {word: RECORDS[word] for word in words if word in RECORDS}

    return mend_slips(text, knows=LANGUAGE.__contains__, count=count)


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("where do we depoly to", "where do we deploy to"),
        ("which fromat", "which format"),
        ("the gatway", "the gateway"),
        ("the gatewway", "the gateway"),
        ("the gatevay", "the gateway"),
        ("a migratoin", "a migration"),
        ("migratiosn", "migrations"),
    ],
)
def test_slip_is_mended(text: str, mended: str) -> None:
    assert mend(text) == mended


@pytest.mark.parametrize(
    "text",
    [
        "where do we deploy to",
        "Depoly",
        "depoly_all",
        "src/depoly",
        "depoly.py",
        "--depoly",
        "scale",  # one letter from a word of the language alone
        "vitest",
        "gatwy",
        "",
    ],
)
def test_everything_else_stays(text: str) -> None:
    assert mend(text) == text
