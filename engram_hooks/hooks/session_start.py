"""SessionStart: the boot pack for the model and one line for the user, after every kind of start."""

from __future__ import annotations

from engram_hooks.hooks.call import give_context
from engram_hooks.recall.boot import build_pack, user_line
from engram_hooks.recall.fields import KINDS
from engram_hooks.recall.resume import cursor
from engram_hooks.sessions.ready import write_ready
from engram_hooks.sessions.tail import HOOK_MAX_BYTES, HOOK_MAX_MS, file_size, tail_session
from engram_hooks.store import boot, jobs, log, sessions, settings, shown, tool_events
from engram_hooks.store.transactions import Transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

    from engram_hooks.hooks.call import Call
    from engram_hooks.recall.resume import Cursor
    from engram_hooks.store.sessions import Session

PER_KIND = 24
RECENT_SESSIONS = 4
RESUME_ROWS = 60
RESUME_FILES = 6
CHARS_PER_TOKEN = 4


def answer(call: Call) -> str:
    """The pack as context and what was restored as a line for the user."""
    session = call.apply()
    if session is None:
        return ""
    _catch_up(call, session)
    knobs = settings.read(call.db, session[1], call.environ)
    text, ids, to_user = pack(call.db, session, max_chars=int(knobs["boot.max_chars"]), now_ms=call.now_ms)
    with Transaction(call.db):
        tokens = len(text) // CHARS_PER_TOKEN // max(len(ids), 1)
        items = [(record_id, tokens, call.event["source"] or "start") for record_id in ids]
        shown.add_shown(call.db, session[0], session[4], items, surface="boot", now_ms=call.now_ms)
    write_ready(call.db, call.data, call.event["session"], session=session[:2], is_settled=True)
    call.wants_worker = jobs.has_due_jobs(call.db, now_ms=call.now_ms)
    return give_context("SessionStart", text, to_user=to_user)


def pack(db: Connection, session: Session, *, max_chars: int, now_ms: int) -> tuple[str, list[int], str]:
    """(text for the model, ids of its records, line for the user) for a session of the project."""
    _, project_id, _, branch, _, _ = session
    rows = boot.foremost_records(db, project_id, KINDS, per_kind=PER_KIND)
    total = boot.count_told(db, project_id)
    last_id, resume = _resume(db, session)
    name = boot.project_name(db, project_id)
    text, ids = build_pack(
        rows,
        project=name,
        branch=branch,
        records=total,
        resume=resume,
        session_id=last_id,
        max_chars=max_chars,
    )
    last_at = resume["at_ms"] if resume else 0
    threads = len(resume["open"]) if resume else 0
    line = user_line(
        shown=len(ids), records=total, chars=len(text), last_at=last_at, now_at=now_ms, open_threads=threads
    )
    return text, ids, line


def _resume(db: Connection, session: Session) -> tuple[int | None, Cursor | None]:
    """Where the last session with a conversation stopped; after a resume or compaction that is this one."""
    for session_id, _, _ in sessions.recent_sessions(db, session[1], limit=RECENT_SESSIONS):
        rows = log.last_rows(db, session_id, limit=RESUME_ROWS)
        if not rows:
            continue
        files = tool_events.touched_files(db, session_id, limit=RESUME_FILES)
        found = cursor(rows, files[::-1], boot.open_candidates(db, session[1], limit=20))
        if found:
            return session_id, found
    return None, None


def _catch_up(call: Call, session: Session) -> None:
    """Log what sessions that never stopped left in their transcripts: within bounds here, the rest by the worker."""
    for session_id, client_id, _ in sessions.recent_sessions(call.db, session[1], limit=RECENT_SESSIONS):
        behind = any(
            file_size(path) > cursor_bytes
            for path, _, _, cursor_bytes in sessions.transcripts_of(call.db, session_id)
        )
        if not behind:
            continue
        jobs.add_job(call.db, "session", client_id, project_id=session[1], now_ms=call.now_ms)
        tail_session(call.db, session_id, max_bytes=HOOK_MAX_BYTES, max_ms=HOOK_MAX_MS, now_ms=call.now_ms)
