"""Core memory in the real client: the model knows the user from the first request on, in every project."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.claude_client import ClaudeClient, prepare_home, seen_by_model
from tests.support.installed_engram import InstalledEngram
from tests.support.messages_api import MessagesApi, read_shown_text
from tests.support.scripted_turns import Script

pytestmark = pytest.mark.client

NAME = "My name is Ana"
QUESTION = "What is my name?"


def test_name_is_known_in_the_first_request(
    each_client: Path, engram: InstalledEngram, project: Path
) -> None:
    engram.run(engram.home, "core", "add", "user", NAME)
    with MessagesApi(Script(["Ana."])) as api:
        run = ClaudeClient(each_client, engram.home, api.url).run(project, QUESTION)
    assert seen_by_model(api.requests, f"You (2% full): {NAME}")[:1] == [0]
    assert run.replies == ("Ana.",)
    (start,) = run.calls_of("SessionStart")
    assert json.loads(start.stdout)["systemMessage"].startswith("engram: restored 1 entry of core memory")


def test_name_is_known_outside_of_any_repository(
    newest_client: Path, engram: InstalledEngram, home: Path, project: Path, tmp_path: Path
) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    prepare_home(home, [project, plain])
    engram.run(plain, "core", "add", "user", NAME)
    with MessagesApi(Script(["Ana."])) as api:
        ClaudeClient(newest_client, engram.home, api.url).run(plain, QUESTION)
    assert seen_by_model(api.requests, NAME)[:1] == [0]


def test_edit_of_the_file_reaches_the_next_session_and_its_compaction(
    newest_client: Path, engram: InstalledEngram, project: Path
) -> None:
    engram.run(project, "core", "add", "user", NAME)
    file = engram.data_dir() / "core" / "USER.md"
    file.write_text(file.read_text(encoding="utf-8").replace(NAME, "My name is Eva"), encoding="utf-8")
    with (
        MessagesApi(Script(["Eva.", "Summary.", "Eva."])) as api,
        ClaudeClient(newest_client, engram.home, api.url).start(project) as live,
    ):
        for prompt in (QUESTION, "/compact", QUESTION):
            live.ask(prompt)
        live.finish()
    main = [read_shown_text(request) for request in api.requests if request.lane == "main"]
    assert "My name is Eva" in main[0]
    assert "My name is Eva" in main[-1]
    assert not any(NAME in shown for shown in main)
