"""How the hooks put in what is known of lines: a brief, a word on a change, an edit that is held up once."""

from __future__ import annotations

from engram_hooks.errors import StoreError
from engram_hooks.hooks.call import edit_key, give_context, give_decision, short_hash
from engram_hooks.jsontext import dumps
from engram_hooks.recall.brief import MAX_ADVICE_CHARS, change_advice, file_brief
from engram_hooks.recall.fields import local_year
from engram_hooks.store import settings, told
from engram_hooks.store.transactions import Transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.hooks.call import Call
    from engram_hooks.recall.brief import Carried, Mate, Touched
    from engram_hooks.sessions.whereabouts import Spot
    from engram_hooks.store.sessions import Session
    from engram_hooks.store.settings import Value

_MATES = "mates"
_HELD = "Nothing was edited. If this is meant, make the same edit again: it will pass."


def brief_file(
    call: Call,
    session: Session,
    spot: Spot,
    carried: Sequence[Carried],
    *,
    mates: Sequence[Mate],
    is_whole: bool,
) -> str:
    """The answer to a Read: what this context was not told of the file yet, within the budget of all its briefs."""
    knobs = _read_knobs(call, session)
    context, subject = _context_of(call, session), f"{spot[0]}:{spot[2]}\n"
    known = told.told_subjects(call.db, context, told.BRIEF, subject)
    if subject in known or knobs["preflight.mode"] == "off":
        return ""
    text, named = file_brief(
        spot[2],
        [one for one in carried if subject + one[0][0] not in known],
        mates if subject + _MATES not in known else (),
        year=local_year(call.now_ms),
        max_chars=int(knobs["preflight.max_chars"]) - sum(known.values()),
    )
    if not text:
        return ""
    first, *others = (*named, _MATES)
    rows = [(subject + first, len(text)), *((subject + name, 0) for name in others)]
    _note(call, context, told.BRIEF, [*rows, (subject, 0)] if is_whole else rows)
    return give_context("PostToolUse", text)


def judge_plan(call: Call, session: Session, spot: Spot, touched: Sequence[Touched]) -> str:
    """The answer to a PreToolUse of an edit that touches what is known: advice, a question or one refusal."""
    knobs = _read_knobs(call, session)
    mode = str(knobs["preflight.mode"])
    if mode == "ask" and call.environ.get("CLAUDE_CODE_ENTRYPOINT", "").startswith("sdk"):
        mode = "confirm"  # nobody is there to be asked, and the client would refuse for good
    if mode == "off":
        return ""
    if mode == "advise":
        return _advise(call, session, [(spot, touched)], knobs)
    reason, _ = _write(call, spot, touched, knobs=knobs, last=_HELD if mode == "confirm" else "")
    if not reason:
        return ""  # nobody is held up without a word
    if mode == "ask":
        return give_decision("ask", reason)
    context, key = _context_of(call, session), edit_key(call.payload, spot[3])
    try:
        with Transaction(call.db):
            is_new = told.hold_up(call.db, context, key, now_ms=call.now_ms)
            subjects = [(_subject(call.payload, spot) + one[0][0], 0) for one in touched]
            told.add_told(call.db, context, told.ADVICE, subjects, now_ms=call.now_ms)
    except StoreError:
        return _advise(call, session, [(spot, touched)], knobs)
    return give_decision("deny", reason) if is_new else ""


def comment_changes(call: Call, session: Session, found: Sequence[tuple[Spot, Sequence[Touched]]]) -> str:
    """The answer to a PostToolUse of a change, where nothing was said before it."""
    knobs = _read_knobs(call, session)
    return "" if knobs["preflight.mode"] == "off" else _advise(call, session, found, knobs, is_done=True)


def _advise(
    call: Call,
    session: Session,
    found: Sequence[tuple[Spot, Sequence[Touched]]],
    knobs: dict[str, Value],
    *,
    is_done: bool = False,
) -> str:
    """Context on changes of some files. What this context was told of the same change it is not told again."""
    context = _context_of(call, session)
    blocks: list[str] = []
    for spot, touched in found:
        subject = _subject(call.payload, spot)
        known = told.told_subjects(call.db, context, told.ADVICE, subject)
        new = [one for one in touched if subject + one[0][0] not in known and not (is_done and known)]
        used = sum(map(len, blocks)) + len(blocks)
        text, named = _write(call, spot, new, knobs=knobs, used_chars=used)
        if text:
            blocks.append(text)
            _note(call, context, told.ADVICE, [(subject + name, len(text)) for name in named])
    return give_context("PostToolUse" if is_done else "PreToolUse", "\n".join(blocks))


def _write(
    call: Call,
    spot: Spot,
    touched: Sequence[Touched],
    *,
    knobs: dict[str, Value],
    last: str = "",
    used_chars: int = 0,
) -> tuple[str, list[str]]:
    """(block, hashes in it) for the changes of one file, within what is left of the budget."""
    is_blind = call.event["name"] == "pre-tool-use" and call.event["tool"] == "Write"
    return change_advice(
        spot[2],
        touched,
        year=local_year(call.now_ms),
        verb="leaves out" if is_blind else "changes",
        max_chars=min(int(knobs["preflight.max_chars"]), MAX_ADVICE_CHARS) - used_chars,
        last=last,
    )


def _read_knobs(call: Call, session: Session) -> dict[str, Value]:
    return settings.read(call.db, session[1], call.environ)


def _context_of(call: Call, session: Session) -> told.Context:
    return (session[0], call.event["agent"], session[4])


def _note(call: Call, context: told.Context, surface: str, subjects: Sequence[tuple[str, int]]) -> None:
    with Transaction(call.db):
        told.add_told(call.db, context, surface, subjects, now_ms=call.now_ms)


def _subject(payload: dict[str, object], spot: Spot) -> str:
    """What advice on this change is kept under. A file that is written whole, again and again, is one change."""
    if payload.get("tool_name") == "Write":
        return f"Write {spot[0]}:{spot[2]}\n"
    if payload.get("tool_name") == "Bash":
        return f"{short_hash(dumps(payload.get('tool_response')))} {spot[0]}:{spot[2]}\n"
    return f"{edit_key(payload, spot[3])}\n"
