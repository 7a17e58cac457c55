"""The scripted API and the client runner: what the other client tests take for granted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.claude_client import ClaudeClient, seen_by_model
from tests.support.messages_api import MessagesApi
from tests.support.scripted_turns import Lane, Script, ToolCall, Turn

pytestmark = pytest.mark.client


def register(home: Path, **commands: str) -> None:
    """Write a settings file with one shell command an event."""
    hooks = {
        event: [{"hooks": [{"type": "command", "command": command}]}] for event, command in commands.items()
    }
    (home / ".claude" / "settings.json").write_text(json.dumps({"hooks": hooks}), encoding="utf-8")


def tap(log: Path) -> str:
    """Return a hook that keeps its payloads, one a line, and says nothing."""
    return f"cat >> '{log}'; echo >> '{log}'"


def read_payloads(log: Path) -> list[dict[str, object]]:
    """Return what a tap has kept."""
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines() if line.strip()]


def test_text_of_a_hook_is_read_by_the_model(each_client: Path, home: Path, project: Path) -> None:
    register(home, SessionStart="echo juniper")
    with MessagesApi(Script(["done"])) as api:
        run = ClaudeClient(each_client, home, api.url).run(project, "hello")
    assert (run.exit_code, run.replies) == (0, ("done",))
    assert seen_by_model(api.requests, "juniper") == [0]
    assert [call.stdout for call in run.calls_of("SessionStart")] == ["juniper\n"]


def test_text_that_no_hook_printed_is_not_read(newest_client: Path, home: Path, project: Path) -> None:
    register(home, Stop="echo juniper")
    with MessagesApi(Script(["done"])) as api:
        ClaudeClient(newest_client, home, api.url).run(project, "hello")
    assert seen_by_model(api.requests, "juniper") == []


def test_tools_run_and_their_results_come_back(newest_client: Path, home: Path, project: Path) -> None:
    listing = Turn("Looking.", (ToolCall("Bash", {"command": "echo jun''iper", "description": "look"}),))
    with MessagesApi(Script([listing, "done"])) as api:
        ClaudeClient(newest_client, home, api.url).run(project, "hello")
    assert seen_by_model(api.requests, "juniper") == [1]


def test_session_goes_on_with_its_id(newest_client: Path, home: Path, project: Path, tmp_path: Path) -> None:
    register(home, SessionStart=tap(tmp_path / "log"))
    with MessagesApi(Script(["one", "two"])) as api:
        client = ClaudeClient(newest_client, home, api.url)
        first = client.run(project, "hello")
        second = client.run(project, "hello again", resume=first.session_id)
    assert second.session_id == first.session_id
    assert [payload["source"] for payload in read_payloads(tmp_path / "log")] == ["startup", "resume"]


def test_subagent_has_a_lane_of_its_own(newest_client: Path, home: Path, project: Path) -> None:
    errand = {"prompt": "quartz: count files", "description": "count", "subagent_type": "general-purpose"}
    call = Turn("", (ToolCall("Agent", {**errand, "run_in_background": False}),))
    lanes = {"errand": Lane("quartz", ["seven files"])}
    with MessagesApi(Script([call, "done"], lanes=lanes)) as api:
        run = ClaudeClient(newest_client, home, api.url).run(project, "hello")
    assert [request.lane for request in api.requests if request.lane == "errand"] == ["errand"]
    assert seen_by_model(api.requests, "seven files") == [1]
    assert run.replies == ("done",)


def test_killed_client_runs_no_stop_hook(
    newest_client: Path, home: Path, project: Path, tmp_path: Path
) -> None:
    register(home, UserPromptSubmit=tap(tmp_path / "prompts"), Stop=tap(tmp_path / "stops"))
    with (
        MessagesApi(Script([Turn(hold=True)])) as api,
        ClaudeClient(newest_client, home, api.url).start(project) as live,
    ):
        live.send("hello")
        assert api.wait_for_requests(1)
        live.kill()
    assert [payload["prompt"] for payload in read_payloads(tmp_path / "prompts")] == ["hello"]
    assert not (tmp_path / "stops").exists()


def test_api_error_ends_the_turn(newest_client: Path, home: Path, project: Path) -> None:
    refused = Turn("no such thing", error_status=403, error_type="permission_error")
    with MessagesApi(Script([refused])) as api:
        run = ClaudeClient(newest_client, home, api.url).run(project, "hello")
    assert "no such thing" in run.replies[0]
