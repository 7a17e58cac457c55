"""`engram brain` and `engram setup --brain` as typed."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from engram_hooks.client.brain_check import check_brain
from engram_hooks.client.findings import Finding
from engram_hooks.curate.brain.command import suggest_command
from engram_hooks.memory import Engram
from engram_hooks.store import log, sessions
from tests.support.command_runs import Run
from tests.support.scripted_brain import brain_command, read_calls

RULE = "From now on always build the images with podman"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Where the scripted brain notes what it saw."""
    return tmp_path / "seen"


def set_brain(run: Run, command: str, tmp_path: Path) -> tuple[int, str, str]:
    """Let setup set a command; the client's settings are a file of the test."""
    return run("setup", "--settings", str(tmp_path / "settings.json"), "--no-index", "--brain", command)


def read_config(data: str) -> str:
    path = Path(data, "config.toml")
    return path.read_text(encoding="utf-8") if path.exists() else ""


def read_state(run: Run) -> dict[str, Any]:
    return dict(json.loads(run("brain", "status", "--json")[1]))


def talk(*, hours: float = 0) -> None:
    """Leave a session behind in which a rule was said some hours ago."""
    now_ms = int((time.time() - hours * 3600) * 1000)
    with Engram() as memory:
        session = sessions.add_session(
            memory.db,
            "s1",
            project_id=memory.project_id or 0,
            root="",
            branch="",
            transcript_path="",
            now_ms=now_ms,
        )
        rows = [("u1", "user", "", f"{RULE}.", now_ms), ("u2", "assistant", "", "Understood.", now_ms)]
        log.append_rows(memory.db, session[0], rows)


def test_brain_is_off_until_it_is_set_up(run: Run) -> None:
    assert read_state(run)["state"] == "off"
    assert "engram setup --brain turns it on" in run("brain", "status")[1]
    code, _, said = run("brain", "test")
    assert code == 1
    assert "hint: engram setup --brain" in said


def test_setup_turns_it_on_and_off(run: Run, data: str, tmp_path: Path, record: Path) -> None:
    command = brain_command("right", record=record)
    code, said, _ = set_brain(run, command, tmp_path)
    assert code == 0
    assert "sets brain.command to: " in said
    assert "engram brain test" in said
    assert "warning" not in said
    state = read_state(run)
    assert (state["state"], state["command"]) == ("ready", command)
    code, said, _ = run("setup", "--settings", str(tmp_path / "settings.json"), "--no-index", "--no-brain")
    assert "takes brain.command out" in said
    assert "command" not in read_config(data)
    assert read_state(run)["state"] == "off"
    assert not record.exists()  # nothing was asked


def test_setup_without_the_option_leaves_it_alone(run: Run, data: str, tmp_path: Path) -> None:
    set_brain(run, "judge --fast", tmp_path)
    before = read_config(data)
    run("setup", "--settings", str(tmp_path / "settings.json"), "--no-index")
    assert "judge --fast" in before
    assert read_config(data) == before


def test_suggested_command_is_written_as_it_is(run: Run, tmp_path: Path) -> None:
    settings = str(tmp_path / "settings.json")
    code, said, _ = run("setup", "--settings", settings, "--no-index", "--json", "--brain")
    assert code == 0
    assert json.loads(said)["brain"] == [f"sets brain.command to: {suggest_command()}"]
    assert read_state(run)["command"] == suggest_command()


def test_dry_run_sets_nothing(run: Run, data: str, tmp_path: Path) -> None:
    settings = str(tmp_path / "settings.json")
    code, said, _ = run("setup", "--settings", settings, "--brain", "--dry-run")
    assert code == 0
    assert "sets brain.command to: claude -p" in said
    assert read_config(data) == ""


@pytest.mark.parametrize(
    ("arguments", "exit_code"),
    [
        pytest.param(["--brain", "judge 'open"], 1, id="a quote that is not closed"),
        pytest.param(["--brain", "judge", "--no-brain"], 2, id="on and off"),
    ],
)
def test_unusable_command_changes_nothing(
    arguments: list[str], exit_code: int, run: Run, data: str, tmp_path: Path
) -> None:
    settings = tmp_path / "settings.json"
    assert run("setup", "--settings", str(settings), "--no-index", *arguments)[0] == exit_code
    assert read_config(data) == ""
    assert not settings.exists()


def test_program_that_is_not_there_is_named(run: Run, data: str, tmp_path: Path) -> None:
    said = set_brain(run, "no-such-program-here -p", tmp_path)[1]
    assert "warning: no-such-program-here is not found on PATH" in said
    assert read_state(run)["state"] == "missing"
    assert "not found" in run("brain", "status")[1]
    code, _, said = run("brain", "test")
    assert code == 1
    assert "the program of brain.command is not found" in said
    assert [finding.slug for finding in check(data)] == ["brain-missing"]


