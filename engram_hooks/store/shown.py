"""What was put into a context: each record once per session and epoch."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from sqlite3 import Connection


def shown_ids(db: Connection, session_id: int, epoch: int) -> set[int]:
    """The records that the session's present context already holds."""
    rows = db.execute("SELECT record_id FROM shown WHERE session_id = ? AND epoch = ?", (session_id, epoch))
    return {row[0] for row in rows}


def add_shown(
    db: Connection,
    session_id: int,
    epoch: int,
    items: Iterable[tuple[int, int, str]],
    *,
    surface: str,
    now_ms: int,
) -> None:
    """Note (record id, tokens, reason) items as shown on a surface: `boot` or `minder`."""
    db.executemany(
        "INSERT OR IGNORE INTO shown (session_id, epoch, record_id, surface, token_count, reason, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(session_id, epoch, record, surface, tokens, reason, now_ms) for record, tokens, reason in items],
    )
