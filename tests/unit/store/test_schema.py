"""Released steps are frozen, and a store of an earlier version becomes one like a fresh one."""

from __future__ import annotations

import hashlib
from pathlib import Path
from sqlite3 import Connection, connect

from engram_hooks.store.backup import list_backups
from engram_hooks.store.check import check_store
from engram_hooks.store.connect import SCHEMA_VERSION
from engram_hooks.store.create import ensure_store
from engram_hooks.store.migrate import migrate
from engram_hooks.store.schema import STEPS
from tests.conftest import NOW_MS

FROZEN = {
    1: "7a80d31859a1373c",
    2: "5d7cb8050f181704",
    3: "2a936bd12ca020ae",
    4: "3e36ac53c6580b45",
    5: "d6255045e4ae73c0",
    6: "bd02a6a455202fe8",
}


def schema_of(db: Connection) -> set[tuple[str, str, str]]:
    """Every table, index and trigger with its statement."""
    return set(db.execute("SELECT type, name, coalesce(sql, '') FROM sqlite_master"))


def test_steps_are_what_they_were_when_they_were_frozen() -> None:
    found = {at: hashlib.sha256(step.encode()).hexdigest()[:16] for at, step in enumerate(STEPS, 1)}
    assert found == FROZEN
    assert len(STEPS) == SCHEMA_VERSION


def test_store_of_the_first_version_is_upgraded_with_all_it_holds(data: str) -> None:
    db = ensure_store(data, now_ms=NOW_MS, steps=STEPS[:1])
    db.execute(
        "INSERT INTO records (uid, kind, scope, project_id, summary, status, valid_from, created_at, updated_at,"
        " source) VALUES ('u', 'fact', 'global', 0, 'kept', 'active', 1, 1, 1, 'person')"
    )
    db.execute("INSERT INTO records_fts (rowid, summary, detail, tags) VALUES (1, 'kept', '', '')")
    db.close()
    db = ensure_store(data, now_ms=NOW_MS)
    fresh = connect(":memory:", isolation_level=None)
    migrate(fresh, STEPS)
    assert schema_of(db) == schema_of(fresh)
    assert db.execute("SELECT summary FROM records").fetchall() == [("kept",)]
    assert check_store(db) == []
    (backup,) = list_backups(data)
    assert Path(backup.path).exists()
    fresh.close()
    db.close()
