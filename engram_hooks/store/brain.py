"""What the user's own model was asked: the hourly budget, the rest after failures, how far sessions were read."""

from __future__ import annotations

from engram_hooks.store.transactions import Transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

    # (purpose, outcome, reason, token_count, took_ms, created_at)
    Call = tuple[str, str, str, int, int, int]

RUNNING, OK = "running", "ok"
HOUR_MS = 3_600_000
REST_AFTER = 3
"""So many failures in a row, and the model is left alone for an hour."""

_KEPT_MS = 30 * 86_400_000


def begin_call(
    db: Connection, purpose: str, *, token_count: int, max_calls: int, max_tokens: int, now_ms: int
) -> int | None:
    """Book a call before it is made and return its id; None where the hour's budget does not cover it.

    What others have booked counts, so that two processes never spend the same. A call that never ended counts like
    any other. Raises a `StoreError`.
    """
    with Transaction(db):
        db.execute("DELETE FROM brain_calls WHERE created_at < ?", (now_ms - _KEPT_MS,))
        calls, tokens = spent(db, since_ms=now_ms - HOUR_MS)
        if calls >= max_calls or tokens + token_count > max_tokens:
            return None
        done = db.execute(
            "INSERT INTO brain_calls (purpose, outcome, token_count, took_ms, created_at) VALUES (?, ?, ?, 0, ?)",
            (purpose, RUNNING, token_count, now_ms),
        )
        return int(done.lastrowid or 0)


def end_call(
    db: Connection, call_id: int, outcome: str, *, reason: str, token_count: int, took_ms: int
) -> None:
    """Note how a call ended; `reason` holds words of our own alone. Raises a `StoreError`."""
    with Transaction(db):
        db.execute(
            "UPDATE brain_calls SET outcome = ?, reason = ?, token_count = ?, took_ms = ? WHERE id = ?",
            (outcome, reason, token_count, took_ms, call_id),
        )


def spent(db: Connection, *, since_ms: int) -> tuple[int, int]:
    """(calls, tokens) since a moment."""
    row = db.execute(
        "SELECT count(*), coalesce(sum(token_count), 0) FROM brain_calls WHERE created_at > ?", (since_ms,)
    ).fetchone()
    return int(row[0]), int(row[1])


def rests_until(db: Connection, *, now_ms: int) -> int:
    """Until when (ms UTC) the model is left alone because its last calls all failed; 0 where it is not."""
    rows = db.execute(
        "SELECT outcome, created_at + took_ms FROM brain_calls WHERE outcome <> ? ORDER BY id DESC LIMIT ?",
        (RUNNING, REST_AFTER),
    ).fetchall()
    if len(rows) < REST_AFTER or any(outcome == OK for outcome, _ in rows):
        return 0
    until = int(min(rows[0][1], now_ms) + HOUR_MS)
    return until if until > now_ms else 0


def last_calls(db: Connection, *, limit: int) -> list[Call]:
    """The last calls, newest first."""
    return db.execute(
        "SELECT purpose, outcome, reason, token_count, took_ms, created_at FROM brain_calls ORDER BY id DESC LIMIT ?",
        (limit,),
    ).fetchall()


def list_unread(
    db: Connection, *, since_ms: int, quiet_before_ms: int, limit: int
) -> list[tuple[int, int, int]]:
    """(session id, project id, last log row that was read) of sessions that are over and said more since, newest first.

    Over is one that the client left, or that is quiet since a moment; what was last spoken in before `since_ms`
    is left alone, as are conversations that were brought in.
    """
    return db.execute(
        "SELECT s.id, s.project_id, coalesce(b.log_id, 0) FROM sessions s LEFT JOIN brain_sessions b"
        " ON b.session_id = s.id WHERE s.last_at >= ?1 AND s.logged_count > 0 AND s.client_id NOT LIKE 'import:%'"
        " AND (s.ended_at IS NOT NULL OR s.last_at < ?2) AND EXISTS"
        " (SELECT 1 FROM log l WHERE l.session_id = s.id AND l.agent = '' AND l.id > coalesce(b.log_id, 0))"
        " ORDER BY s.last_at DESC, s.id DESC LIMIT ?3",
        (since_ms, quiet_before_ms, limit),
    ).fetchall()


def read_until(db: Connection, session_id: int) -> int:
    """The last log row of a session that the model was given; 0 for none."""
    row = db.execute("SELECT log_id FROM brain_sessions WHERE session_id = ?", (session_id,)).fetchone()
    return int(row[0]) if row else 0


def set_read(db: Connection, session_id: int, log_id: int) -> None:
    """Note up to which log row the model was given a session; the caller holds the transaction."""
    db.execute(
        "INSERT INTO brain_sessions (session_id, log_id) VALUES (?, ?)"
        " ON CONFLICT (session_id) DO UPDATE SET log_id = max(log_id, excluded.log_id)",
        (session_id, log_id),
    )


def list_resting_on(db: Connection, session_id: int, uuid: str) -> list[tuple[str, str]]:
    """(summary, detail) of the records of a session that rest on a line of its log."""
    return db.execute(
        "SELECT r.summary, r.detail FROM records r JOIN evidence e ON e.record_id = r.id"
        " WHERE r.session_id = ? AND e.kind = 'log' AND e.ref = ?",
        (session_id, uuid),
    ).fetchall()
