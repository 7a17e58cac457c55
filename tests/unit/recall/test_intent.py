"""What a prompt is about."""

from __future__ import annotations

import pytest

from engram_hooks.recall.route import INTENTS, find_intent


@pytest.mark.parametrize(
    ("prompt", "intent"),
    [
        ("add a column to the orders table", "change"),
        ("Please write a test for it", "change"),
        ("can you rename the folder", "change"),
        ("fix the failing upload", "change"),
        ("why did we leave Mongo?", "cause"),
        ("explain the retry loop", "cause"),
        ("which queue is for mail?", "question"),
        ("is it fine to drop the index?", "question"),
        ("why is the job stuck?", "cause"),
        ("what is left on the parser branch", "status"),
        ("which uploads are broken?", "symptom"),
        ("the upload fails with a 500", "symptom"),
        ("orders arrive twice since Monday", "symptom"),
        ("", "general"),
        ("please", "general"),
    ],
)
def test_intent(prompt: str, intent: str) -> None:
    assert find_intent(prompt) == intent
    assert intent in INTENTS