def test_trial_shows_what_goes_and_what_comes(run: Run, tmp_path: Path, record: Path) -> None:
    set_brain(run, brain_command("fenced", record=record), tmp_path)
    code, said, _ = run("brain", "test")
    assert code == 0
    (seen,) = read_calls(record)
    assert "This is a trial" in str(seen["prompt"])
    assert "This is a trial" in said
    assert '{"ready": true}' in said
    assert "a usable answer" in said
    found = json.loads(run("brain", "test", "--json")[1])
    assert (found["ok"], found["outcome"], found["prompt"]) == (True, "ok", seen["prompt"])
    assert read_state(run)["calls_used"] == 2


@pytest.mark.parametrize(
    ("mode", "outcome"), [("malformed", "malformed"), ("exit", "failed"), ("half", "malformed")]
)
def test_trial_that_fails_says_why(mode: str, outcome: str, run: Run, tmp_path: Path) -> None:
    set_brain(run, brain_command(mode), tmp_path)
    code, said, _ = run("brain", "test")
    assert code == 1
    assert f"{outcome}: " in said
    rows = read_state(run)["calls"]
    assert [(row["purpose"], row["outcome"]) for row in rows] == [("test", outcome)]
    assert outcome in run("brain", "status")[1]


def test_rest_after_failures_is_said_and_ended_by_a_trial(run: Run, data: str, tmp_path: Path) -> None:
    set_brain(run, brain_command("exit"), tmp_path)
    assert check(data) == []
    for _ in range(3):
        run("brain", "test")
    assert read_state(run)["state"] == "resting"
    assert "left alone until" in run("brain", "status")[1]
    (finding,) = check(data)
    assert (finding.slug, finding.hint) == ("brain-resting", "engram brain test")
    assert "failed, exit code 3" in finding.text
    set_brain(run, brain_command("right"), tmp_path)
    run("brain", "test")
    assert read_state(run)["state"] == "ready"
    assert check(data) == []


def test_spent_budget_is_said(run: Run, tmp_path: Path) -> None:
    set_brain(run, brain_command("right"), tmp_path)
    run("config", "set", "brain.calls_per_hour", "1")
    run("brain", "test")
    assert read_state(run)["state"] == "spent"
    assert "the budget of this hour is spent" in run("brain", "status")[1]


def test_session_of_the_brain_asks_nobody(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_brain(run, brain_command("right"), tmp_path)
    monkeypatch.setenv("ENGRAM_BRAIN", "1")
    assert run("brain", "test")[0] == 1
    assert read_state(run)["state"] == "within"


def test_questions_are_shown_and_not_asked(run: Run, tmp_path: Path, record: Path) -> None:
    set_brain(run, brain_command("right", record=record), tmp_path)
    assert "Nothing here is worth a question yet" in run("brain", "show")[1]
    talk()
    run("add", "-s", "The build runs on docker", "-t", "fact")
    run("add", "-s", "Images are pushed by the pipeline", "-t", "fact")
    shown = json.loads(run("brain", "show", "--json")[1])
    assert [item["purpose"] for item in shown] == ["extract", "summarise", "reflect"]
    assert RULE in shown[0]["prompt"]
    assert RULE in run("brain", "show", "--session", "s1")[1]
    assert not record.exists()
    assert run("brain", "show", "--session", "nothing-like-it")[0] == 1


def test_question_about_one_note_is_shown(run: Run) -> None:
    run("add", "-s", "The build runs on docker machines", "-t", "fact")
    run("add", "-s", "The build runs on podman machines", "-t", "procedure")
    (shown,) = json.loads(run("brain", "show", "--record", "2", "--json")[1])
    assert shown["purpose"] == "resolve"
    assert "ID is one of 1, or null" in shown["prompt"]


def test_dry_consolidation_shows_its_questions(run: Run, tmp_path: Path, record: Path) -> None:
    set_brain(run, brain_command("right", record=record), tmp_path)
    talk(hours=2)
    count = run("consolidate", "--dry-run", "--only", "summarise")[1]
    assert "brain.command would be asked 1 question" in count
    assert RULE not in count.partition("would be asked")[2]
    said = run("consolidate", "--dry-run", "--only", "summarise", "--show-prompts")[1]
    assert "would be asked to summarise:" in said
    assert RULE in said
    report = json.loads(run("consolidate", "--dry-run", "--only", "summarise", "--json")[1])
    assert [item["purpose"] for item in report["questions"]] == ["summarise"]
    assert not record.exists()
    run("consolidate", "--only", "summarise")
    (seen,) = read_calls(record)
    assert seen["prompt"] == report["questions"][0]["prompt"]
    assert run("consolidate", "--show-prompts")[0] == 2


def check(data: str) -> list[Finding]:
    """What doctor finds about the brain."""
    return list(check_brain(Path(data), dict(os.environ), now_ms=int(time.time() * 1000)))
