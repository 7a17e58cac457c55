"""Old conversation goes for good: log lines with their sessions' summaries, prompts, tool events, edits, checks."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from engram_hooks.store import summaries
from engram_hooks.store.erase import erase_trace
from engram_hooks.store.tidying import checkpoint
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from collections.abc import Callable
    from sqlite3 import Connection

BATCH = 500
BATCH_S = 0.03  # a transaction is closed after so long
PAUSE_S = 0.002  # others write between two
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


def prune(db: Connection, *, before_ms: int, may_go_on: Callable[[], bool] = lambda: True) -> dict[str, int]:
    """Delete what is older than a moment, in short transactions; returns how many rows of each table went.

    `may_go_on` is asked between them; what is left then goes the next time.
    """
    done = dict.fromkeys(_OLD, 0)
    for table, question in _OLD.items():
        while may_go_on():
            count = _prune_batch(db, table, question, before_ms)
            done[table] += count
            if not count:
                break
            checkpoint(db)
            time.sleep(PAUSE_S)
    if done["log"]:
        summaries.delete_without_log(db)
    return done


def _prune_batch(db: Connection, table: str, question: str, before_ms: int) -> int:
    count = 0
    with Transaction(db):
        limit = time.monotonic() + BATCH_S
        for (row_id,) in db.execute(question, (before_ms, BATCH)).fetchall():
            erase_trace(db, (table, row_id, "", ""))
            count += 1
            if time.monotonic() >= limit:
                break
    return count
