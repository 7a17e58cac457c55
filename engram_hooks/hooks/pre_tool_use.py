"""PreToolUse: note that an edit begins, and say which fixes the very lines carry that it changes."""

from __future__ import annotations

from engram_hooks.store.index_files import has_indexes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram_hooks.hooks.call import Call


def answer(call: Call) -> str:
    """Advice behind the result, a question or one refusal, as `preflight.mode` says; most often nothing."""
    session = call.apply()
    if session is None or not has_indexes(call.data):
        return ""
    from engram_hooks.hooks.code import answer_plan

    return answer_plan(call, session)
