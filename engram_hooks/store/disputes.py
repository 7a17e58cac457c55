"""Records that somebody's unconfirmed word speaks against: they stay true, and say by whom they are disputed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_hooks.store import records

if TYPE_CHECKING:
    from sqlite3 import Connection

PREFIX = "disputed by "


def mark(db: Connection, record_id: int, by: str, *, now_ms: int, actor: str) -> bool:
    """Say that `by` (a short id) speaks against a record; whether it was told as true and undisputed."""
    row = records.read(db, record_id)
    if row["status"] not in records.TOLD or row["status_reason"]:
        return False
    changes = {"status_reason": PREFIX + by}
    return records.update(
        db, record_id, changes, now_ms=now_ms, actor=actor, action="dispute", reason=PREFIX + by
    )


def drop(db: Connection, by_id: int, *, now_ms: int, actor: str) -> int:
    """Take back what a record said against others, once it is decided about; returns how many were disputed by it."""
    project_id = records.read(db, by_id)["project_id"]
    found = db.execute(
        "SELECT id, status_reason FROM records WHERE project_id = ? AND status IN ('active', 'compacted')"
        " AND status_reason LIKE ?",
        (project_id, PREFIX + "%"),
    ).fetchall()
    mine = [record_id for record_id, reason in found if reason[len(PREFIX) + 1 :] == str(by_id)]
    for record_id in mine:
        records.update(
            db, record_id, {"status_reason": ""}, now_ms=now_ms, actor=actor, action="dispute over", reason=""
        )
    return len(mine)
