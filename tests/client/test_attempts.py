"""What the real client's model reads of an approach that an earlier session tried and took back."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from engram_hooks.spawn import is_worker_running
from tests.support.claude_client import ClaudeClient, Run, prepare_home, seen_by_model
from tests.support.installed_engram import InstalledEngram
from tests.support.make_repo import Repo, make_repo
from tests.support.messages_api import MessagesApi, Request
from tests.support.scripted_turns import Script, ToolCall, Turn

pytestmark = pytest.mark.client

OLD = "    return min(base * 2 ** attempt, 30)"
BAD = "    return base * fib_growth(attempt)"
SOURCE = f"def fib_growth(n):\n    return n\n\n\ndef backoff(base, attempt):\n{OLD}\n"
TEST = (
    "import unittest\n\nfrom backoff import backoff\n\n\nclass Growth(unittest.TestCase):\n"
    "    def test_cap(self):\n        self.assertEqual(backoff(1, 9), 30)\n"
)
CHECK = "python3 -m unittest -q test_backoff"
TRIED, HELD = "Tried and given up", "make the same edit again"
WORKER_S = 60


@pytest.fixture
def shop(project: Path) -> Path:
    """The project, with a function and a test of it."""
    files = {"backoff.py": SOURCE, "test_backoff.py": TEST, ".gitignore": "__pycache__/\n"}
    Repo(project, commit_count=1).commit("feat: backoff", files)
    return project


def bash(command: str) -> Turn:
    return Turn("", (ToolCall("Bash", {"command": command, "description": "Run it"}),))


def read(shop: Path, name: str = "backoff.py") -> Turn:
    return Turn("", (ToolCall("Read", {"file_path": str(shop / name)}),))


def edit(shop: Path, old: str, new: str, name: str = "backoff.py") -> Turn:
    given = {"file_path": str(shop / name), "old_string": old, "new_string": new}
    return Turn("", (ToolCall("Edit", given),))


def play(client: Path, engram: InstalledEngram, shop: Path, *turns: Turn) -> tuple[Run, list[Request]]:
    """One session of one prompt that the model answers by these turns; what the worker then does is done."""
    with MessagesApi(Script([*turns, "done"])) as api:
        run = ClaudeClient(client, engram.home, api.url).run(shop, "Let the waiting times grow, please.")
        requests = api.requests
    assert run.replies == ("done",)
    for call in run.hook_calls:
        assert (call.exit_code, call.outcome, call.stderr) == (0, "success", ""), call
    ends_at = time.monotonic() + WORKER_S
    while is_worker_running(str(engram.data_dir())):
        assert time.monotonic() < ends_at, "the worker did not end"
        time.sleep(0.1)
    return run, requests


def said(run: Run, event: str, key: str) -> list[str | None]:
    """What the answers to an event hold under a key, None where nothing."""
    answers = [json.loads(call.stdout or "{}") for call in run.calls_of(event)]
    return [answer.get("hookSpecificOutput", {}).get(key) for answer in answers]


def test_approach_that_was_taken_back_is_told_and_its_repeat_held_up_once(
    each_client: Path, engram: InstalledEngram, shop: Path, tmp_path: Path
) -> None:
    first, requests = play(
        each_client, engram, shop, read(shop), edit(shop, OLD, BAD), bash(CHECK), bash("git checkout .")
    )
    assert first.calls_of("PostToolUseFailure"), "the check did not fail"
    assert seen_by_model(requests, TRIED) == []
    assert OLD in (shop / "backoff.py").read_text(encoding="utf-8")

    again = edit(shop, OLD, BAD)
    second, requests = play(each_client, engram, shop, read(shop), again, again)
    assert second.session_id != first.session_id
    assert seen_by_model(requests, TRIED) == [0, 1, 2, 3]
    (start,) = said(second, "SessionStart", "additionalContext")
    assert "fib_growth" in (start or "")
    brief = said(second, "PostToolUse", "additionalContext")[0]
    assert TRIED in (brief or "")
    assert "fib_growth" in (brief or "")
    assert said(second, "PreToolUse", "permissionDecision") == ["deny", None]
    assert seen_by_model(requests, HELD) == [2, 3]
    assert BAD in (shop / "backoff.py").read_text(encoding="utf-8")

    other = make_repo(tmp_path / "elsewhere", {"backoff.py": SOURCE}).path
    prepare_home(engram.home, [shop, other])
    third, requests = play(each_client, engram, other, read(other), edit(other, OLD, BAD))
    assert seen_by_model(requests, TRIED) == []
    assert set(said(third, "PreToolUse", "permissionDecision")) == {None}


def test_test_that_is_written_first_leaves_no_warning(
    each_client: Path, engram: InstalledEngram, shop: Path
) -> None:
    more = "\n    def test_none(self):\n        self.assertEqual(backoff(1, -1), 0)\n"
    last = TEST.split("\n")[-2]
    guard = "    if attempt < 0:\n        return 0\n"
    first, requests = play(
        each_client,
        engram,
        shop,
        read(shop, "test_backoff.py"),
        edit(shop, last, last + "\n" + more, "test_backoff.py"),
        bash(CHECK),
        read(shop),
        edit(shop, OLD, guard + OLD),
        bash(CHECK),
    )
    assert len(first.calls_of("PostToolUseFailure")) == 1, "the test was not red and then green"
    assert seen_by_model(requests, "FAILED (failures=1)")[0] == 3
    second, requests = play(each_client, engram, shop, read(shop), edit(shop, OLD, f"{OLD}  # capped"))
    assert seen_by_model(requests, TRIED) == []
    assert set(said(second, "PreToolUse", "permissionDecision")) == {None}
