"""PreCompact: log the conversation, and ask the summariser to keep what is not captured yet."""

from __future__ import annotations

from engram_hooks.hooks.stop import log_turn
from engram_hooks.store.boot import open_candidates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram_hooks.hooks.call import Call

MAX_CANDIDATES = 12


def answer(call: Call) -> str:
    """Plain text for the summariser (the client pastes it as it is), or ''."""
    log_turn(call)
    if call.session is None:
        return ""
    from engram_hooks.recall.render import compact_note

    return compact_note(open_candidates(call.db, call.session[1], limit=MAX_CANDIDATES))
