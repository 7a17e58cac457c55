"""The sessions of a project as people look for them: when, on which branch, how long, how it began."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from sqlite3 import Connection


class SessionRow(TypedDict):
    """One session; moments in ms UTC, `ended_at` None while it runs or was killed; `summary` '' before it has one."""

    session: str
    project_id: int
    project: str
    branch: str
    started_at: int
    last_at: int
    ended_at: int | None
    lines: int
    candidates: int
    first_prompt: str
    summary: str


_NAMES = (
    *("session", "project_id", "project", "branch", "started_at", "last_at", "ended_at", "lines"),
    *("candidates", "first_prompt", "summary"),
)


def list_sessions(
    db: Connection, *, project_id: int | None, since_ms: int | None = None, limit: int = 20
) -> list[SessionRow]:
    """The newest sessions that logged or asked something, newest first; project None lists all projects."""
    rows = db.execute(
        "SELECT s.client_id, s.project_id, coalesce(p.name, ''), s.branch, s.started_at, s.last_at, s.ended_at,"
        " s.logged_count,"
        " (SELECT count(*) FROM records r WHERE r.session_id = s.id AND r.status = 'candidate'),"
        " coalesce((SELECT plain(l.text) FROM log l WHERE l.session_id = s.id AND l.role = 'user' AND l.agent = ''"
        "  ORDER BY l.id LIMIT 1), (SELECT q.text FROM prompts q WHERE q.session_id = s.id ORDER BY q.id LIMIT 1), ''),"
        " coalesce(m.text, '')"
        " FROM sessions s LEFT JOIN projects p ON p.id = s.project_id"
        " LEFT JOIN session_summaries m ON m.session_id = s.id"
        " WHERE (?1 IS NULL OR s.project_id = ?1) AND (?2 IS NULL OR s.last_at >= ?2)"
        " AND (s.logged_count > 0 OR EXISTS (SELECT 1 FROM prompts q WHERE q.session_id = s.id))"
        " ORDER BY s.last_at DESC, s.id DESC LIMIT ?3",
        (project_id, since_ms, limit),
    ).fetchall()
    return [dict(zip(_NAMES, row, strict=True)) for row in rows]  # type: ignore[misc]


def find_client_ids(db: Connection, start: str, *, limit: int = 3) -> list[str]:
    """The client's ids of sessions that begin with `start`."""
    rows = db.execute(
        "SELECT client_id FROM sessions WHERE substr(client_id, 1, ?) = ? ORDER BY last_at DESC LIMIT ?",
        (len(start), start, limit),
    ).fetchall()
    return [row[0] for row in rows]
