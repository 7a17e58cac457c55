"""What doctor thinks of the answer of a hook."""

from __future__ import annotations

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from engram_hooks.client.commands import EVENTS
from engram_hooks.client.hook_trial import SLOW_MS, Trial, find_problem, judge_trials, run_hook
from engram_hooks.client.sample_events import SampleSession, make_samples
from engram_hooks.sessions.transcript import parse_line

CONTEXT = {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "hello"}}


def end(output: str = "", complaint: str = "", code: int = 0) -> CompletedProcess[bytes]:
    """Return how a hook ended."""
    return CompletedProcess([], code, output.encode(), complaint.encode())


@pytest.mark.parametrize(
    ("event", "done", "problem"),
    [
        pytest.param("SessionStart", end(code=2, complaint="no sh"), "ended with 2: no sh", id="exit code"),
        pytest.param("SessionStart", end(complaint="warning"), "complains: warning", id="standard error"),
        pytest.param("SessionStart", end("hello"), "not one JSON document", id="plain text"),
        pytest.param("SessionStart", end("{}\n{}"), "not one JSON document", id="two documents"),
        pytest.param(
            "UserPromptSubmit", end(json.dumps(CONTEXT)), "answers for 'SessionStart'", id="other event"
        ),
        pytest.param("PreCompact", end("{}"), "prints JSON", id="JSON to the summariser"),
        pytest.param("Stop", end("{}"), "does not expect", id="stop speaks"),
    ],
)
def test_answer_that_the_client_would_not_take(
    event: str, done: CompletedProcess[bytes], problem: str
) -> None:
    assert problem in find_problem(event, done)


@pytest.mark.parametrize(
    ("event", "output"),
    [
        pytest.param("SessionStart", json.dumps(CONTEXT), id="context"),
        pytest.param("SessionStart", json.dumps({"systemMessage": "hi"}), id="a line for the user"),
        pytest.param("SessionStart", "", id="nothing"),
        pytest.param("PreCompact", "Keep the decisions.", id="plain text to the summariser"),
        pytest.param("Stop", "", id="silent stop"),
    ],
)
def test_good_answer_is_no_problem(event: str, output: str) -> None:
    assert find_problem(event, end(output)) == ""


def test_trials_are_judged() -> None:
    trials = [
        Trial("Stop", 10, ""),
        Trial("PreCompact", SLOW_MS + 1, ""),
        Trial("SessionEnd", 5, "ended with 1: "),
    ]
    assert [finding.slug for finding in judge_trials(trials)] == ["hook-failed", "hook-slow"]


def test_good_trials_give_nothing() -> None:
    assert list(judge_trials([Trial("Stop", 10, "")])) == []


@pytest.fixture
def session(tmp_path: Path) -> SampleSession:
    """A session of a project."""
    return SampleSession("seed", tmp_path, tmp_path / "transcripts" / "t.jsonl", 1_780_000_000_000)


def test_command_that_is_not_there_is_a_problem(session: SampleSession) -> None:
    payload = session.make_payload("Stop")
    trial = run_hook("/no/such/program", payload, env={"PATH": "/usr/bin:/bin"})
    assert trial.problem.startswith("ended with 127")


def test_samples_cover_what_setup_registers(session: SampleSession) -> None:
    events = [payload["hook_event_name"] for payload in make_samples(session)]
    assert sorted(map(str, events)) == sorted(event for event, _, _, _ in EVENTS)


def test_transcript_is_in_the_client_s_form(session: SampleSession) -> None:
    session.say("user", "use pnpm here")
    session.say("assistant", "done")
    session.call_tool("toolu_1", "Bash", {"command": "ls"}, result="a.py")
    rows = [parse_line(line) for line in session.transcript.read_bytes().splitlines()]
    assert all(rows)
    assert len({row[0] for row in rows if row}) == len(rows) == 4


def test_same_seed_is_the_same_session(tmp_path: Path) -> None:
    one = SampleSession("a", tmp_path, tmp_path / "1", 1)
    assert one.session_id == SampleSession("a", tmp_path, tmp_path / "2", 2).session_id
    assert one.session_id != SampleSession("b", tmp_path, tmp_path / "1", 1).session_id
