"""PostToolUseFailure: note how a tool failed, and say how just this failure was cured before."""

from __future__ import annotations

from engram_hooks.hooks.call import give_context

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram_hooks.hooks.call import Call


def answer(call: Call) -> str:
    """What is known of a failing check that failed in the same way before; most often nothing."""
    session = call.apply()
    if session is None or "verdicts" not in call.event:
        return ""
    from engram_hooks.hooks.failures import tell_failure_of

    return give_context("PostToolUseFailure", tell_failure_of(call, session))
