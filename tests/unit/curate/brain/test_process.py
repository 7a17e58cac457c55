"""One run of the brain's program: whatever it does, it ends in time and leaves nothing behind."""

from __future__ import annotations

import os
import shlex
import sys
import time
from pathlib import Path

import pytest

from engram_hooks.curate.brain import process
from engram_hooks.curate.brain.process import Ending, run_program
from tests.support.scripted_brain import brain_command, read_calls

PROMPT = "<data>\n</data>\n"


def run(tmp_path: Path, mode: str, text: str = "", *, timeout_s: float = 20, prompt: str = PROMPT) -> Ending:
    command = brain_command(mode, text, record=tmp_path / "seen")
    environ = {"PATH": os.environ["PATH"], "MARK": "here"}
    return run_program(shlex.split(command), prompt, cwd=str(tmp_path), environ=environ, timeout_s=timeout_s)


def test_prompt_goes_in_and_the_answer_comes_out(tmp_path: Path) -> None:
    prompt = "<data>\n" + '{"text": "ünïcode 日本語"}\n' * 20_000 + "</data>\n"  # more than a pipe holds
    ending = run(tmp_path, "say", "an answer", prompt=prompt)
    assert (ending.outcome, ending.output) == ("ok", "an answer")
    (seen,) = read_calls(tmp_path / "seen")
    assert (seen["prompt"], seen["cwd"]) == (prompt, str(tmp_path))
    environ = seen["environ"]
    assert isinstance(environ, dict)
    assert environ["MARK"] == "here"
    assert "HOME" not in environ


def test_program_that_reads_nothing_is_no_failure(tmp_path: Path) -> None:
    argv = [sys.executable, "-I", "-c", "print('done')"]
    ending = run_program(argv, "x" * 1_000_000, cwd=str(tmp_path), environ={}, timeout_s=20)
    assert (ending.outcome, ending.output) == ("ok", "done\n")


def test_program_that_hangs_is_ended_with_its_children(tmp_path: Path) -> None:
    began = time.monotonic()
    ending = run(tmp_path, "hang", timeout_s=1.5)
    assert ending.outcome == "timeout"
    assert ending.reason == "no answer within 1.5 s"
    assert time.monotonic() - began < 10
    (seen,) = read_calls(tmp_path / "seen")
    assert_group_is_gone(int(str(seen["pid"])))


def test_child_that_keeps_the_pipe_open_is_not_waited_for(tmp_path: Path) -> None:
    began = time.monotonic()
    ending = run(tmp_path, "child")
    assert (ending.outcome, ending.output) == ("ok", '{"ready": true}')
    assert time.monotonic() - began < 10
    (seen,) = read_calls(tmp_path / "seen")
    assert_group_is_gone(int(str(seen["pid"])))


def test_answer_without_end_is_cut_off(tmp_path: Path) -> None:
    ending = run(tmp_path, "long")
    assert (ending.outcome, ending.output) == ("too_long", "")
    assert ending.reason == f"more than {process.MAX_OUTPUT_BYTES >> 10} KB of answer"


def test_exit_code_and_complaint_are_told(tmp_path: Path) -> None:
    ending = run(tmp_path, "exit")
    assert (ending.outcome, ending.reason, ending.complaint) == (
        "failed",
        "exit code 3",
        "the model is overloaded",
    )


def test_complaint_alone_is_no_failure(tmp_path: Path) -> None:
    assert run(tmp_path, "complain").outcome == "ok"


@pytest.mark.parametrize("argv", [["/nowhere/at/all"], ["bad\0name"]])
def test_program_that_cannot_start_is_a_failure(argv: list[str], tmp_path: Path) -> None:
    ending = run_program(argv, PROMPT, cwd=str(tmp_path), environ={}, timeout_s=5)
    assert ending.outcome == "failed"
    assert ending.reason.startswith("cannot be started")


def assert_group_is_gone(group: int) -> None:
    """Wait for the end of every process of a group: those without a parent are reaped by the system."""
    ends_at = time.monotonic() + 5
    while is_alive(group):
        assert time.monotonic() < ends_at, "a process of the group is alive"
        time.sleep(0.05)


def is_alive(group: int) -> bool:
    """Return whether a process of the group is more than a corpse."""
    found = [path for path in Path("/proc").glob("[0-9]*/stat") if _group_of(path) == group]
    return any(_state_of(path) not in ("Z", "X", "") for path in found)


def _fields_of(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return []


def _group_of(path: Path) -> int:
    fields = _fields_of(path)
    return int(fields[2]) if fields else -1


def _state_of(path: Path) -> str:
    fields = _fields_of(path)
    return fields[0] if fields else ""
