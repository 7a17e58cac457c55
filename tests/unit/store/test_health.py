"""What doctor reads off a store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks.store import jobs
from engram_hooks.store.connect import connect_file
from engram_hooks.store.health import read_health
from engram_hooks.store.indexes import rebuild_outdated
from engram_hooks.store.migrate import migrate
from engram_hooks.store.schema import STEPS

NOW_MS = 1_780_000_000_000


@pytest.fixture
def db() -> Iterator[Connection]:
    """A store in memory."""
    found = connect_file("", "mode=memory")
    migrate(found, STEPS)
    rebuild_outdated(found)
    yield found
    found.close()


def test_new_store_is_sound_and_idle(db: Connection) -> None:
    health = read_health(db, now_ms=NOW_MS)
    assert (health["schema"], health["problems"], health["pending_jobs"]) == (len(STEPS), [], 0)
    assert health["size_bytes"] > 0


def test_due_and_failing_jobs_are_told_apart(db: Connection) -> None:
    jobs.add_job(db, "session", "a", project_id=1, now_ms=NOW_MS)
    jobs.add_job(db, "session", "b", project_id=1, now_ms=NOW_MS)
    job = jobs.take_job(db, owner="me", now_ms=NOW_MS)
    assert job is not None
    jobs.fail_job(db, job, "OSError: gone", owner="me", now_ms=NOW_MS)
    health = read_health(db, now_ms=NOW_MS)
    assert (health["pending_jobs"], health["failing_jobs"]) == (1, ["session: OSError: gone"])


def test_overwritten_page_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "engram.db"
    path.touch()
    db = connect_file(str(path), "mode=rw")
    migrate(db, STEPS)
    rows = [(f"key {number} " + "x" * 500,) for number in range(200)]
    db.executemany("INSERT INTO meta VALUES (?, 'y')", rows)
    page_bytes = db.execute("PRAGMA page_size").fetchone()[0]
    db.close()
    content = bytearray(path.read_bytes())
    content[-page_bytes:] = b"\x07" * page_bytes
    path.write_bytes(content)
    db = connect_file(str(path), "mode=rw")
    assert read_health(db, now_ms=NOW_MS)["problems"] != []
    db.close()
