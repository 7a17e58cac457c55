"""What doctor reads off a store."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks.store import jobs
from engram_hooks.store.health import list_alike, read_health
from engram_hooks.store.indexes import rebuild_outdated
from engram_hooks.store.schema import STEPS

NOW_MS = 1_780_000_000_000


@pytest.fixture
def db() -> Iterator[Connection]:
    """A store in memory."""
    found = sqlite3.connect(":memory:", isolation_level=None)
    for step in STEPS:
        found.executescript(step)
    found.execute(f"PRAGMA user_version = {len(STEPS)}")
    rebuild_outdated(found)
    yield found
    found.close()


def add_project(db: Connection, name: str, root: str) -> int:
    """Add a project with a root commit; return its id."""
    cursor = db.execute("INSERT INTO projects (uid, name, created_at) VALUES (?, ?, 1)", (name, name))
    project_id = int(cursor.lastrowid or 0)
    db.execute("INSERT INTO project_keys VALUES ('root', ?, ?)", (root, project_id))
    return project_id


def test_new_store_is_sound_and_idle(db: Connection) -> None:
    health = read_health(db, now_ms=NOW_MS)
    assert (health["schema"], health["problems"], health["pending_jobs"]) == (len(STEPS), [], 0)
    assert health["size_bytes"] > 0


def test_due_and_failing_jobs_are_told_apart(db: Connection) -> None:
    jobs.add_job(db, "session", "a", project_id=1, now_ms=NOW_MS)
    jobs.add_job(db, "session", "b", project_id=1, now_ms=NOW_MS)
    job = jobs.take_job(db, owner="me", now_ms=NOW_MS)
    assert job is not None
    jobs.fail_job(db, job, "OSError: gone", now_ms=NOW_MS)
    health = read_health(db, now_ms=NOW_MS)
    assert (health["pending_jobs"], health["failing_jobs"]) == (1, ["session: OSError: gone"])


def test_overwritten_page_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "engram.db"
    db = sqlite3.connect(path, isolation_level=None)
    for step in STEPS:
        db.executescript(step)
    rows = [(f"key {number} " + "x" * 500,) for number in range(200)]
    db.executemany("INSERT INTO meta VALUES (?, 'y')", rows)
    page_bytes = db.execute("PRAGMA page_size").fetchone()[0]
    db.close()
    content = bytearray(path.read_bytes())
    content[-page_bytes:] = b"\x07" * page_bytes
    path.write_bytes(content)
    db = sqlite3.connect(path, isolation_level=None)
    assert read_health(db, now_ms=NOW_MS)["problems"] != []
    db.close()


def test_projects_with_one_root_commit_look_alike(db: Connection) -> None:
    one, two = add_project(db, "shop", "abc"), add_project(db, "copy", "abc")
    add_project(db, "other", "def")
    assert list_alike(db) == [("abc", [(one, "shop"), (two, "copy")])]


def test_projects_of_their_own_do_not(db: Connection) -> None:
    add_project(db, "shop", "abc")
    add_project(db, "other", "def")
    assert list_alike(db) == []
