"""PreToolUse: note that an edit begins; say what was tried there before, and which fixes it would change."""

from __future__ import annotations

from engram_hooks.hooks.call import add_context, give_decision
from engram_hooks.store.attempts import has_abandoned
from engram_hooks.store.index_files import has_indexes
from engram_hooks.store.invariants import wants_rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram_hooks.hooks.call import Call


def answer(call: Call) -> str:
    """Advice behind the result, a question or one refusal, as the settings say; most often nothing."""
    session = call.apply()
    if session is None:
        return ""
    ruled = tried = said = ""
    if wants_rules(call.db, session):
        from engram_hooks.hooks.rules import tell_plan as tell_rules

        decision, ruled = tell_rules(call, session)
        if decision:
            return give_decision(decision, ruled)
    if has_abandoned(call.db, session[1]):
        from engram_hooks.hooks.tries import tell_plan

        decision, tried = tell_plan(call, session)
        if decision:
            return give_decision(decision, tried)
    if has_indexes(call.data):
        from engram_hooks.hooks.code import answer_plan

        said = answer_plan(call, session)
    return add_context(said, "PreToolUse", "\n".join(part for part in (ruled, tried) if part))
