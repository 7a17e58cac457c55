"""PreToolUse: note that an edit begins; say what was tried there before, and which fixes it would change."""

from __future__ import annotations

from engram_hooks.hooks.call import add_context, give_decision, read_decision
from engram_hooks.store.index_files import has_indexes
from engram_hooks.store.invariants import wants_rules
from engram_hooks.store.sessions import has_abandoned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram_hooks.hooks.call import Call


def answer(call: Call) -> str:
    """Advice behind the result, a question or one refusal, as the settings say; most often nothing.

    All that there is to say is said at once: an edit that was held up passes when it is made again.
    """
    session = call.apply()
    if session is None:
        return ""
    ruled = tried = ("", "")
    said = ""
    if wants_rules(call.db, session):
        from engram_hooks.hooks.rules import tell_plan as tell_rules

        ruled = tell_rules(call, session)
    if has_abandoned(call.db, session[1]):
        from engram_hooks.hooks.tries import tell_plan

        tried = tell_plan(call, session)
    if has_indexes(call.data):
        from engram_hooks.hooks.code import answer_plan

        said = answer_plan(call, session)
    if not (ruled[0] or tried[0]):
        return add_context(said, "PreToolUse", _join(ruled[1], tried[1]))
    carried = read_decision(said)
    decision = "ask" if "ask" in (ruled[0], tried[0], carried[0]) else "deny"
    return give_decision(decision, _join(ruled[1], tried[1], carried[1]))


def _join(*parts: str) -> str:
    return "\n".join(part for part in parts if part)
