"""The status line on the real client's screen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.claude_client import ClaudeClient
from tests.support.claude_screen import ClaudeScreen
from tests.support.installed_engram import InstalledEngram
from tests.support.messages_api import MessagesApi
from tests.support.scripted_turns import Script, Turn

pytestmark = pytest.mark.client

NOTES = ("Orders live in Postgres, for relational integrity", "Retries are capped at five by the gateway")


def line_of(screen: str) -> str:
    """Return the status line on a screen, without its indentation; empty where there is none."""
    found = re.findall(r"^\s*(engram \d+ notes?.*?)(?:\s{3,}.*)?$", screen, re.MULTILINE)
    return found[-1].strip() if found else ""


@pytest.fixture
def noted(engram: InstalledEngram, project: Path) -> InstalledEngram:
    """engram with two notes in the project."""
    for note in NOTES:
        engram.run(project, "add", "-t", "decision", "-s", note)
    return engram


def test_line_goes_from_logging_to_clear_safe(
    each_client: Path, tmux: str, noted: InstalledEngram, project: Path
) -> None:
    with MessagesApi(Script([Turn("Good morning.", delay_s=5)])) as api:
        client = ClaudeClient(each_client, noted.home, api.url)
        with ClaudeScreen(client, project) as screen:
            screen.wait_until(lambda shown: line_of(shown).startswith("engram 2 notes"))
            screen.type_line("Hello!")
            screen.wait_until(lambda shown: "logging" in line_of(shown))
            screen.wait_for("Good morning.")
            ended = screen.wait_until(lambda shown: "clear-safe" in line_of(shown))
    assert line_of(ended) == "engram 2 notes · +2 logged · clear-safe"


def test_user_is_told_once_what_was_restored(
    newest_client: Path, tmux: str, noted: InstalledEngram, project: Path
) -> None:
    with MessagesApi(Script([])) as api:
        client = ClaudeClient(newest_client, noted.home, api.url)
        with ClaudeScreen(client, project) as screen:
            shown = screen.wait_for("engram: restored 2 of 2 notes")
    assert shown.count("engram: restored") == 1


def test_line_counts_what_waits_to_be_captured(
    newest_client: Path, tmux: str, noted: InstalledEngram, project: Path
) -> None:
    with MessagesApi(Script(["Noted."])) as api:
        client = ClaudeClient(newest_client, noted.home, api.url)
        with ClaudeScreen(client, project) as screen:
            screen.wait_until(lambda shown: line_of(shown).startswith("engram 2 notes"))
            screen.type_line("From now on use pnpm here, npm breaks the workspace links.")
            screen.wait_until(lambda shown: "to capture" in line_of(shown))
            ended = screen.wait_until(lambda shown: "logging" not in line_of(shown))
    assert line_of(ended) == "engram 2 notes · +2 logged · 1 to capture"
