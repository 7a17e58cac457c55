"""What the real client's turns made of the notes beside their prompts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.claude_client import ClaudeClient, seen_by_model
from tests.support.installed_engram import InstalledEngram
from tests.support.messages_api import MessagesApi
from tests.support.scripted_turns import Script, ToolCall, Turn

pytestmark = pytest.mark.client

USED = "Checkout retries are capped at 5 by RetryBudget"
IGNORED = "Parcel labels were gone through in the quarterly roadmap meeting"


def write(path: Path, content: str) -> Turn:
    """A turn in which the model writes a file."""
    return Turn("", (ToolCall("Write", {"file_path": str(path), "content": content}),))


def test_verdicts_come_out_of_the_client_s_own_turns(
    newest_client: Path, engram: InstalledEngram, project: Path
) -> None:
    engram.run(project, "config", "set", "boot.max_chars", "0")  # so that the minder has something to say
    for text in (USED, IGNORED):
        engram.run(project, "add", "-t", "fact", "-s", text)
    turns: list[Turn | str] = [
        write(project / "charge.py", "budget = RetryBudget(5)\n"),
        "The loop ends now.",
        write(project / "labels.py", "SIZE = 'A6'\n"),
        "They are small now.",
    ]
    with MessagesApi(Script(turns)) as api:
        client = ClaudeClient(newest_client, engram.home, api.url)
        run = client.run(
            project, "the checkout retries never stop, cap them", "make the parcel labels smaller"
        )
    assert seen_by_model(api.requests, "RetryBudget")
    assert seen_by_model(api.requests, "roadmap")
    shown = json.loads(engram.run(project, "shown", "--session", run.session_id, "--json"))["shown"]
    assert {item["summary"]: item["verdict"] for item in shown} == {USED: "used", IGNORED: "ignored"}
    figures = json.loads(engram.run(project, "stats", "--json"))
    assert (figures["use"]["minder"]["used"], figures["turns"], figures["silent"]) == (1, 2, 0)
