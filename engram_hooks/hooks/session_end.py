"""SessionEnd: the rest of the conversation goes to the log, within the client's 1.5 seconds."""

from __future__ import annotations

from engram_hooks.hooks.stop import log_turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram_hooks.hooks.call import Call


def answer(call: Call) -> str:
    """Log what is left; says nothing."""
    log_turn(call)
    return ""
