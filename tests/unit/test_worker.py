"""What the worker does besides jobs."""

from __future__ import annotations

import os
import time
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks import spawn, worker
from engram_hooks.sessions import events, ready, spool
from engram_hooks.store import jobs, merging, places, sessions

NOW_MS = 1_780_000_000_000


@pytest.fixture(autouse=True)
def _without_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGRAM_EMBED", "off")


def work(data: str) -> None:
    worker.work(data, until=time.monotonic() + 20)


def test_rows_written_for_a_project_while_it_was_merged_away_are_moved(store: Connection, data: str) -> None:
    gone, target = (places.add_project(store, name, is_provisional=False, now_ms=NOW_MS) for name in "ab")
    merging.merge_projects(store, gone, target, now_ms=NOW_MS)
    late = sessions.add_session(
        store, "s1", project_id=gone, root="", branch="", transcript_path="", now_ms=NOW_MS
    )
    work(data)
    assert sessions.project_of(store, late[0]) == target


def test_event_in_the_spool_is_applied(store: Connection, data: str, tmp_path: Path) -> None:
    payload: dict[str, object] = {"session_id": "s1", "cwd": str(tmp_path), "prompt": "hello"}
    spool.write_event(data, events.reduce("user-prompt-submit", payload, {}, now_ms=NOW_MS))
    work(data)
    assert store.execute("SELECT text FROM prompts").fetchall() == [("hello",)]
    assert spool.backlog(data) == 0


def test_work_that_comes_at_the_very_end_is_done(
    store: Connection, data: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook queues a job and starts no worker, since one holds the lock; that one had nothing left to do."""
    monkeypatch.setenv(spawn.WORKER_MARK, "")
    monkeypatch.setattr(os, "nice", lambda _: 0)
    real = worker.work
    turns: list[int] = []

    def work_and_meet_a_hook(folder: str, *, until: float) -> int:
        done = real(folder, until=until)
        if not turns:
            assert spawn.is_worker_running(folder)
            jobs.add_job(store, "session", "late", project_id=0, now_ms=1)
        turns.append(done)
        return done

    monkeypatch.setattr(worker, "work", work_and_meet_a_hook)
    assert worker.main(data) == 0
    assert turns == [0, 1]
    assert not spawn.is_worker_running(data)


def test_worker_ends_where_nothing_is_due(
    store: Connection, data: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(spawn.WORKER_MARK, "")
    monkeypatch.setattr(os, "nice", lambda _: 0)
    jobs.add_job(store, "session", "later", project_id=0, now_ms=int(time.time() * 1000) + 600_000)
    turns: list[str] = []
    monkeypatch.setattr(worker, "work", lambda folder, until: turns.append(folder))
    assert worker.main(data) == 0
    assert turns == [data]


def test_lines_of_sessions_long_gone_are_removed(store: Connection, data: str) -> None:
    folder = Path(data, ready.FOLDER)
    folder.mkdir()
    for name, age_days in (("old", worker.READY_DAYS + 1), ("recent", worker.READY_DAYS - 1)):
        (folder / name).write_text("1|idle|1|2|0|5|\n")
        moment = time.time() - age_days * 86_400
        os.utime(folder / name, (moment, moment))
    work(data)
    assert [path.name for path in folder.iterdir()] == ["recent"]
