"""What must hold at the end of the year: nothing protected was changed, everything put away can come back."""

from __future__ import annotations

from dataclasses import dataclass
from sqlite3 import Connection

from engram_hooks.curate import lineage
from engram_hooks.curate.protection import PROTECTED_KINDS
from engram_hooks.store import handled, records

BY_PEOPLE = "person", "import"
# what may happen to a protected record without a person: it is added, linked to what it rests on, and read
_HARMLESS = "add", "evidence", "claims", "anchors"


@dataclass(frozen=True, slots=True)
class Kept:
    """How many protected records there are, how many changed without a person; what was put away and came back."""

    protected: int = 0
    protected_changed: int = 0
    put_away: int = 0
    restored: int = 0


def check_kept(db: Connection, *, now_ms: int) -> Kept:
    """Look through the book of changes, then bring back all that is put away, one by one: this changes the store."""
    kinds = PROTECTED_KINDS
    protected = handled.count_of_kinds(db, kinds)
    changed = handled.count_changed(db, kinds, but_by=BY_PEOPLE, but_for=_HARMLESS)
    rows = handled.list_put_away(db)
    restored = 0
    for record_id, summary in rows:
        lineage.restore(db, record_id, now_ms=now_ms)
        row = records.read(db, record_id)
        restored += row["status"] == "active" and row["summary"] == summary
    return Kept(protected, changed, len(rows), restored)
