"""Which answers correct something, and whether they speak for a record or against it."""

from __future__ import annotations

import pytest

from engram_hooks.sessions.corrections import AGAINST, FOR, OTHER, is_correction, judge_answer


@pytest.mark.parametrize(
    "answer",
    [
        "no, we use Valkey",
        "No! The other way round.",
        "nope, that went away",
        "wrong, it is the second one",
        "that's not right, it is in UTC",
        "That is outdated.",
        "actually, we moved to fly.io",
        "we don't deploy on Fridays",
        "we switched to Bun last year",
        "don't use Redis for this",
        "I said pnpm",
        "not Postgres, MySQL",
        "nein, wir nehmen pnpm",
    ],
)
def test_correction(answer: str) -> None:
    assert is_correction(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "no need to wait",
        "no problem, go on",
        "no worries",
        "No tests for this one, please",
        "no errors now, great",
        "not sure, what do you think?",
        "now use Valkey",
        "nothing to add",
        "note that we use Valkey",
        "thanks! next the header",
        "stop the server and start it again",
        "is that not right?",
        "no idea why, can you look?",
        "don't use Redis?",
        "We use Valkey here. " * 60,
        "",
    ],
)
def test_no_correction(answer: str) -> None:
    assert not is_correction(answer)


@pytest.mark.parametrize(
    ("summary", "answer", "was_used", "heard"),
    [
        ("Sessions are kept in Redis", "no, we don't use Redis any more", True, AGAINST),
        ("Sessions are kept in Redis", "no, we don't use Redis any more", False, AGAINST),
        ("Sessions are kept in Redis", "no, sessions are in Valkey", True, AGAINST),
        ("Sessions are kept in Redis", "no, it's Valkey", True, AGAINST),
        ("Sessions are kept in Redis", "that is outdated, Redis is gone", False, AGAINST),
        ("Use pnpm, not npm", "no, we use npm now", True, AGAINST),
        ("Use pnpm, not npm", "no, use pnpm", False, FOR),
        ("Use pnpm, not npm", "no, not npm", False, FOR),
        ("Sessions are kept in Redis", "no, put it in Redis", False, FOR),
        ("The gateway timeout is 30 seconds", "no, the timeout must be 30", False, FOR),
        ("Sessions are kept in Redis", "no, it's Valkey", False, OTHER),
        (
            "Sessions are kept in Redis",
            "no, make the button blue, and while you are at it the header too",
            True,
            OTHER,
        ),
        ("Sessions are kept in Redis", "now put it in Redis", False, OTHER),
        ("Sessions are kept in Redis", "we don't use Redis any more?", True, OTHER),
    ],
)
def test_answer_on_a_record(summary: str, answer: str, was_used: bool, heard: str) -> None:
    assert judge_answer(summary, answer, was_used=was_used) == heard
