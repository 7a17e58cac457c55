"""How much is kept: numbers about a project and the store as a whole."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from sqlite3 import Connection


def count_kinds(db: Connection, project_ids: Iterable[int]) -> dict[str, int]:
    """How many records of these projects are told as true, by kind."""
    projects = list(project_ids)
    marks = ", ".join("?" * len(projects))
    return dict(
        db.execute(
            f"SELECT kind, count(*) FROM records WHERE project_id IN ({marks})"  # noqa: S608
            " AND status IN ('active', 'compacted') GROUP BY kind ORDER BY 2 DESC, 1",
            projects,
        ).fetchall()
    )


def count_conversation(db: Connection, project_id: int) -> dict[str, int]:
    """Sessions, log lines, tool events and failed ones of a project, and the moment (ms) of its last session."""
    sessions, last_at = db.execute(
        "SELECT count(*), coalesce(max(last_at), 0) FROM sessions WHERE project_id = ?", (project_id,)
    ).fetchone()
    lines = db.execute(
        "SELECT count(*) FROM log l JOIN sessions s ON s.id = l.session_id WHERE s.project_id = ?",
        (project_id,),
    ).fetchone()[0]
    events, failed = db.execute(
        "SELECT count(*), coalesce(sum(e.outcome = 'failed'), 0) FROM tool_events e"
        " JOIN sessions s ON s.id = e.session_id WHERE s.project_id = ?",
        (project_id,),
    ).fetchone()
    return {"sessions": sessions, "log": lines, "events": events, "failed": failed, "last_at": last_at}


def count_shown(db: Connection, project_id: int) -> dict[str, int]:
    """How many records were put into contexts of a project, by surface, and the tokens that cost."""
    rows = db.execute(
        "SELECT h.surface, count(*), coalesce(sum(h.token_count), 0) FROM shown h"
        " JOIN sessions s ON s.id = h.session_id WHERE s.project_id = ? GROUP BY h.surface",
        (project_id,),
    ).fetchall()
    found = {surface: count for surface, count, _ in rows}
    return {**found, "tokens": sum(tokens for _, _, tokens in rows)}
