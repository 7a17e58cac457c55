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


def count_use(db: Connection, project_id: int) -> dict[str, dict[str, int]]:
    """What became of what was shown in a project, by surface: shown, tokens, used, ignored, wrong, unknown, and open:
    not judged yet.
    """
    rows = db.execute(
        "SELECT h.surface, count(*), coalesce(sum(h.token_count), 0), coalesce(sum(v.verdict = 'used'), 0),"
        " coalesce(sum(v.verdict = 'ignored'), 0), coalesce(sum(v.verdict = 'wrong'), 0),"
        " coalesce(sum(v.verdict = 'unknown'), 0), sum(v.verdict IS NULL) FROM shown h"
        " JOIN sessions s ON s.id = h.session_id LEFT JOIN verdicts v ON v.shown_id = h.id"
        " WHERE s.project_id = ? GROUP BY h.surface ORDER BY h.surface",
        (project_id,),
    ).fetchall()
    names = "shown", "tokens", "used", "ignored", "wrong", "unknown", "open"
    return {row[0]: dict(zip(names, row[1:], strict=True)) for row in rows}


def count_silence(db: Connection, project_id: int) -> dict[str, int]:
    """Turns of a project, those to which nothing was added, and corrections that a record not shown had spared."""
    turns, silent = db.execute(
        "SELECT count(*), coalesce(sum(NOT EXISTS (SELECT 1 FROM shown h WHERE h.session_id = p.session_id"
        " AND h.surface = 'minder' AND (h.prompt_id = p.prompt_id OR h.created_at = p.created_at))), 0)"
        " FROM prompts p JOIN sessions s ON s.id = p.session_id WHERE s.project_id = ?",
        (project_id,),
    ).fetchone()
    missed = db.execute(
        "SELECT count(*) FROM misses m JOIN sessions s ON s.id = m.session_id WHERE s.project_id = ?",
        (project_id,),
    ).fetchone()[0]
    return {"turns": turns, "silent": silent, "missed": missed}


def list_held_back(
    db: Connection, project_id: int, *, below: float, limit: int
) -> list[tuple[int, str, str, float]]:
    """(id, kind, summary, standing) of records told as true that stand below a standing in a project, worst first."""
    return db.execute(
        "SELECT r.id, r.kind, r.summary, u.standing FROM usage u JOIN records r ON r.id = u.record_id"
        " WHERE u.project_id = ? AND u.standing < ? AND r.status IN ('active', 'compacted')"
        " ORDER BY u.standing, r.id LIMIT ?",
        (project_id, below, limit),
    ).fetchall()
