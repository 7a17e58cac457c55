"""What the hooks say of earlier tries: on a file that is read, on a change that was tried before, on a failure."""

from __future__ import annotations

from engram_hooks.errors import StoreError
from engram_hooks.hooks.call import path_here
from engram_hooks.recall.fields import local_year
from engram_hooks.recall.tried import MAX_TOLD, REPEAT, distinct, tell, tell_failure, tried_block
from engram_hooks.sessions import changes, tried
from engram_hooks.store import settings, told
from engram_hooks.store.transactions import Transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engram_hooks.hooks.call import Call
    from engram_hooks.recall.tried import Tried
    from engram_hooks.store.sessions import Session

_HELD = "Nothing was edited. If this is meant, make the same edit again: it will pass."
_FILE, _TRY, _FAULT = "tried ", "try t", "fault "


def tell_read(call: Call, session: Session) -> str:
    """The approaches that were given up on a file that was read, once a context; '' for none."""
    path = path_here(call, session)
    found = tried.tried_on_file(call.db, session[1], path) if path else []
    if not found or not _is_on(call, session) or _is_told(call, session, told.BRIEF, f"{_FILE}{path}\n"):
        return ""
    text = _write(path, distinct(found), call)
    _note(call, session, told.BRIEF, [f"{_FILE}{path}\n"], len(text))
    return text


def tell_plan(call: Call, session: Session) -> tuple[str, str]:
    """(`deny`, `ask` or '', text) on an edit that resembles an approach that was given up.

    A near repeat is held up as `attempts.mode` says, the same approach once a context.
    """
    path = path_here(call, session)
    found = tried.tried_on_file(call.db, session[1], path) if path else []
    if not found or not _is_on(call, session):
        return "", ""
    if call.event["tool"] == "Write":
        alike = tried.resembling_whole(found, changes.written_lines(call.payload) or ())
    else:
        pieces = [(old, new) for old, new, _ in changes.planned_pieces(call.payload, "")]
        alike = tried.resembling(found, pieces)
    if not alike:
        return "", ""
    mode = _mode(call, session)
    if alike[0][0] == REPEAT and mode in {"confirm", "ask"} and _hold_up(call, session, alike[0][1]):
        last = _HELD if mode == "confirm" else ""
        return ("deny" if last else "ask"), _write(path, [one for _, one in alike], call, last=last)
    new = [one for _, one in alike if not _is_told(call, session, told.ADVICE, f"{_TRY}{one[0][0]}")]
    text = _write(path, new, call)
    _note(call, session, told.ADVICE, [f"{_TRY}{one[0][0]}" for one in new], len(text))
    return "", text


def _hold_up(call: Call, session: Session, one: Tried) -> bool:
    """Note that the context is held up at an approach; False where it was before, or the note cannot be kept."""
    subject, context = f"{_TRY}{one[0][0]}", _context(call, session)
    try:
        with Transaction(call.db):
            told.add_told(call.db, context, told.ADVICE, [(subject, 0)], now_ms=call.now_ms)
            return told.hold_up(call.db, context, subject, now_ms=call.now_ms)
    except StoreError:
        return False


def tell_prompt(call: Call, session: Session) -> str:
    """The approach that was given up and that a prompt is about to try again, once a context; '' for none."""
    if not _is_on(call, session):
        return ""
    for one, path in tried.tried_for_prompt(call.db, session[1], call.prompt):
        subject = f"{_TRY}{one[0][0]}"
        if not _is_told(call, session, told.PROMPT, subject):
            line = f"Tried and given up: {tell(one, year=local_year(call.now_ms), path=path)}"
            text = tried_block("", [line])
            _note(call, session, told.PROMPT, [subject], len(text))
            return text
    return ""


def note_start(call: Call, session: Session, pack: str) -> None:
    """Keep in mind which approaches the boot pack named: a prompt does not name them again."""
    named = [part.partition("]")[0] for part in pack.split("[t")[1:]]
    _note(call, session, told.PROMPT, [f"{_TRY}{number}" for number in named if number.isdigit()], 0)


def tell_failure_of(call: Call, session: Session) -> str:
    """How a failure that was seen before was cured, or that it never was, once a context; '' for a new one."""
    from engram_hooks.jsontext import loads

    verdicts = loads(call.event.get("verdicts", "[]"))
    prints = [verdict[5] for verdict in verdicts if verdict[5]] if isinstance(verdicts, list) else []
    for fingerprint in prints:
        rows = tried.seen_before(call.db, session[1], fingerprint)
        if (
            rows
            and _is_on(call, session)
            and not _is_told(call, session, told.ADVICE, f"{_FAULT}{fingerprint}")
        ):
            text = tried_block("", [tell_failure(rows, year=local_year(call.now_ms))])
            _note(call, session, told.ADVICE, [f"{_FAULT}{fingerprint}"], len(text))
            return text
    return ""


def _write(path: str, found: Sequence[Tried], call: Call, *, last: str = "") -> str:
    year = local_year(call.now_ms)
    lines = [f"Tried and given up there: {tell(one, year=year)}" for one in found[:MAX_TOLD]]
    return tried_block(path, lines, last=last)


def _mode(call: Call, session: Session) -> str:
    """`attempts.mode`; a question becomes one refusal where nobody is there to be asked."""
    mode = str(settings.read(call.db, session[1], call.environ)["attempts.mode"])
    is_headless = call.environ.get("CLAUDE_CODE_ENTRYPOINT", "").startswith("sdk")
    return "confirm" if mode == "ask" and is_headless else mode


def _is_on(call: Call, session: Session) -> bool:
    return _mode(call, session) != "off"


def _is_told(call: Call, session: Session, surface: str, subject: str) -> bool:
    return subject in told.told_subjects(call.db, _context(call, session), surface, subject)


def _note(call: Call, session: Session, surface: str, subjects: Iterable[str], chars: int) -> None:
    rows = [(subject, chars) for subject in subjects]
    with Transaction(call.db):
        told.add_told(call.db, _context(call, session), surface, rows, now_ms=call.now_ms)


def _context(call: Call, session: Session) -> told.Context:
    return (session[0], call.event["agent"], session[4])
