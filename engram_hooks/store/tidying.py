"""The store's file kept tidy in small steps: none holds the write lock for long.

Statistics for the planner (`PRAGMA optimize`) are left out on purpose: the plans of the hot queries are tested
without them.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from engram_hooks.store.connect import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from sqlite3 import Connection

INCREMENTAL = 2
FULL_TEXTS = "records_fts", "log_fts", "tool_events_fts", "attempts_fts"
AUTO_CHECKPOINT_PAGES = 1_000  # what SQLite does by itself
FREE_PAGES = 64  # in one step
MERGE_PAGES = 32  # in one step
MAX_MERGES = 60  # of one index
_PAUSE_S = 0.002


def can_free(db: Connection) -> bool:
    """Whether single pages of the file can be given back: set when a store is made, or by a full VACUUM."""
    return int(db.execute("PRAGMA auto_vacuum").fetchone()[0]) == INCREMENTAL


def count_free_pages(db: Connection) -> int:
    """Pages of the file that hold nothing."""
    return int(db.execute("PRAGMA freelist_count").fetchone()[0])


def free_pages(db: Connection, *, max_steps: int, may_go_on: Callable[[], bool]) -> int:
    """Give free pages back, some at a time; returns how many. Raises a `StoreError`."""
    before = count_free_pages(db)
    for _ in range(max_steps):
        if not count_free_pages(db) or not may_go_on():
            break
        # the driver takes one step of a statement without columns, which frees one page; a script it takes to its end
        run(lambda: db.executescript(f"PRAGMA incremental_vacuum({FREE_PAGES})"))
        time.sleep(_PAUSE_S)
    return max(0, before - count_free_pages(db))


def merge_full_text(db: Connection, *, may_go_on: Callable[[], bool]) -> int:
    """Merge the parts of the full-text indexes, some pages at a time; returns in how many steps."""
    steps = 0
    for table in FULL_TEXTS:
        for _ in range(MAX_MERGES):
            if not may_go_on():
                return steps
            before = db.total_changes
            sql = f"INSERT INTO {table} ({table}, rank) VALUES ('merge', ?)"  # noqa: S608 (own names)
            run(lambda sql=sql: db.execute(sql, (MERGE_PAGES,)))  # type: ignore[misc]
            if db.total_changes - before < 2:  # nothing was left to merge
                break
            steps += 1
            time.sleep(_PAUSE_S)
    return steps


def leave_checkpoints(db: Connection, *, pages: int = 0) -> None:
    """Let commits of this connection move nothing into the file (0), or do so from so many pages on.

    Who leaves them calls `checkpoint` between transactions, when nobody waits for the lock.
    """
    db.execute(f"PRAGMA wal_autocheckpoint = {pages}")


def checkpoint(db: Connection) -> None:
    """Move what the write-ahead log holds into the file, as far as no reader is in the way."""
    run(lambda: db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall())
