"""Old conversation goes for good: log lines, prompts, tool events, edits and checks. Records and attempts stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_hooks.store.erase import erase_trace
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from sqlite3 import Connection

BATCH = 500
_OLD = {
    "log": "SELECT id FROM log WHERE created_at < ? ORDER BY id LIMIT ?",
    "tool_events": "SELECT id FROM tool_events WHERE updated_at < ? ORDER BY id LIMIT ?",
    "prompts": "SELECT id FROM prompts WHERE created_at < ? ORDER BY id LIMIT ?",
    "edits": "SELECT id FROM edits WHERE created_at < ? ORDER BY id LIMIT ?",
    "check_runs": "SELECT id FROM check_runs WHERE created_at < ? ORDER BY id LIMIT ?",
}
_COUNT = {
    "log": "SELECT count(*) FROM log WHERE created_at < ?",
    "tool_events": "SELECT count(*) FROM tool_events WHERE updated_at < ?",
    "prompts": "SELECT count(*) FROM prompts WHERE created_at < ?",
    "edits": "SELECT count(*) FROM edits WHERE created_at < ?",
    "check_runs": "SELECT count(*) FROM check_runs WHERE created_at < ?",
}


def count_old(db: Connection, *, before_ms: int) -> dict[str, int]:
    """How many rows of each table are older than a moment."""
    return {
        table: int(db.execute(question, (before_ms,)).fetchone()[0]) for table, question in _COUNT.items()
    }


def prune(db: Connection, *, before_ms: int) -> dict[str, int]:
    """Delete what is older than a moment, in short transactions; returns how many rows of each table went."""
    done = dict.fromkeys(_OLD, 0)
    for table, question in _OLD.items():
        while True:
            with Transaction(db):
                ids = [row[0] for row in db.execute(question, (before_ms, BATCH)).fetchall()]
                for row_id in ids:
                    erase_trace(db, (table, row_id, "", ""))
            done[table] += len(ids)
            if len(ids) < BATCH:
                break
    return done
