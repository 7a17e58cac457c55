"""What sessions were about: one summary a session, made from its log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_hooks.guard.redact import redact
from engram_hooks.jsontext import mend
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Connection

    # (session id, project id, its last log row)
    Waiting = tuple[int, int, int]


def list_unsummarised(
    db: Connection, *, quiet_before_ms: int, project_id: int | None = None, limit: int
) -> list[Waiting]:
    """Sessions that said something since their summary and are quiet since a moment, the newest first."""
    return db.execute(
        "SELECT s.id, s.project_id, (SELECT max(l.id) FROM log l WHERE l.session_id = s.id) AS last"
        " FROM sessions s LEFT JOIN session_summaries m ON m.session_id = s.id"
        " WHERE s.logged_count > 0 AND s.last_at < ?1 AND (?2 IS NULL OR s.project_id = ?2)"
        " AND s.last_at >= coalesce(m.created_at, 0) AND last > coalesce(m.log_id, 0)"
        " ORDER BY s.last_at DESC, s.id DESC LIMIT ?3",
        (quiet_before_ms, project_id, limit),
    ).fetchall()


def put_summary(db: Connection, session_id: int, text: str, *, log_id: int, source: str, now_ms: int) -> None:
    """Keep what a session was about, redacted, in place of what was kept before. `source` as in the schema."""
    with Transaction(db):
        db.execute(
            "INSERT INTO session_summaries (session_id, text, log_id, source, created_at) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (session_id) DO UPDATE SET text = excluded.text, log_id = excluded.log_id,"
            " source = excluded.source, created_at = excluded.created_at",
            (session_id, mend(redact(text)), log_id, source, now_ms),
        )


def read_summaries(db: Connection, client_ids: Sequence[str]) -> dict[str, str]:
    """The summaries of sessions by the client's id; sessions without one are left out."""
    marks = ", ".join("?" * len(client_ids))
    rows = db.execute(
        "SELECT s.client_id, m.text FROM session_summaries m JOIN sessions s ON s.id = m.session_id"  # noqa: S608
        f" WHERE s.client_id IN ({marks}) AND m.text <> ''",
        tuple(client_ids),
    )
    return dict(rows.fetchall())


def delete_without_log(db: Connection) -> int:
    """Delete the summaries of sessions of which no line is left in the log; returns how many."""
    with Transaction(db):
        return db.execute(
            "DELETE FROM session_summaries WHERE text <> ''"
            " AND NOT EXISTS (SELECT 1 FROM log l WHERE l.session_id = session_summaries.session_id)"
        ).rowcount
