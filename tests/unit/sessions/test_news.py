"""What a user says of how a thing is from now on becomes a candidate; the state of a moment does not."""

from __future__ import annotations

import pytest

from engram_hooks.sessions.candidates import extract


def find(text: str, role: str = "user") -> list[tuple[str, str]]:
    return [(one.kind, one.summary) for one in extract([("u1", role, text, 1, "", "", "", "")])]


@pytest.mark.parametrize(
    "text",
    [
        "Card payments go through Adyen now.",
        "Idle sessions now end after 30 minutes.",
        "The primary database is Postgres now.",
        "Background jobs run on Dramatiq from now on.",
        "From now on uploads are kept in R2.",
        "Receipts are sent through Postmark as of this week.",
        "The client is compiled with Buck2 these days.",
        "Our docs are published on Read the Docs from today.",
    ],
)
def test_what_holds_from_now_on_is_a_candidate(text: str) -> None:
    assert find(text) == [("fact", text)]


@pytest.mark.parametrize(
    "text",
    [
        "The tests pass now.",
        "It works now.",
        "CI is green now.",
        "The server is up now.",
        "The page loads faster now.",
        "Now the parser fails on empty input.",
        "The branch is merged now.",
        "the error is gone now",
        "it runs on port 8080 now",
        "Is the API on port 8080 now?",
        "Please look at src/a.py now.",
        "I think the queue runs on Redis now.",
        "Maybe payments go through Adyen now.",
        "The readme says payments go through Adyen now.",
    ],
)
def test_state_of_a_moment_is_none(text: str) -> None:
    assert find(text) == []


def test_only_the_user_is_believed() -> None:
    assert find("Card payments go through Adyen now.", role="assistant") == []
