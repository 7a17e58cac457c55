"""PostToolUse: note that a tool ran; what is known of a file that was read, and advice on what a change did."""

from __future__ import annotations

from engram_hooks.hooks.call import add_context
from engram_hooks.store.index_files import has_indexes
from engram_hooks.store.invariants import wants_rules
from engram_hooks.store.sessions import has_abandoned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram_hooks.hooks.call import Call


def answer(call: Call) -> str:
    """What rules, earlier tries and the history say of the lines that were read or changed; most often nothing."""
    session = call.apply()
    if session is None or call.event["outcome"] != "ok":
        return ""
    is_read = call.event["tool"] == "Read"
    ruled = tried = said = ""
    if is_read and wants_rules(call.db, session):
        from engram_hooks.hooks.rules import tell_read as tell_rules

        ruled = tell_rules(call, session)
    if is_read and has_abandoned(call.db, session[1]):
        from engram_hooks.hooks.tries import tell_read

        tried = tell_read(call, session)
    elif "verdicts" in call.event:
        from engram_hooks.hooks.failures import tell_failure_of

        tried = tell_failure_of(call, session)
    if has_indexes(call.data):
        from engram_hooks.hooks.code import answer_change, answer_read

        said = answer_read(call, session) if is_read else answer_change(call, session)
    return add_context(said, "PostToolUse", "\n".join(part for part in (ruled, tried) if part))
