"""SubagentStart: a subagent gets the rules and constraints of the project, and what was tried and given up."""

from __future__ import annotations

from engram_hooks.hooks.call import give_context
from engram_hooks.sessions.pack import latest_summaries
from engram_hooks.store.boot import foremost_records, project_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram_hooks.hooks.call import Call

KINDS = "constraint", "feedback"
PER_KIND = 24


def answer(call: Call) -> str:
    """The rules as context; nothing is counted as shown to the parent."""
    session = call.apply()
    if session is None:
        return ""
    from engram_hooks.recall.fields import local_year
    from engram_hooks.recall.render import subagent_brief

    rows = foremost_records(call.db, session[1], KINDS, per_kind=PER_KIND)
    name = project_name(call.db, session[1])
    year, tried = local_year(call.now_ms), latest_summaries(call.db, session[1])
    return give_context("SubagentStart", subagent_brief(rows, project=name, year=year, tried=tried))
