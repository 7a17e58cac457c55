"""The book of changes: who did what to which record, with what it said before and after."""

from __future__ import annotations

from engram_hooks.jsontext import dumps, loads, mend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Connection
    from typing import Any


def add_entry(
    db: Connection,
    record_id: int | None,
    action: str,
    *,
    actor: str,
    now_ms: int,
    before: Mapping[str, object] | None = None,
    after: Mapping[str, object] | None = None,
    reason: str = "",
) -> int:
    """Write one change down inside the caller's transaction; returns the id of the entry.

    `before` and `after` hold the changed fields; their texts must already be redacted. `reason` is redacted here.
    """
    if reason:
        from engram_hooks.guard.redact import redact

        reason = mend(redact(reason))
    values = (
        actor,
        action,
        record_id,
        dumps(dict(before)) if before else "",
        dumps(dict(after)) if after else "",
        reason,
        now_ms,
    )
    done = db.execute(
        "INSERT INTO audit (actor, action, record_id, before, after, reason, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        values,
    )
    return int(done.lastrowid or 0)


def list_entries(db: Connection, record_id: int) -> list[dict[str, Any]]:
    """The changes of one record, oldest first; before and after are dicts, created_at is in ms UTC."""
    found = db.execute(
        "SELECT actor, action, before, after, reason, created_at FROM audit WHERE record_id = ? ORDER BY id",
        (record_id,),
    ).fetchall()
    names = ("actor", "action", "before", "after", "reason", "created_at")
    return [dict(zip(names, _decode(row), strict=True)) for row in found]


def list_changes(db: Connection, *, actor: str, after_id: int, last_id: int) -> list[tuple[int, int]]:
    """(entry, record) of what an actor did to records in a stretch of the book, oldest first."""
    return db.execute(
        "SELECT id, record_id FROM audit WHERE id > ? AND id <= ? AND actor = ? AND record_id IS NOT NULL ORDER BY id",
        (after_id, last_id, actor),
    ).fetchall()


def read_entry(db: Connection, entry_id: int) -> dict[str, Any]:
    """One change by its number: action, before, after (dicts)."""
    row = db.execute("SELECT action, before, after FROM audit WHERE id = ?", (entry_id,)).fetchone()
    return {"action": row[0], "before": _load(row[1]), "after": _load(row[2])}


def _decode(row: tuple[object, ...]) -> tuple[object, ...]:
    return (*row[:2], _load(row[2]), _load(row[3]), *row[4:])


def _load(text: object) -> object:
    try:
        return loads(str(text)) if text else {}
    except ValueError:  # a forgotten text: only its hash is left
        return {"hash": text}
