"""What the model reads of engram in the real client: boot pack, minder, the note to the summariser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.claude_client import ClaudeClient, Run, prepare_home, seen_by_model
from tests.support.installed_engram import InstalledEngram
from tests.support.make_repo import make_repo, run_git
from tests.support.messages_api import MessagesApi, Request, read_shown_text
from tests.support.scripted_turns import Lane, Script, ToolCall, Turn

pytestmark = pytest.mark.client

OLD_DECISION = "Orders live in Postgres, for relational integrity"
NEW_DECISION = "The invoice exporter writes Parquet, because analysts load it into DuckDB"
QUESTION = "Which format does the invoice exporter write, and why?"
STATEMENT = "From now on use pnpm here, npm breaks the workspace links."
BOOT = '<engram project="shop"'
PROMPTS = ("Hello!", QUESTION, QUESTION, STATEMENT, "thanks", "/compact", "go on", "/clear", "Good morning!")
# the requests of the main lane; the third prompt takes two, /compact and /clear take none
FIRST, ASKED, ASKED_AGAIN, AFTER_COMPACTION, AFTER_CLEAR = 0, 1, 2, 6, 7


@dataclass(frozen=True, slots=True)
class Played:
    """One conversation that has everything in it."""

    run: Run
    requests: list[Request]
    project: Path

    def shown(self, index: int) -> str:
        """Return what the model read in one request of the main lane."""
        return read_shown_text([request for request in self.requests if request.lane == "main"][index])


@pytest.fixture(scope="module")
def played(each_client: Path, installed: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """Play the conversation once for each client; another terminal records a decision meanwhile."""
    folder = tmp_path_factory.mktemp("played")
    project = make_repo(folder / "shop").path
    prepare_home(folder / "home", [project])
    engram = InstalledEngram(folder / "home")
    engram.run(folder / "home", "setup")
    engram.run(project, "add", "-t", "decision", "-s", OLD_DECISION)
    look = Turn("", (ToolCall("Bash", {"command": "ls", "description": "List files"}),))
    script = Script(
        ["Hello.", "Parquet.", look, "Parquet, still.", "Noted.", "Fine.", "Going on.", "Hello again."]
    )
    with (
        MessagesApi(script) as api,
        ClaudeClient(each_client, engram.home, api.url).start(project) as live,
    ):
        for prompt in PROMPTS:
            live.ask(prompt)
            if prompt == "Hello!":
                engram.run(project, "add", "-t", "decision", "-s", NEW_DECISION)
            if prompt == "thanks":
                engram.run(project, "log")  # a command finishes what the worker has not yet done
        yield Played(live.finish(), api.requests, project)


def test_session_starts_with_the_boot_pack(played: Played) -> None:
    assert played.shown(FIRST).count(BOOT) == 1
    assert OLD_DECISION in played.shown(FIRST)


def test_boot_pack_returns_after_a_compaction(played: Played) -> None:
    assert played.shown(AFTER_COMPACTION).count(BOOT) == 1
    assert OLD_DECISION in played.shown(AFTER_COMPACTION)


def test_boot_pack_returns_after_clear(played: Played) -> None:
    assert QUESTION not in played.shown(AFTER_CLEAR), "the client has not cleared"
    assert played.shown(AFTER_CLEAR).count(BOOT) == 1
    assert OLD_DECISION in played.shown(AFTER_CLEAR)


def test_prompt_that_needs_a_record_gets_it(played: Played) -> None:
    assert NEW_DECISION not in played.shown(FIRST)
    assert NEW_DECISION in played.shown(ASKED)


def test_record_is_told_once_in_a_session(played: Played) -> None:
    assert played.shown(ASKED_AGAIN).count(NEW_DECISION) == 1


def test_trivial_prompts_get_nothing(played: Played) -> None:
    said = [call.stdout for call in played.run.calls_of("UserPromptSubmit")]
    prompts = [prompt for prompt in PROMPTS if not prompt.startswith("/")]
    assert len(said) == len(prompts)
    spoken = [prompt for prompt, stdout in zip(prompts, said, strict=True) if stdout.strip()]
    assert spoken == [QUESTION]


def test_summariser_is_asked_in_plain_text_to_keep_what_is_not_captured(played: Played) -> None:
    (request,) = [request for request in played.requests if request.lane == "summary"]
    _, mark, added = read_shown_text(request).rpartition("Additional Instructions:")
    instruction = added.partition("REMINDER:")[0].strip()
    assert mark
    assert "pnpm" in instruction
    assert not instruction.startswith("{")
    assert "hookSpecificOutput" not in instruction


def test_every_hook_ends_well_and_prints_one_document_or_nothing(played: Played) -> None:
    assert played.run.exit_code == 0
    assert len(played.run.calls_of("Stop")) == len([p for p in PROMPTS if not p.startswith("/")])
    for call in played.run.hook_calls:
        assert (call.exit_code, call.outcome, call.stderr) == (0, "success", ""), call
        assert not call.stdout.strip() or isinstance(json.loads(call.stdout), dict), call


def test_silent_events_print_nothing(played: Played) -> None:
    for event in ("Stop", "SessionEnd"):
        assert {call.stdout for call in played.run.calls_of(event)} <= {""}


def test_project_folder_is_left_alone(played: Played) -> None:
    assert run_git(played.project, "status", "--porcelain", "--ignored") == ""


def test_subagent_gets_the_rules_of_the_project(
    newest_client: Path, engram: InstalledEngram, project: Path
) -> None:
    rule = "Never write to the ledger table outside a transaction"
    engram.run(project, "add", "-t", "constraint", "-s", rule)
    errand = {"prompt": "quartz: count files", "description": "count", "subagent_type": "general-purpose"}
    call = Turn("", (ToolCall("Agent", {**errand, "run_in_background": False}),))
    script = Script([call, "done"], lanes={"errand": Lane("quartz", ["seven files"])})
    with MessagesApi(script) as api:
        run = ClaudeClient(newest_client, engram.home, api.url).run(project, "Hello!")
    assert seen_by_model(api.requests, rule, lane="errand") == [0]
    assert [call.outcome for call in run.calls_of("SubagentStart")] == ["success"]


def test_equal_state_gives_an_equal_boot_pack(
    newest_client: Path, engram: InstalledEngram, project: Path
) -> None:
    engram.run(project, "add", "-t", "decision", "-s", OLD_DECISION)
    with MessagesApi(Script(["one"])) as api:
        run = ClaudeClient(newest_client, engram.home, api.url).run(project, "/clear", "Hello!")
    documents = [json.loads(call.stdout) for call in run.calls_of("SessionStart")]
    first, second = (document["hookSpecificOutput"]["additionalContext"] for document in documents)
    assert OLD_DECISION in first
    assert first == second


def test_resumed_session_does_not_hold_the_boot_pack_twice(
    newest_client: Path, engram: InstalledEngram, project: Path
) -> None:
    engram.run(project, "add", "-t", "decision", "-s", OLD_DECISION)
    with MessagesApi(Script(["one", "two"])) as api:
        client = ClaudeClient(newest_client, engram.home, api.url)
        first = client.run(project, "Hello!")
        client.run(project, "Hello!", resume=first.session_id)
    assert read_shown_text(api.requests[-1]).count(OLD_DECISION) == 1


def test_session_without_any_record_is_not_told_stories(
    newest_client: Path, engram: InstalledEngram, project: Path
) -> None:
    with MessagesApi(Script(["one"])) as api:
        run = ClaudeClient(newest_client, engram.home, api.url).run(project, QUESTION)
    assert seen_by_model(api.requests, NEW_DECISION) == []
    assert [call.stdout for call in run.calls_of("UserPromptSubmit")] == [""]


def test_damaged_store_goes_unnoticed(newest_client: Path, engram: InstalledEngram, project: Path) -> None:
    store = engram.data_dir() / "engram.db"
    for leftover in store.parent.glob("engram.db-*"):
        leftover.unlink()
    store.write_bytes(b"this is no database\n" * 400)
    listing = Turn("", (ToolCall("Bash", {"command": "exit 3", "description": "Fail"}),))
    with MessagesApi(Script([listing, "done"])) as api:
        run = ClaudeClient(newest_client, engram.home, api.url).run(project, QUESTION)
    assert (run.exit_code, run.replies) == (0, ("done",))
    assert run.calls_of("PostToolUseFailure")
    for call in run.hook_calls:
        assert (call.exit_code, call.outcome, call.stderr, call.stdout) == (0, "success", "", ""), call


def test_uninstalled_engram_leaves_no_hook_behind(
    newest_client: Path, engram: InstalledEngram, project: Path
) -> None:
    engram.run(project, "add", "-t", "decision", "-s", OLD_DECISION)
    engram.run(engram.home, "uninstall")
    with MessagesApi(Script(["one"])) as api:
        run = ClaudeClient(newest_client, engram.home, api.url).run(project, "Hello!")
    assert run.hook_calls == ()
    assert seen_by_model(api.requests, OLD_DECISION) == []
