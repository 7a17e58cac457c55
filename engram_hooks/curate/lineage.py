"""Records that went into another one or out of sight, and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engram_hooks.errors import EngramError
from engram_hooks.store import audit, lookup, records, upkeep
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from sqlite3 import Connection

# how the words of what was merged stand in the detail of what took them in
ALSO_SAID = "Also: "
PUT_AWAY = "archived", "compacted", "expired", "stale"
_RETURNED_TO = (*records.TOLD, "candidate", "needs_review")
_NEVER_TAKEN_BACK = frozenset(("id", "uid", "created_at", "updated_at"))


def archive(
    db: Connection,
    record_id: int,
    *,
    status: str,
    reason: str,
    now_ms: int,
    actor: str,
    valid_to: int | None = None,
) -> bool:
    """Put a told record out of sight (`archived`, `expired`); whether it was still told."""
    row = records.read(db, record_id)
    if row["status"] not in records.TOLD:
        return False
    changes: dict[str, Any] = {"status": status, "status_reason": reason, "expired_at": now_ms}
    if valid_to is not None:
        changes["valid_to"] = max(valid_to, row["valid_from"])
    return records.update(
        db, record_id, changes, now_ms=now_ms, actor=actor, reason=reason, action=f"status {status}"
    )


def fold(db: Connection, child_id: int, parent_id: int, *, reason: str, now_ms: int, actor: str) -> bool:
    """Let a record go into another that says the same: archived with its parent, evidence and counts summed up.

    False where one of the two is not told any more.
    """
    child, parent = records.read(db, child_id), records.read(db, parent_id)
    if any(row["status"] not in records.TOLD for row in (child, parent)):
        return False
    with Transaction(db):
        used = [row["last_used_at"] for row in (child, parent) if row["last_used_at"] is not None]
        sums = {name: parent[name] + child[name] for name in ("use_count", "ignored_count")}
        best = {name: max(parent[name], child[name]) for name in ("importance", "confidence")}
        changes = {**sums, **best, "last_used_at": max(used, default=None)}
        records.update(
            db, parent_id, changes, now_ms=now_ms, actor=actor, reason=f"takes in {child_id}", action="merge"
        )
        return put_under(db, child_id, parent_id, reason=reason, now_ms=now_ms, actor=actor)


def put_under(db: Connection, child_id: int, parent_id: int, *, reason: str, now_ms: int, actor: str) -> bool:
    """Archive a record as a part of another, which gets its evidence; within the caller's transaction."""
    for item in lookup.list_evidence(db, child_id):
        records.add_evidence(db, parent_id, item["kind"], item["ref"], now_ms=now_ms, detail=item["detail"])
    changes = {"status": "archived", "parent_id": parent_id, "status_reason": reason, "expired_at": now_ms}
    return records.update(
        db, child_id, changes, now_ms=now_ms, actor=actor, reason=reason, action="status archived"
    )


def restore(db: Connection, record_id: int, *, now_ms: int, actor: str = "person") -> bool:
    """Bring a record back as it was before it was put out of sight; False where it is told already.

    What was merged leaves its parent, which keeps no count and no evidence of it. Raises `EngramError` for a record
    that nothing put away: retracted and superseded ones have a command of their own.
    """
    with Transaction(db):
        row = records.read(db, record_id)
        if row["status"] in records.TOLD and row["parent_id"] is None:
            return False
        if row["status"] not in PUT_AWAY:
            raise EngramError(
                f"record {record_id} is {row['status']}: that is not undone by a restore",
                hint=f"engram forget --undo {record_id}"
                if row["status"] in ("retracted", "superseded")
                else f"engram show {record_id}",
            )
        before = _before_it_went(db, record_id, row["status"])
        if row["parent_id"] is not None and before.get("parent_id", row["parent_id"]) is None:
            _take_out_of(db, row, now_ms=now_ms, actor=actor)
        return records.update(
            db, record_id, before, now_ms=now_ms, actor=actor, reason="brought back", action="restore"
        )


def undo_entries(
    db: Connection, *, first_id: int, last_id: int, actor: str, now_ms: int
) -> tuple[list[int], list[int]]:
    """Take back what an actor changed in a stretch of the book of changes, the newest first.

    Returns (records taken back, records that were changed since and stay as they are).
    """
    entries = audit.list_changes(db, actor=actor, after_id=first_id, last_id=last_id)
    done: dict[int, None] = {}
    kept: dict[int, None] = {}
    for entry_id, record_id in reversed(entries):
        with Transaction(db):
            is_undone = record_id not in kept and _undo(db, entry_id, record_id, now_ms=now_ms)
        (done if is_undone else kept)[record_id] = None
    return [number for number in done if number not in kept], list(kept)


def _undo(db: Connection, entry_id: int, record_id: int, *, now_ms: int) -> bool:
    entry = audit.read_entry(db, entry_id)
    row = records.read(db, record_id)
    reason = "the run of consolidation was taken back"
    if entry["action"] == "add":
        records.set_status(db, record_id, "retracted", now_ms=now_ms, actor="person", reason=reason)
        return True
    before, after = entry["before"], entry["after"]
    if any(row.get(name) != value for name, value in after.items()):
        return False
    if row["parent_id"] is not None and "parent_id" in after:
        _drop_shared_evidence(db, row)
    changes = {name: value for name, value in before.items() if name not in _NEVER_TAKEN_BACK}
    records.update(db, record_id, changes, now_ms=now_ms, actor="person", reason=reason, action="undo")
    return True


def _before_it_went(db: Connection, record_id: int, status: str) -> dict[str, Any]:
    """The columns as they were before a record got the status it has, and what else but a person changed since.

    A bare return to `active` where the book of changes does not tell.
    """
    entries = audit.list_entries(db, record_id)
    for at in range(len(entries) - 1, -1, -1):
        entry = entries[at]
        if entry["after"].get("status") != status or entry["before"].get("status") not in _RETURNED_TO:
            continue
        before: dict[str, Any] = {}
        for later in entries[at:]:
            if later is entry or later["actor"] != "person":
                before = {**later["before"], **before}
        return {name: value for name, value in before.items() if name not in _NEVER_TAKEN_BACK}
    return {"status": "active", "parent_id": None, "expired_at": None, "valid_to": None, "status_reason": ""}


def _take_out_of(db: Connection, child: dict[str, Any], *, now_ms: int, actor: str) -> None:
    """Subtract a child from the parent it was merged into."""
    parent = lookup.read_many(db, [child["parent_id"]])
    if not parent or parent[0]["status"] == "retracted":
        return
    _drop_shared_evidence(db, child)
    sums: dict[str, Any] = {
        name: max(0, parent[0][name] - child[name]) for name in ("use_count", "ignored_count") if child[name]
    }
    kept = "\n".join(line for line in parent[0]["detail"].split("\n") if line != ALSO_SAID + child["summary"])
    if kept != parent[0]["detail"]:
        sums["detail"] = kept
    if sums:
        reason = f"{child['id']} was brought back"
        records.update(db, parent[0]["id"], sums, now_ms=now_ms, actor=actor, reason=reason, action="unmerge")


def _drop_shared_evidence(db: Connection, child: dict[str, Any]) -> None:
    """Take evidence from the parent that came to it with the child."""
    upkeep.drop_evidence_of(
        db, child["parent_id"], child["id"], since_ms=child["expired_at"] or child["updated_at"]
    )
