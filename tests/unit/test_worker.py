"""What the worker does besides jobs."""

from __future__ import annotations

import time
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks import worker
from engram_hooks.sessions import events, spool
from engram_hooks.store import merging, places, sessions

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
