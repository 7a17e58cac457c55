"""UserPromptSubmit: the few records that this prompt needs, most often none."""

from __future__ import annotations

from engram_hooks.hooks.call import give_context
from engram_hooks.paths import head_branch
from engram_hooks.recall.route import is_trivial
from engram_hooks.sessions.ready import write_ready
from engram_hooks.store.sessions import has_abandoned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram_hooks.hooks.call import Call
    from engram_hooks.recall.rank import Scored

CHARS_PER_TOKEN = 4


def answer(call: Call) -> str:
    """Record the prompt, then remind of what it needs."""
    session = call.apply()
    if session is None:
        return ""
    write_ready(call.db, call.data, call.event["session"], session=session[:2], is_settled=False)
    if is_trivial(call.prompt):
        return ""
    tried = ""
    if has_abandoned(call.db, session[1]):
        from engram_hooks.hooks.tries import tell_prompt

        tried = tell_prompt(call, session)
    branch = head_branch(session[2]) if session[2] else ""
    chosen, max_chars = _select(call, session[0], session[1], branch=branch)
    if not chosen:
        return give_context("UserPromptSubmit", tried)
    from engram_hooks.recall.fields import local_year
    from engram_hooks.recall.render import minder_block

    rows = [row for _, row, _ in chosen]
    text, ids = minder_block(rows, year=local_year(call.now_ms), branch=branch, max_chars=max_chars)
    _note_shown(call, chosen[: len(ids)], tokens=len(text) // CHARS_PER_TOKEN)
    return give_context("UserPromptSubmit", "\n".join(part for part in (tried, text) if part))


def _select(call: Call, session_id: int, project_id: int, *, branch: str) -> tuple[list[Scored], int]:
    from engram_hooks.recall.gate import choose
    from engram_hooks.sessions.minder import find
    from engram_hooks.store import settings, shown

    scored = find(
        call.db,
        call.data,
        call.prompt,
        project_id=project_id,
        environ=call.environ,
        branch=branch,
        session_id=session_id,
        now_ms=call.now_ms,
    )
    if not scored:
        return [], 0
    assert call.session is not None
    knobs = settings.read(call.db, project_id, call.environ)
    seen = shown.shown_ids(call.db, session_id, call.session[4])
    chosen = choose(scored, eagerness=str(knobs["minder.eagerness"]), shown_ids=seen)
    return chosen, int(knobs["minder.max_chars"])


def _note_shown(call: Call, chosen: list[Scored], *, tokens: int) -> None:
    from engram_hooks.recall.gate import tell_reason
    from engram_hooks.store import shown
    from engram_hooks.store.transactions import Transaction

    assert call.session is not None
    each = tokens // max(len(chosen), 1)
    items = [(row[0], each, tell_reason(value, reasons)) for value, row, reasons in chosen]
    with Transaction(call.db):
        shown.add_shown(
            call.db,
            call.session[0],
            call.session[4],
            items,
            surface="minder",
            now_ms=call.now_ms,
            prompt_id=call.event["prompt_id"],
        )
