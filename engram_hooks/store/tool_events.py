"""Tool events: edits, commands and how they ended, one row per use of a tool."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection


def record_event(db: Connection, session_id: int, event: dict[str, str], *, now_ms: int) -> None:
    """Write one event: keys tool, target, command, outcome, error, use_id, agent (all texts).

    A second event of the same use updates the row of the first; equal failures of a session share one row
    with a count, and only failures are searchable. The caller holds the transaction.
    """
    from engram_hooks.guard.redact import redact

    command = redact(event["command"])
    error = redact(event["error"])
    use_id, outcome = event["use_id"], event["outcome"]
    known = _event_of(db, use_id)
    if outcome == "failed":
        _record_failure(db, session_id, event, (command, error, known, now_ms))
    elif known is None:
        row = (
            session_id,
            event["tool"],
            redact(event["target"]),
            command,
            outcome,
            error,
            None,
            event["agent"],
        )
        _remember_use(db, use_id, _insert(db, row, now_ms))
    elif outcome != "started":
        db.execute(
            "UPDATE tool_events SET outcome = ?, updated_at = ? WHERE id = ?", (outcome, now_ms, known)
        )


def _record_failure(
    db: Connection, session_id: int, event: dict[str, str], what: tuple[str, str, int | None, int]
) -> None:
    command, error, known, now_ms = what
    key = _repeat_key(f"{event['tool']}\n{event['target']}\n{command}\n{error}")
    if known is not None:
        settled = db.execute("SELECT outcome FROM tool_events WHERE id = ?", (known,)).fetchone()
        if settled and settled[0] == "failed":
            return  # the same event was delivered twice
        db.execute("DELETE FROM tool_events WHERE id = ? AND outcome = 'started'", (known,))
    same = db.execute(
        "SELECT id FROM tool_events WHERE session_id = ? AND repeat_key = ?", (session_id, key)
    ).fetchone()
    if same:
        event_id = int(same[0])
        db.execute(
            "UPDATE tool_events SET repeat_count = repeat_count + 1, updated_at = ? WHERE id = ?",
            (now_ms, event_id),
        )
    else:
        from engram_hooks.guard.redact import redact

        target = redact(event["target"])
        row = (session_id, event["tool"], target, command, "failed", error, key, event["agent"])
        event_id = _insert(db, row, now_ms)
        from engram_hooks.terms import index_terms

        terms = index_terms(f"{target} {command} {error}")
        db.execute("INSERT INTO tool_events_fts (rowid, text) VALUES (?, ?)", (event_id, terms))
    _remember_use(db, event["use_id"], event_id)


def _insert(db: Connection, row: tuple[object, ...], now_ms: int) -> int:
    cursor = db.execute(
        "INSERT INTO tool_events (session_id, tool, target, command, outcome, error, repeat_key, agent,"
        " created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*row, now_ms, now_ms),
    )
    return int(cursor.lastrowid or 0)


def _event_of(db: Connection, use_id: str) -> int | None:
    if not use_id:
        return None
    row = db.execute("SELECT event_id FROM tool_uses WHERE tool_use_id = ?", (use_id,)).fetchone()
    return int(row[0]) if row else None


def _remember_use(db: Connection, use_id: str, event_id: int) -> None:
    if use_id:
        db.execute(
            "INSERT OR REPLACE INTO tool_uses (tool_use_id, event_id) VALUES (?, ?)", (use_id, event_id)
        )


def _repeat_key(text: str) -> str:
    import zlib

    data = text.encode("utf-8", "replace")
    return f"{len(data):x}-{zlib.crc32(data):08x}{zlib.adler32(data):08x}"


def touched_files(db: Connection, session_id: int, *, limit: int) -> list[str]:
    """The files that tools of the session edited, latest first."""
    return [
        row[0]
        for row in db.execute(
            "SELECT target FROM tool_events WHERE session_id = ? AND outcome IN ('ok', 'started') AND target <> ''"
            " AND tool IN ('Edit', 'Write', 'MultiEdit', 'NotebookEdit')"
            " GROUP BY target ORDER BY max(updated_at) DESC, target LIMIT ?",
            (session_id, limit),
        )
    ]
