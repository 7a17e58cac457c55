"""What the hooks say of earlier tries: on a file that is read, on a change that was tried before, on a prompt."""

from __future__ import annotations

from engram_hooks.hooks.call import path_here
from engram_hooks.hooks.voice import Voice
from engram_hooks.recall.fields import local_year
from engram_hooks.recall.tried import MAX_TOLD, REPEAT, distinct, tell, tried_block
from engram_hooks.sessions import changes, tried
from engram_hooks.store import told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.hooks.call import Call
    from engram_hooks.recall.tried import Tried
    from engram_hooks.store.sessions import Session

KNOB = "attempts.mode"
_HELD = "Nothing was edited. If this is meant, make the same edit again: it will pass."
_FILE, _TRY = "tried ", "try t"


def tell_read(call: Call, session: Session) -> str:
    """The approaches that were given up on a file that was read, once a context; '' for none."""
    path, voice = path_here(call, session), Voice(call, session, KNOB)
    found = tried.tried_on_file(call.db, session[1], path) if path and voice.mode != "off" else []
    if not found or voice.has_told(told.BRIEF, f"{_FILE}{path}\n"):
        return ""
    text = _write(path, distinct(found), call)
    voice.note(told.BRIEF, [f"{_FILE}{path}\n"], chars=len(text))
    return text


def tell_plan(call: Call, session: Session) -> tuple[str, str]:
    """(`deny`, `ask` or '', text) on an edit that resembles an approach that was given up.

    A near repeat is held up as `attempts.mode` says, the same approach once a context.
    """
    path, voice = path_here(call, session), Voice(call, session, KNOB)
    found = tried.tried_on_file(call.db, session[1], path) if path and voice.mode != "off" else []
    if not found:
        return "", ""
    if call.event["tool"] == "Write":
        alike = tried.resembling_whole(found, changes.written_lines(call.payload) or ())
    else:
        pieces = [(old, new) for old, new, _ in changes.planned_pieces(call.payload, "")]
        alike = tried.resembling(found, pieces)
    if not alike:
        return "", ""
    subject = _subject(alike[0][1])
    if alike[0][0] == REPEAT and voice.mode in {"confirm", "ask"} and voice.hold_up(subject, subject=subject):
        last = _HELD if voice.mode == "confirm" else ""
        return ("deny" if last else "ask"), _write(path, [one for _, one in alike], call, last=last)
    new = [one for _, one in alike if not voice.has_told(told.ADVICE, _subject(one))]
    text = _write(path, new, call)
    voice.note(told.ADVICE, [_subject(one) for one in new], chars=len(text))
    return "", text


def tell_prompt(call: Call, session: Session) -> str:
    """The approach that was given up and that a prompt is about to try again, once a context; '' for none."""
    voice = Voice(call, session, KNOB)
    found = tried.tried_for_prompt(call.db, session[1], call.prompt) if voice.mode != "off" else []
    for one, path in found:
        if not voice.has_told(told.PROMPT, _subject(one)):
            line = f"Tried and given up: {tell(one, year=local_year(call.now_ms), path=path)}"
            text = tried_block("", [line])
            voice.note(told.PROMPT, [_subject(one)], chars=len(text))
            return text
    return ""


def note_start(call: Call, session: Session, pack: str) -> None:
    """Keep in mind which approaches the boot pack named: a prompt does not name them again."""
    named = [part.partition("]")[0] for part in pack.split("[t")[1:]]
    subjects = [f"{_TRY}{number}" for number in named if number.isdigit()]
    Voice(call, session, KNOB).note(told.PROMPT, subjects)


def _subject(one: Tried) -> str:
    return f"{_TRY}{one[0][0]}"


def _write(path: str, found: Sequence[Tried], call: Call, *, last: str = "") -> str:
    year = local_year(call.now_ms)
    lines = [f"Tried and given up there: {tell(one, year=year)}" for one in found[:MAX_TOLD]]
    return tried_block(path, lines, last=last)
