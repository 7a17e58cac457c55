"""Records that only a person may put aside and whose ground in the code is gone: asked about, kept or put aside."""

from __future__ import annotations

from dataclasses import dataclass
from sqlite3 import Connection
from typing import Any

from engram_hooks.curate.ground.anchor_checks import find_fault
from engram_hooks.curate.protection import is_protected
from engram_hooks.curate.record import Record, from_row
from engram_hooks.errors import EngramError
from engram_hooks.store import anchors, lookup, records
from engram_hooks.store.transactions import Transaction

QUESTION = "doubt"


@dataclass(frozen=True, slots=True)
class Doubt:
    """A record that is told as true, and what of its ground is gone."""

    record: Record
    reason: str

    @property
    def ref(self) -> str:
        """What an answer names it by."""
        return self.record.short_id

    def ask(self) -> tuple[str, ...]:
        """(what it is about, what is asked)."""
        return f"{self.record.kind}: {self.record.summary}", f"is it still true? {self.reason}"

    def as_question(self) -> dict[str, Any]:
        """The doubt for JSON."""
        return {**self.record.as_dict(), "question": QUESTION, "reason": self.reason}


def list_doubts(db: Connection, project_id: int) -> list[Doubt]:
    """The protected records of a project that speak of what is gone, newest first, until somebody answers."""
    touched = [one for one in anchors.list_touched(db, project_id) if _is_protected(one)]
    held = anchors.read_anchors(db, [one.id for one in touched])
    faults = {one.id: find_fault(held[one.id]) for one in touched}
    rows = lookup.read_many(db, [number for number, fault in faults.items() if fault])
    return [Doubt(from_row(row), "; ".join(one.reason for one in faults[row["id"]])) for row in rows]


def keep(db: Connection, record_id: int) -> Record:
    """Let a record stand although its ground is gone. Raises `EngramError` where it is in no doubt."""
    with Transaction(db):
        row = records.read(db, record_id)
        if not anchors.waive(db, record_id):
            raise EngramError(
                f"{from_row(row).short_id} is in no doubt: all that it speaks of is there",
                hint=f"engram show {record_id}",
            )
    return from_row(row)


def put_aside(db: Connection, record_id: int, *, now_ms: int) -> Record:
    """Make a record stale, as a person wants; it comes back with its ground, or by `engram forget --undo`."""
    with Transaction(db):
        gone = [one.reason for one in anchors.read_anchors(db, [record_id])[record_id] if one.reason]
        records.set_status(
            db, record_id, "stale", now_ms=now_ms, actor="person", reason="; ".join(gone) or "put aside"
        )
        return from_row(records.read(db, record_id))


def is_in_doubt(db: Connection, record_id: int) -> bool:
    """Whether a record that is told as true speaks of what is gone, and nobody has answered to that."""
    row = records.read(db, record_id)
    return row["status"] in records.TOLD and bool(
        find_fault(anchors.read_anchors(db, [record_id])[record_id])
    )


def _is_protected(record: anchors.Anchored) -> bool:
    return is_protected({"kind": record.kind, "is_pinned": record.is_pinned, "tags": record.tags})
