"""The worker asks the brain behind all its other work; hooks and commands never do."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from engram_hooks.cli.main import main
from engram_hooks.paths import store_path
from engram_hooks.spawn import lock_worker
from engram_hooks.store import log, sessions
from engram_hooks.store.connect import open_store
from engram_hooks.store.create import ensure_store
from engram_hooks.worker import work
from tests.support.make_repo import Repo
from tests.support.run_hook import run_hook
from tests.support.scripted_brain import brain_command, read_calls

RULE = "From now on always build the images with podman"


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the brain was asked; it is set in the environment of every process of the test."""
    seen = tmp_path / "seen"
    monkeypatch.setenv("ENGRAM_BRAIN_COMMAND", brain_command("right", record=seen))
    return seen


def leave_session(data: str) -> None:
    """A session that is over and in which a rule was said, outside any project."""
    now_ms = int(time.time() * 1000)
    db = ensure_store(data, now_ms=now_ms)
    try:
        session = sessions.add_session(
            db, "s1", project_id=0, root="", branch="", transcript_path="", now_ms=now_ms
        )
        rows = [
            ("u1", "user", "", f"{RULE}. The daemon is a nuisance on all of these machines.", now_ms),
            ("u2", "assistant", "", "Understood: podman for every image of the shop.", now_ms),
        ]
        log.append_rows(db, session[0], rows)
        sessions.end_session(db, session[0], reason="other", now_ms=now_ms)
    finally:
        db.close()


def read_candidates(data: str) -> list[tuple[str, str]]:
    """(summary, who found it) of the candidates."""
    db = open_store(store_path(data))
    try:
        return db.execute(
            "SELECT r.summary, a.actor FROM records r JOIN audit a ON a.record_id = r.id WHERE r.status = 'candidate'"
        ).fetchall()
    finally:
        db.close()


def test_worker_asks_about_a_session_that_is_over(data: str, record: Path) -> None:
    leave_session(data)
    work(data, until=time.monotonic() + 600)
    work(data, until=time.monotonic() + 600)
    assert len(read_calls(record)) == 1
    assert (RULE, "brain") in read_candidates(data)


def test_worker_without_time_for_an_answer_leaves_it_to_the_next(data: str, record: Path) -> None:
    leave_session(data)
    work(data, until=time.monotonic() + 30)
    assert read_calls(record) == []


def test_hooks_and_commands_ask_nothing(
    data: str, repo: Repo, record: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    leave_session(data)
    monkeypatch.chdir(repo.path)
    start = {
        "session_id": "s2",
        "cwd": str(repo.path),
        "source": "startup",
        "hook_event_name": "SessionStart",
    }
    prompt = {
        "session_id": "s2",
        "cwd": str(repo.path),
        "prompt": "hi",
        "hook_event_name": "UserPromptSubmit",
    }
    end = {"session_id": "s2", "cwd": str(repo.path), "reason": "other", "hook_event_name": "SessionEnd"}
    lock = lock_worker(data)  # held, so that no worker starts
    try:
        for payload in (start, prompt, end):
            run_hook(data, "any", json.dumps(payload).encode())
        for words in (
            ["review", "--json"],
            ["recall", "-q", "podman"],
            ["log"],
            ["context"],
            ["brain", "status"],
        ):
            assert main(words) == 0, words
    finally:
        os.close(lock)
    capsys.readouterr()
    assert read_calls(record) == []
