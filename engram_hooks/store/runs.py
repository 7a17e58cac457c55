"""Runs of consolidation: one row each, with its report as JSON that holds ids and numbers, no text of a record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engram_hooks.jsontext import dumps, loads
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Connection

KIND = "consolidate"
_COLUMNS = "id, report, started_at, ended_at"


def begin_run(db: Connection, *, now_ms: int) -> int:
    """Write down that a run begins; returns its id. A run without an end was interrupted."""
    with Transaction(db):
        done = db.execute("INSERT INTO runs (kind, started_at) VALUES (?, ?)", (KIND, now_ms))
    return int(done.lastrowid or 0)


def end_run(db: Connection, run_id: int, report: Mapping[str, Any], *, ended_at: int) -> None:
    """Write down what a run did; `ended_at` in ms UTC."""
    with Transaction(db):
        db.execute("UPDATE runs SET report = ?, ended_at = ? WHERE id = ?", (dumps(report), ended_at, run_id))


def list_runs(db: Connection, *, limit: int) -> list[dict[str, Any]]:
    """The newest runs first: id, report, started_at, ended_at (ms UTC, None where it was interrupted)."""
    rows = db.execute(f"SELECT {_COLUMNS} FROM runs WHERE kind = ? ORDER BY id DESC LIMIT ?", (KIND, limit))  # noqa: S608
    return [_read(row) for row in rows.fetchall()]


def read_run(db: Connection, run_id: int) -> dict[str, Any] | None:
    """One run, None where there is none of that number."""
    row = db.execute(f"SELECT {_COLUMNS} FROM runs WHERE id = ? AND kind = ?", (run_id, KIND)).fetchone()  # noqa: S608
    return _read(row) if row else None


def last_started_at(db: Connection) -> int:
    """When the newest run began, 0 before the first."""
    row = db.execute("SELECT max(started_at) FROM runs WHERE kind = ?", (KIND,)).fetchone()
    return int(row[0] or 0)


def last_audit_id(db: Connection) -> int:
    """The newest entry in the book of changes, 0 for none."""
    return int(db.execute("SELECT coalesce(max(id), 0) FROM audit").fetchone()[0])


def delete_old_runs(db: Connection, *, before_ms: int) -> int:
    """Forget the reports of runs that began before a moment; returns how many."""
    with Transaction(db):
        return db.execute("DELETE FROM runs WHERE kind = ? AND started_at < ?", (KIND, before_ms)).rowcount


def _read(row: tuple[Any, ...]) -> dict[str, Any]:
    found = dict(zip(("id", "report", "started_at", "ended_at"), row, strict=True))
    found["report"] = loads(found["report"])
    return found
