"""The real client as the brain, on a scripted API: it answers, it costs what it may, and it never meets itself."""

from __future__ import annotations

import json
import os
import shlex
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engram_hooks.curate.brain.command import suggest_command
from engram_hooks.spawn import is_worker_running
from tests.support.claude_client import ClaudeClient, client_environ
from tests.support.installed_engram import InstalledEngram
from tests.support.messages_api import MessagesApi, Request, read_shown_text
from tests.support.scripted_turns import Lane, Script, Turn

pytestmark = pytest.mark.client

RULE = "From now on always build the images with podman, the daemon is a nuisance on these machines."
SUMMARY = "Build images with podman, not with the daemon."
MEMORY = {"kind": "feedback", "summary": SUMMARY, "quote": RULE[:48], "line": 1, "confidence": 0.9}
READY = '{"ready": true}'
TRIAL, EXTRACTION = "This is a trial", "Find in this conversation"
CLAUDE_MD = "NEVER-FOR-THE-BRAIN"
WAIT_S = 45


@dataclass(frozen=True, slots=True)
class Stage:
    """engram set up in a HOME, its hooks with the client, and a scripted API that the client on PATH talks to."""

    engram: InstalledEngram
    api: MessagesApi
    project: Path

    @property
    def environ(self) -> dict[str, str]:
        """The environment of a person who has this client."""
        return client_environ(self.engram.home, self.api.url)

    def run(self, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
        """Run `engram ARGUMENTS` in the project."""
        return subprocess.run(
            [sys.executable, "-m", "engram_hooks", *arguments],
            cwd=self.project,
            env={**self.environ, **environ},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=90,
            check=False,
        )

    def try_brain(self, command: str, **environ: str) -> dict[str, Any]:
        """Set a command and make the trial call; return what came of it."""
        assert self.run("setup", "--no-index", "--brain", command).returncode == 0
        return dict(json.loads(self.run("brain", "test", "--json", **environ).stdout))

    def requests(self, lane: str) -> list[Request]:
        """The requests for messages of a lane."""
        return [request for request in self.api.requests if request.lane == lane]

    def read(self, query: str) -> list[tuple[Any, ...]]:
        """Rows of the store."""
        address = f"file:{self.engram.data_dir() / 'engram.db'}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=10)) as store:
            return store.execute(query).fetchall()

    def traces(self) -> list[int]:
        """How many sessions, lines, prompts and events the store knows."""
        tables = ("sessions", "log", "prompts", "tool_events", "records")
        return [self.read(f"SELECT count(*) FROM {table}")[0][0] for table in tables]

    def transcripts(self) -> list[str]:
        """The folders of the transcripts that the client wrote."""
        return sorted(path.parent.name for path in (self.engram.home / ".claude").rglob("*.jsonl"))


Open = Callable[[Path, Sequence[Turn | str]], Stage]


@pytest.fixture
def stage(
    engram: InstalledEngram, project: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Open:
    """Make a stage: for a client, with what the model says in trials and in extractions."""

    def open_stage(client: Path, turns: Sequence[Turn | str]) -> Stage:
        # hooks, and the worker that they start, find the client where they find all programs
        monkeypatch.setenv("PATH", os.pathsep.join((str(client.parent), os.environ["PATH"])))
        lanes = {"trial": Lane(TRIAL, turns), "extraction": Lane(EXTRACTION, turns)}
        api = MessagesApi(
            Script(["Understood, podman from now on for every image of the shop."], lanes=lanes)
        )
        api.__enter__()
        request.addfinalizer(lambda: api.__exit__(None, None, None))
        (engram.home / ".claude" / "CLAUDE.md").write_text(CLAUDE_MD, encoding="utf-8")
        return Stage(engram, api, project)

    return open_stage


def wait_for(is_there: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    ends_at = time.monotonic() + WAIT_S
    while not is_there():
        assert time.monotonic() < ends_at, "it did not come"
        time.sleep(0.1)


def test_suggested_command_answers_and_leaves_no_trace(each_client: Path, stage: Open) -> None:
    there = stage(each_client, [READY])
    trial = there.try_brain(suggest_command())
    assert (trial["ok"], trial["outcome"]) == (True, "ok")
    (request,) = there.requests("trial")
    assert not request.body.get("tools")
    shown = read_shown_text(request)
    assert trial["prompt"].strip() in shown
    assert CLAUDE_MD not in shown
    assert len(shown) < 4_000
    assert there.traces() == [0] * 5
    assert there.transcripts() == []


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("claude -p --model haiku", id="hooks of ours run in it"),
        pytest.param(
            "env -u ENGRAM_BRAIN claude -p --model haiku", id="hooks of ours run in it without the mark"
        ),
    ],
)
def test_careless_command_meets_hooks_that_do_nothing(command: str, each_client: Path, stage: Open) -> None:
    there = stage(each_client, [READY])
    log = there.engram.home / "hooks-ran"
    settings = there.engram.home / ".claude" / "settings.json"
    loaded = json.loads(settings.read_text(encoding="utf-8"))
    for groups in loaded["hooks"].values():  # a witness beside ours
        groups.append({"hooks": [{"type": "command", "command": f"echo ran >> {shlex.quote(str(log))}"}]})
    settings.write_text(json.dumps(loaded), encoding="utf-8")
    trial = there.try_brain(command)
    assert trial["ok"], trial
    assert log.read_text(encoding="utf-8").count("ran") >= 4
    assert there.traces() == [0] * 5
    (folder,) = there.transcripts()
    assert folder.endswith("-brain")
    assert "<engram" not in read_shown_text(there.requests("trial")[0])  # no pack of ours
    there.run("log")
    assert there.traces() == [0] * 5


def test_session_that_ends_is_mined_by_the_brain(each_client: Path, stage: Open) -> None:
    there = stage(each_client, [f"```json\n{json.dumps({'memories': [MEMORY]})}\n```"])
    assert there.run("setup", "--no-index", "--brain").returncode == 0
    ClaudeClient(each_client, there.engram.home, there.api.url).run(there.project, RULE)
    wait_for(lambda: bool(there.read("SELECT 1 FROM records WHERE summary = '" + SUMMARY + "'")))
    (row,) = there.read(
        "SELECT r.kind, r.status, a.actor, e.kind FROM records r JOIN audit a ON a.record_id = r.id"
        f" JOIN evidence e ON e.record_id = r.id WHERE r.summary = '{SUMMARY}'"
    )
    assert row == ("feedback", "candidate", "brain", "log")
    (request,) = there.requests("extraction")
    assert RULE in read_shown_text(request)
    assert there.read("SELECT count(*) FROM sessions") == [(1,)]
    assert there.read("SELECT purpose, outcome FROM brain_calls") == [("extract", "ok")]


@pytest.mark.parametrize(
    ("turn", "outcome"),
    [
        pytest.param("I am not sure what you want.", "malformed", id="words"),
        pytest.param('{"ready": tr', "malformed", id="half a document"),
        pytest.param(Turn("no credit", error_status=400), "failed", id="an error of the API"),
        pytest.param(Turn(hold=True), "timeout", id="no answer"),
    ],
)
def test_what_goes_wrong_is_told_apart(
    turn: Turn | str, outcome: str, newest_client: Path, stage: Open
) -> None:
    there = stage(newest_client, [turn] * 9)
    trial = there.try_brain(suggest_command(), ENGRAM_BRAIN_TIMEOUT_S="4" if outcome == "timeout" else "60")
    assert (trial["ok"], trial["outcome"]) == (False, outcome)
    assert there.read("SELECT purpose, outcome FROM brain_calls") == [("test", outcome)]
    assert there.traces() == [0] * 5


def test_budget_holds_for_the_worker(newest_client: Path, stage: Open) -> None:
    there = stage(newest_client, [READY, json.dumps({"memories": [MEMORY]})])
    assert there.try_brain(suggest_command())["ok"]
    assert there.run("config", "set", "brain.calls_per_hour", "1").returncode == 0
    ClaudeClient(newest_client, there.engram.home, there.api.url).run(there.project, RULE)
    wait_for(lambda: there.read("SELECT count(*) FROM log")[0][0] >= 2)
    wait_for(lambda: not is_worker_running(str(there.engram.data_dir())))
    assert there.requests("extraction") == []
    assert there.read("SELECT count(*) FROM brain_calls") == [(1,)]
    assert there.read("SELECT count(*) FROM brain_sessions") == [(0,)]
