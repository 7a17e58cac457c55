"""Faults of a store are found; a whole store has none."""

from __future__ import annotations

from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks.paths import store_path
from engram_hooks.store.attempts import index_text, put_attempt
from engram_hooks.store.check import check_store, project_tables
from engram_hooks.store.create import ensure_store
from engram_hooks.store.indexes import rebuild_indexes
from engram_hooks.store.log import append_rows
from engram_hooks.store.records import insert
from engram_hooks.store.tool_events import record_event
from tests.conftest import NOW_MS


@pytest.fixture
def filled(store: Connection) -> Connection:
    """A store with a record, a conversation, a failed command and a failed approach."""
    store.execute("INSERT INTO projects VALUES (1, 'u1', 'shop', 0, 1)")
    insert(
        store, {"kind": "decision", "project_id": 1, "summary": "orderParser stays"}, now_ms=1, actor="person"
    )
    insert(store, {"kind": "user", "project_id": 0, "summary": "Ana"}, now_ms=1, actor="person")
    store.execute(
        "INSERT INTO sessions (id, client_id, project_id, started_at, last_at) VALUES (1, 'c', 1, 1, 1)"
    )
    append_rows(store, 1, [("u1", "user", "", "fix the gateway", 1), ("u2", "assistant", "", "done", 2)])
    for outcome in ("ok", "failed"):
        event = {"tool": "Bash", "target": "", "command": f"make {outcome}", "outcome": outcome, "agent": ""}
        event |= {"error": "E404" if outcome == "failed" else "", "use_id": outcome}
        record_event(store, 1, event, now_ms=1)
    values: dict[str, object] = {"project_id": 1, "session_id": 1, "outcome": "abandoned", "change_key": "k"}
    attempt_id = put_attempt(
        store, {**values, "created_at": 1, "updated_at": 1}, [("a.py", [], "old", "new")]
    )
    index_text(store, attempt_id, "backoff fibonacci")
    return store


def search(db: Connection, table: str, term: str) -> list[int]:
    return [row[0] for row in db.execute(f"SELECT rowid FROM {table} WHERE {table} MATCH ?", (f'"{term}"',))]


def test_whole_store_has_no_fault(filled: Connection) -> None:
    assert check_store(filled) == []


@pytest.mark.parametrize(
    ("statement", "word"),
    [
        pytest.param("DELETE FROM sessions", "log", id="log of no session"),
        pytest.param("DELETE FROM projects", "records", id="records of no project"),
        pytest.param("DELETE FROM projects", "sessions", id="sessions of no project"),
        pytest.param("DROP INDEX records_told", "records_told", id="index gone"),
        pytest.param("DROP TABLE shown", "shown", id="table gone"),
        pytest.param("UPDATE meta SET value = '0' WHERE key = 'terms_version'", "full text", id="old terms"),
        pytest.param(
            "INSERT INTO log_fts (log_fts) VALUES ('delete-all')", "log_fts", id="full text emptied"
        ),
        pytest.param("DELETE FROM records WHERE id = 1", "records_fts", id="full text of no record"),
        pytest.param("DELETE FROM attempts", "attempts_fts", id="full text of no attempt"),
        pytest.param("DELETE FROM attempts", "attempt_files", id="lines of no attempt"),
        pytest.param(
            "INSERT INTO invariant_keys VALUES (1, 'any', 7)", "invariant_keys", id="key of no rule"
        ),
        pytest.param("INSERT INTO evidence VALUES (1, 99, 'log', 'x', '', 1)", "evidence", id="evidence"),
    ],
)
def test_fault_is_found(filled: Connection, statement: str, word: str) -> None:
    filled.execute(statement)
    assert [fault for fault in check_store(filled) if word in fault]


def test_zeroed_page_is_found(data: str, filled: Connection) -> None:
    filled.close()
    file = Path(store_path(data))
    content = file.read_bytes()
    middle = len(content) // 4096 // 2 * 4096
    file.write_bytes(content[:middle] + b"\0" * 4096 + content[middle + 4096 :])
    db = ensure_store(data, now_ms=NOW_MS)
    assert any("damaged" in fault for fault in check_store(db))
    db.close()


def test_tables_of_a_project_are_read_from_the_schema(store: Connection) -> None:
    store.execute("CREATE TABLE later (id INTEGER PRIMARY KEY, project_id INTEGER)")
    found = project_tables(store)
    assert {"records", "sessions", "places", "project_keys", "jobs", "settings", "later"} <= set(found)
    assert "evidence" not in found


def test_rebuilding_gives_the_same_full_text(filled: Connection) -> None:
    for table in ("records_fts", "log_fts", "tool_events_fts", "attempts_fts"):
        filled.execute(f"INSERT INTO {table} ({table}) VALUES ('delete-all')")
    seen: list[tuple[str, int]] = []
    assert rebuild_indexes(filled, report=lambda table, count: seen.append((table, count))) == 6
    assert seen == [("records_fts", 2), ("log_fts", 2), ("tool_events_fts", 1), ("attempts_fts", 1)]
    assert check_store(filled) == []
    assert search(filled, "records_fts", "parser") == [1]
    assert search(filled, "log_fts", "gateway") == [1]
    assert search(filled, "tool_events_fts", "e404") == [2]
    assert search(filled, "attempts_fts", "fibonacci") == [1]


def test_record_can_be_edited_after_rebuilding(filled: Connection) -> None:
    from engram_hooks.store.records import update

    rebuild_indexes(filled)
    update(filled, 1, {"summary": "lineReader stays"}, now_ms=2, actor="person")
    assert search(filled, "records_fts", "parser") == []
    assert search(filled, "records_fts", "reader") == [1]


def test_other_terms_lead_to_a_rebuild_on_opening(data: str, filled: Connection) -> None:
    filled.execute("INSERT INTO records_fts (records_fts) VALUES ('delete-all')")
    filled.execute("UPDATE meta SET value = '0' WHERE key = 'terms_version'")
    db = ensure_store(data, now_ms=NOW_MS)
    assert search(db, "records_fts", "parser") == [1]
    db.close()


def test_equal_terms_are_not_fed_again(data: str, filled: Connection) -> None:
    filled.execute("INSERT INTO records_fts (records_fts) VALUES ('delete-all')")
    db = ensure_store(data, now_ms=NOW_MS)
    assert search(db, "records_fts", "parser") == []
    db.close()
