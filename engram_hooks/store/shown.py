"""What was put into a context: each record once per session and epoch, and how such records were taken."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from sqlite3 import Connection
    from typing import Any

# a standing within these bounds changes nothing (`recall.standing`)
PLAIN = (0.0, 1.6)


def shown_ids(db: Connection, session_id: int, epoch: int) -> set[int]:
    """The records that the session's present context already holds."""
    rows = db.execute("SELECT record_id FROM shown WHERE session_id = ? AND epoch = ?", (session_id, epoch))
    return {row[0] for row in rows}


def read_standings(
    db: Connection, project_id: int, record_ids: Sequence[int]
) -> dict[int, tuple[float, int]]:
    """(standing, moment in ms) by id of those among some records whose use in a project changes something."""
    marks = ", ".join("?" * len(record_ids))
    rows = db.execute(
        f"SELECT record_id, standing, updated_at FROM usage WHERE project_id = ? AND record_id IN ({marks})"  # noqa: S608
        " AND standing NOT BETWEEN ? AND ?",
        (project_id, *record_ids, *PLAIN),
    )
    return {row[0]: (row[1], row[2]) for row in rows.fetchall()}


def add_shown(
    db: Connection,
    session_id: int,
    epoch: int,
    items: Iterable[tuple[int, int, str]],
    *,
    surface: str,
    now_ms: int,
    prompt_id: str | None = None,
) -> None:
    """Note (record id, tokens, reason) items as shown on a surface: `boot` or `minder`."""
    db.executemany(
        "INSERT OR IGNORE INTO shown"
        " (session_id, epoch, record_id, surface, token_count, reason, created_at, prompt_id)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (session_id, epoch, record, surface, tokens, reason, now_ms, prompt_id)
            for record, tokens, reason in items
        ],
    )


def list_shown(db: Connection, session_id: int) -> list[dict[str, Any]]:
    """What a session was given, in order: record_id, kind, summary, epoch, surface, reason, tokens, at, prompt; verdict
    ('' for none yet) and why.
    """
    rows = db.execute(
        "SELECT s.record_id, r.kind, r.summary, s.epoch, s.surface, s.reason, s.token_count, s.created_at,"
        " coalesce((SELECT p.text FROM prompts p WHERE p.session_id = s.session_id"
        "  AND p.prompt_id = s.prompt_id LIMIT 1), ''), coalesce(v.verdict, ''), coalesce(v.reason, '')"
        " FROM shown s LEFT JOIN records r ON r.id = s.record_id LEFT JOIN verdicts v ON v.shown_id = s.id"
        " WHERE s.session_id = ? ORDER BY s.id",
        (session_id,),
    )
    names = "record_id kind summary epoch surface reason tokens at prompt verdict verdict_reason".split()
    return [dict(zip(names, row, strict=True)) for row in rows.fetchall()]


def latest_session(db: Connection, project_id: int, start: str = "") -> tuple[int, str] | None:
    """(number, the client's id) of a project's last session whose id begins with `start`; None where none is."""
    row: tuple[int, str] | None = db.execute(
        "SELECT id, client_id FROM sessions WHERE project_id = ? AND substr(client_id, 1, ?) = ?"
        " AND client_id NOT LIKE 'import:%' ORDER BY last_at DESC, id DESC LIMIT 1",
        (project_id, len(start), start),
    ).fetchone()
    return row
