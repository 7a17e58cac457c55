"""The boot pack out of the store: the foremost records and where the last session stopped."""

from __future__ import annotations

from engram_hooks.recall.boot import build_pack, user_line
from engram_hooks.recall.fields import KINDS
from engram_hooks.recall.resume import cursor
from engram_hooks.store import boot, log, sessions, tool_events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

    from engram_hooks.recall.resume import Cursor

PER_KIND = 16
RECENT_SESSIONS = 4
RESUME_ROWS = 60
RESUME_FILES = 6


def pack(
    db: Connection,
    project_id: int,
    *,
    branch: str,
    max_chars: int,
    now_ms: int,
    without_session: int | None = None,
) -> tuple[str, list[int], str]:
    """(text for the model, ids of its records, line for the user) for a session of the project.

    `without_session` is one whose conversation the model has before it, so that it needs no summary.
    """
    rows = boot.foremost_records(db, project_id, KINDS, per_kind=PER_KIND)
    total = boot.count_told(db, project_id)
    last_id, resume = _resume(db, project_id, without_session)
    name = boot.project_name(db, project_id)
    text, ids = build_pack(
        rows,
        project=name,
        branch=branch,
        records=total,
        resume=resume,
        session_id=last_id,
        tried=latest_summaries(db, project_id),
        max_chars=max_chars,
    )
    last_at = resume["at_ms"] if resume else 0
    threads = len(resume["open"]) if resume else 0
    line = user_line(
        shown=len(ids), records=total, chars=len(text), last_at=last_at, now_at=now_ms, open_threads=threads
    )
    return text, ids, line


def latest_summaries(db: Connection, project_id: int) -> list[tuple[int, str, int]]:
    """(id, summary, moment) of the approaches that were given up last."""
    if not sessions.has_abandoned(db, project_id):
        return []
    from engram_hooks.recall.tried import summarise
    from engram_hooks.sessions.tried import latest_tried

    return [(one[0][0], summarise(one, path=path), one[0][12]) for one, path in latest_tried(db, project_id)]


def _resume(db: Connection, project_id: int, without_session: int | None) -> tuple[int | None, Cursor | None]:
    """Where the last session with a conversation stopped; after a compaction that is this one."""
    for session_id, _, _ in sessions.recent_sessions(db, project_id, limit=RECENT_SESSIONS):
        if session_id == without_session:
            continue
        rows = log.last_rows(db, session_id, limit=RESUME_ROWS)
        if not rows:
            continue
        files = tool_events.touched_files(db, session_id, limit=RESUME_FILES)
        found = cursor(rows, files[::-1], boot.open_candidates(db, project_id, limit=20))
        if found:
            return session_id, found
    return None, None
