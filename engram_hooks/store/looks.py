"""Summaries that were kept under other signs than those of now: looked at again, in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_hooks.guard.firewall import LOOKED, look
from engram_hooks.store import meta
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from sqlite3 import Connection

FACT = "looked_by"
BATCH = 500


def look_again(db: Connection, *, limit: int = BATCH) -> int:
    """Look at summaries that were kept under other signs, at most `limit`; how many there were.

    Nothing that a summary says changes, so the book of changes has no entry.
    """
    if meta.get_fact(db, FACT) == str(LOOKED):
        return 0
    rows = db.execute("SELECT id, summary FROM records WHERE abs(looked_by) <> ? LIMIT ?", (LOOKED, limit))
    looked = [(look(summary), record_id) for record_id, summary in rows.fetchall()]
    with Transaction(db):
        db.executemany("UPDATE records SET looked_by = ? WHERE id = ?", looked)
        if len(looked) < limit:
            meta.set_fact(db, FACT, str(LOOKED))
    return len(looked)
