"""SessionStart: the boot pack for the model and one line for the user, after every kind of start."""

from __future__ import annotations

from engram_hooks.hooks.call import give_context
from engram_hooks.paths import file_size
from engram_hooks.sessions.pack import RECENT_SESSIONS, load_core, pack, room_of
from engram_hooks.sessions.ready import write_ready
from engram_hooks.store import jobs, sessions, settings, shown
from engram_hooks.store.index_files import has_indexes
from engram_hooks.store.transactions import Transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram_hooks.hooks.call import Call
    from engram_hooks.store.sessions import Session

CHARS_PER_TOKEN = 4
_SAME_CONTEXT = "resume", "fork"  # the conversation itself is still before the model


def answer(call: Call) -> str:
    """The pack as context and what was restored as a line for the user."""
    session = call.apply()
    if session is None:
        return ""
    _catch_up(call, session)
    knobs = settings.trace(call.db, session[1], call.environ)
    core = load_core(call.db, call.data, knobs, now_ms=call.now_ms)
    text, ids, to_user = pack(
        call.db,
        session[1],
        branch=session[3],
        max_chars=room_of(knobs, core),
        now_ms=call.now_ms,
        without_session=session[0] if call.event["source"] in _SAME_CONTEXT else None,
        core=core,
    )
    with Transaction(call.db):
        tokens = len(text) // CHARS_PER_TOKEN // max(len(ids), 1)
        items = [(record_id, tokens, call.event["source"] or "start") for record_id in ids]
        shown.add_shown(call.db, session[0], session[4], items, surface="boot", now_ms=call.now_ms)
        settings.queue_compile(call.db, session[2], session[1], now_ms=call.now_ms)
        if knobs["index.auto"][0] or has_indexes(call.data):
            _queue_index(call, session, may_begin=bool(knobs["index.auto"][0]))
    if "Tried and given up" in text:
        from engram_hooks.hooks.tries import note_start

        note_start(call, session, text)
    write_ready(call.db, call.data, call.event["session"], session=session[:2], is_settled=True)
    call.wants_worker = jobs.has_due_jobs(call.db, now_ms=call.now_ms)
    return give_context("SessionStart", text, to_user=to_user)


def _queue_index(call: Call, session: Session, *, may_begin: bool) -> None:
    """Let the worker bring the repository's index up to its head, or make the first one where that is wanted."""
    from engram_hooks.sessions.whereabouts import find_outdated

    key = find_outdated(call.db, call.data, session, environ=call.environ, may_begin=may_begin)
    if key:
        jobs.add_job(call.db, "index", key, project_id=session[1], now_ms=call.now_ms)


def _catch_up(call: Call, session: Session) -> None:
    """Log what sessions that never stopped left in their transcripts: within bounds here, the rest by the worker."""
    for session_id, client_id, _ in sessions.recent_sessions(call.db, session[1], limit=RECENT_SESSIONS):
        behind = any(
            file_size(path) > cursor_bytes
            for path, _, _, cursor_bytes in sessions.transcripts_of(call.db, session_id)
        )
        if not behind:
            continue
        from engram_hooks.sessions.tail import HOOK_MAX_BYTES, HOOK_MAX_MS, tail_session

        jobs.add_job(call.db, "session", client_id, project_id=session[1], now_ms=call.now_ms)
        tail_session(call.db, session_id, max_bytes=HOOK_MAX_BYTES, max_ms=HOOK_MAX_MS, now_ms=call.now_ms)
