"""Stop: the turn goes to the log, and the worker looks for what is worth keeping."""

from __future__ import annotations

from engram_hooks.sessions.ready import write_ready
from engram_hooks.sessions.tail import HOOK_MAX_BYTES, HOOK_MAX_MS, tail_session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram_hooks.hooks.call import Call


def answer(call: Call) -> str:
    """Log the turn; says nothing."""
    log_turn(call)
    return ""


def log_turn(call: Call) -> None:
    """Commit the event with its job for the worker, then append what the transcript holds, within bounds."""
    session = call.apply()
    if session is None:
        return
    call.wants_worker = True
    tail_session(call.db, session[0], max_bytes=HOOK_MAX_BYTES, max_ms=HOOK_MAX_MS, now_ms=call.now_ms)
    write_ready(call.db, call.data, call.event["session"], session=session[:2], is_settled=False)
