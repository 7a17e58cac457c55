"""How a store is: what doctor reports about the file and its queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from engram_hooks.store.check import check_store
from engram_hooks.store.connect import run

if TYPE_CHECKING:
    from sqlite3 import Connection


class Health(TypedDict):
    """What was measured of a store; `problems` is empty for a sound one."""

    schema: int
    journal_mode: str
    size_bytes: int
    free_bytes: int
    problems: list[str]
    pending_jobs: int
    failing_jobs: list[str]


def read_health(db: Connection, *, now_ms: int) -> Health:
    """Look an open store over; reads all of it once. Raises `StoreDamaged` where it cannot be read at all."""

    def read(pragma: str) -> str:
        return str(run(lambda: db.execute(f"PRAGMA {pragma}").fetchone()[0]))

    page_bytes = int(read("page_size"))
    return Health(
        schema=int(read("user_version")),
        journal_mode=read("journal_mode"),
        size_bytes=page_bytes * int(read("page_count")),
        free_bytes=page_bytes * int(read("freelist_count")),
        problems=check_store(db),
        pending_jobs=run(lambda: _count_pending(db, now_ms)),
        failing_jobs=run(lambda: _list_failing(db)),
    )


def _count_pending(db: Connection, now_ms: int) -> int:
    row = db.execute("SELECT count(*) FROM jobs WHERE due_at <= ?", (now_ms,)).fetchone()
    return int(row[0])


def _list_failing(db: Connection) -> list[str]:
    rows = db.execute(
        "SELECT kind, last_error FROM jobs WHERE last_error <> '' ORDER BY id LIMIT 20"
    ).fetchall()
    return [f"{kind}: {error}" for kind, error in rows]
