"""PreToolUse: note that an edit begins."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram_hooks.hooks.call import Call


def answer(call: Call) -> str:
    """Record the event; says nothing."""
    call.apply()
    return ""
