"""What the model reads of a repository's history in the real client, when it reads a file and when it edits one."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from engram_hooks.spawn import is_worker_running
from tests.support.claude_client import ClaudeClient, Run, seen_by_model
from tests.support.installed_engram import InstalledEngram
from tests.support.make_repo import Repo
from tests.support.messages_api import MessagesApi, Request
from tests.support.scripted_turns import Script, ToolCall, Turn

pytestmark = pytest.mark.client

PAY = "def charge(order):\n    if order.paid:\n        return None\n    return send(order, order.key)\n"
FIX = "    key = order.key or remember_key(order)\n    return send(order, key)\n"
FIXED = PAY.replace("    return send(order, order.key)\n", FIX)
SUBJECT = "fix: one idempotency key across retries (INC-2407)"
OLD, NEW = "    key = order.key or remember_key(order)", "    key = order.key"
WORKER_S = 60
BRIEF, ADVICE = "Lines 4-5 of charge carry a fix", "This changes a line that carries a fix"


@pytest.fixture
def shop(project: Path) -> Path:
    """The project, with a fix in its history."""
    repo = Repo(project, commit_count=1)
    repo.commit("feat: charge", {"pay.py": PAY})
    repo.commit(SUBJECT, {"pay.py": FIXED})
    return project


def read_file(shop: Path) -> Turn:
    return Turn("", (ToolCall("Read", {"file_path": str(shop / "pay.py")}),))


def edit_file(shop: Path) -> Turn:
    given = {"file_path": str(shop / "pay.py"), "old_string": OLD, "new_string": NEW}
    return Turn("", (ToolCall("Edit", given),))


def play(client: Path, engram: InstalledEngram, shop: Path, *turns: Turn) -> tuple[Run, list[Request]]:
    """One prompt that the model answers by these turns, all of whose hooks end well."""
    with MessagesApi(Script([*turns, "done"])) as api:
        run = ClaudeClient(client, engram.home, api.url).run(shop, "Simplify charge, please.")
        requests = api.requests
    assert run.replies == ("done",)
    for call in run.hook_calls:
        assert (call.exit_code, call.outcome, call.stderr) == (0, "success", ""), call
    return run, requests


def test_brief_comes_before_the_edit_and_the_fix_is_named_behind_it(
    each_client: Path, engram: InstalledEngram, shop: Path
) -> None:
    engram.run(shop, "index")
    _, requests = play(each_client, engram, shop, read_file(shop), edit_file(shop), read_file(shop))
    # the request that is answered by the edit is the second
    assert seen_by_model(requests, BRIEF) == [1, 2, 3]
    assert seen_by_model(requests, ADVICE) == [2, 3]
    assert NEW in (shop / "pay.py").read_text(encoding="utf-8").split("\n")


def test_session_without_an_index_is_untouched(
    each_client: Path, engram: InstalledEngram, shop: Path
) -> None:
    run, requests = play(each_client, engram, shop, read_file(shop), edit_file(shop))
    assert seen_by_model(requests, BRIEF) == seen_by_model(requests, ADVICE) == []
    assert {call.stdout for event in ("PreToolUse", "PostToolUse") for call in run.calls_of(event)} == {""}
    assert not (engram.data_dir() / "index").exists()


def test_confirm_denies_an_edit_once_and_lets_the_same_through(
    each_client: Path, engram: InstalledEngram, shop: Path
) -> None:
    engram.run(shop, "index")
    engram.run(shop, "config", "set", "preflight.mode", "confirm")
    run, requests = play(each_client, engram, shop, read_file(shop), edit_file(shop), edit_file(shop))
    assert seen_by_model(requests, "make the same edit again") == [2, 3]
    answers = [json.loads(call.stdout or "{}") for call in run.calls_of("PreToolUse")]
    decisions = [answer.get("hookSpecificOutput", {}).get("permissionDecision") for answer in answers]
    assert decisions == ["deny", None]
    assert NEW in (shop / "pay.py").read_text(encoding="utf-8").split("\n")
    assert OLD not in (shop / "pay.py").read_text(encoding="utf-8")


def test_ask_becomes_a_confirmation_where_nobody_can_be_asked(
    newest_client: Path, engram: InstalledEngram, shop: Path
) -> None:
    engram.run(shop, "index")
    engram.run(shop, "config", "set", "preflight.mode", "ask")
    _, requests = play(newest_client, engram, shop, read_file(shop), edit_file(shop), edit_file(shop))
    assert seen_by_model(requests, "make the same edit again") == [2, 3]
    assert NEW in (shop / "pay.py").read_text(encoding="utf-8").split("\n")


def test_edit_by_a_command_is_named_behind_it(
    newest_client: Path, engram: InstalledEngram, shop: Path
) -> None:
    engram.run(shop, "index")
    sed = Turn(
        "",
        (ToolCall("Bash", {"command": "sed -i 's/ or remember_key(order)//' pay.py", "description": "x"}),),
    )
    _, requests = play(newest_client, engram, shop, sed)
    assert seen_by_model(requests, "This changes a line (line 4) that carries a fix") == [1]


def test_commit_of_a_session_is_in_the_index_behind_it(
    newest_client: Path, engram: InstalledEngram, shop: Path
) -> None:
    engram.run(shop, "index")
    command = "echo 'RATE = 3' > rate.py && git add -A && git -c user.name=A -c user.email=a@b commit -qm 'feat: rate'"
    commit = Turn("", (ToolCall("Bash", {"command": command, "description": "Commit"}),))
    play(newest_client, engram, shop, commit)
    ends_at = time.monotonic() + WORKER_S
    while is_worker_running(str(engram.data_dir())):
        assert time.monotonic() < ends_at, "the worker did not end"
        time.sleep(0.1)
    assert "feat: rate" in engram.run(shop, "history", "rate.py")
