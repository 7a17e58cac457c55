"""What a context was told of files and changes, and which edits were held up once: nothing is said or asked twice.

A context is the conversation of a session, or that of one of its subagents, until it is compacted.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from sqlite3 import Connection

    # (session id, agent, epoch)
    Context = tuple[int, str, int]

BRIEF, ADVICE, PROMPT = "brief", "advice", "prompt"


def told_subjects(db: Connection, context: Context, surface: str, start: str) -> dict[str, int]:
    """The subjects that begin with `start` (not '') and were told on a surface, with the characters they took."""
    rows = db.execute(
        "SELECT subject, char_count FROM told WHERE session_id = ? AND agent = ? AND epoch = ? AND surface = ?"
        " AND subject >= ? AND subject < ?",
        (*context, surface, start, start[:-1] + chr(ord(start[-1]) + 1)),
    )
    return dict(rows.fetchall())


def add_told(
    db: Connection, context: Context, surface: str, subjects: Iterable[tuple[str, int]], *, now_ms: int
) -> None:
    """Note (subject, characters) pairs as told. The caller holds the transaction."""
    db.executemany(
        "INSERT OR IGNORE INTO told (session_id, agent, epoch, surface, subject, char_count, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(*context, surface, subject, chars, now_ms) for subject, chars in subjects],
    )


def hold_up(db: Connection, context: Context, key: str, *, now_ms: int) -> bool:
    """Note that this context is held up at a change; False where it was before. The caller holds the transaction."""
    session_id, agent, epoch = context
    done = db.execute(
        "INSERT OR IGNORE INTO confirmations (key, session_id, agent, epoch, created_at) VALUES (?, ?, ?, ?, ?)",
        (key, session_id, agent, epoch, now_ms),
    )
    return done.rowcount == 1
