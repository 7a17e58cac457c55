"""What the hooks say of code: the brief of a file that is read, a word on an edit, and an edit held up once."""

from __future__ import annotations

from zlib import adler32, crc32

from engram_hooks.errors import StoreError
from engram_hooks.hooks.call import give_context, give_decision
from engram_hooks.jsontext import dumps
from engram_hooks.recall.brief import MAX_ADVICE_CHARS, MAX_MATES, change_advice, file_brief
from engram_hooks.recall.fields import local_year
from engram_hooks.sessions import changes, preflight
from engram_hooks.sessions.whereabouts import find_spot
from engram_hooks.store import settings, told
from engram_hooks.store.connect import DatabaseError
from engram_hooks.store.index_files import open_index
from engram_hooks.store.transactions import Transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from sqlite3 import Connection
    from typing import TypeVar

    from engram_hooks.hooks.call import Call
    from engram_hooks.recall.brief import Touched
    from engram_hooks.sessions.changes import Piece
    from engram_hooks.sessions.whereabouts import Spot
    from engram_hooks.store.sessions import Session
    from engram_hooks.store.settings import Value

    Found = TypeVar("Found")

_MATES = "mates"
_HELD = "Nothing was edited. If this is meant, make the same edit again: it will pass."
# what makes two edits the same, beside tool and path
_TEXTS = "old_string", "new_string", "content", "edits", "cell_id", "edit_mode", "new_source"


def answer_read(call: Call, session: Session) -> str:
    """The brief of a file that was read: once a context, what lines read later carry beside."""
    read = changes.read_lines(call.payload)
    place = _find_place(call, session, changes.target_of(call.payload)) if read else None
    if read is None or place is None:
        return ""
    spot, knobs = place
    context, subject = _context_of(call, session), f"{spot[0]}:{spot[2]}\n"
    known = told.told_subjects(call.db, context, told.BRIEF, subject)
    if subject in known:
        return ""
    texts, first_line, is_whole = read
    found = _ask(
        call,
        spot,
        lambda index, file_id: (
            preflight.find_carried_fixes(index, file_id, texts, first_line=first_line),
            preflight.find_mates(index, file_id, limit=MAX_MATES),
        ),
    )
    if found is None:
        return ""
    carried = [one for one in found[0] if subject + one[0][0] not in known]
    mates = found[1] if subject + _MATES not in known else []
    room = int(knobs["preflight.max_chars"]) - sum(known.values())
    text, named = file_brief(spot[2], carried, mates, year=local_year(call.now_ms), max_chars=room)
    if not text:
        return ""
    rows = [(subject + name, 0) for name in (*named, _MATES)]
    rows[0] = (rows[0][0], len(text))
    _note(call, context, told.BRIEF, [*rows, (subject, 0)] if is_whole else rows)
    return give_context("PostToolUse", text)


def answer_plan(call: Call, session: Session) -> str:
    """What an edit is about to change, in the way that `preflight.mode` asks for."""
    payload, tool = call.payload, call.event["tool"]
    place = _find_place(call, session, changes.target_of(payload)) if tool in changes.EDITS else None
    if place is None:
        return ""
    spot, knobs = place
    content = changes.written_lines(payload) if tool == "Write" else None

    def find(index: Connection, file_id: int) -> list[Touched]:
        if content is not None:
            return preflight.find_left_out(index, file_id, content)
        return preflight.find_touched(index, file_id, changes.planned_pieces(payload, spot[3]))

    touched = _ask(call, spot, find)
    if not touched:
        return ""
    verb = "changes" if content is None else "leaves out"
    mode = str(knobs["preflight.mode"])
    if mode == "ask" and call.environ.get("CLAUDE_CODE_ENTRYPOINT", "").startswith("sdk"):
        mode = "confirm"  # nobody is there to be asked, and the client would refuse for good
    if mode == "advise":
        return _advise(call, session, [(spot, touched)], verb=verb, knobs=knobs)
    reason, _ = _write(call, spot, touched, verb=verb, knobs=knobs, last=_HELD if mode == "confirm" else "")
    if mode == "ask":
        return give_decision("ask", reason)
    try:
        with Transaction(call.db):
            is_new = told.hold_up(
                call.db, _context_of(call, session), _key(payload, spot), now_ms=call.now_ms
            )
            subjects = [(_subject(payload, spot) + one[0][0], 0) for one in touched]
            told.add_told(call.db, _context_of(call, session), told.ADVICE, subjects, now_ms=call.now_ms)
    except StoreError:
        return _advise(call, session, [(spot, touched)], verb=verb, knobs=knobs)
    return give_decision("deny", reason) if is_new else ""


def answer_change(call: Call, session: Session) -> str:
    """What an edit has changed that could not be seen before it (a part of a line), or a command by itself."""
    found: list[tuple[Spot, list[Touched]]] = []
    knobs: dict[str, Value] = {}
    for path, pieces in changes.done_pieces(call.payload):
        place = _find_place(call, session, path) if pieces else None
        if place is None:
            continue
        spot, knobs = place
        subject = _subject(call.payload, spot)
        if told.told_subjects(call.db, _context_of(call, session), told.ADVICE, subject):
            continue
        touched = _ask(call, spot, _finder(pieces))
        if touched:
            found.append((spot, touched))
    return _advise(call, session, found, verb="changes", knobs=knobs) if found else ""


def _finder(pieces: Sequence[Piece]) -> Callable[[Connection, int], list[Touched]]:
    return lambda index, file_id: preflight.find_touched(index, file_id, pieces)


def _advise(
    call: Call,
    session: Session,
    found: Sequence[tuple[Spot, list[Touched]]],
    *,
    verb: str,
    knobs: dict[str, Value],
) -> str:
    """Context on changes of some files, without what this context was told of the same change."""
    context = _context_of(call, session)
    blocks: list[str] = []
    for spot, touched in found:
        subject = _subject(call.payload, spot)
        known = told.told_subjects(call.db, context, told.ADVICE, subject)
        new = [one for one in touched if subject + one[0][0] not in known]
        used = sum(map(len, blocks)) + len(blocks)
        text, named = _write(call, spot, new, verb=verb, knobs=knobs, used_chars=used)
        if text:
            blocks.append(text)
            _note(call, context, told.ADVICE, [(subject + name, len(text)) for name in named])
    event = "PostToolUse" if call.event["name"] == "post-tool-use" else "PreToolUse"
    return give_context(event, "\n".join(blocks))


def _write(
    call: Call,
    spot: Spot,
    touched: Sequence[Touched],
    *,
    verb: str,
    knobs: dict[str, Value],
    last: str = "",
    used_chars: int = 0,
) -> tuple[str, list[str]]:
    max_chars = min(int(knobs["preflight.max_chars"]), MAX_ADVICE_CHARS) - used_chars
    year = local_year(call.now_ms)
    return change_advice(spot[2], touched, year=year, verb=verb, max_chars=max_chars, last=last)


def _find_place(call: Call, session: Session, path: str) -> tuple[Spot, dict[str, Value]] | None:
    """Where a path is, with the settings of the project; None without an index, or where nothing is wanted."""
    cwd = call.payload.get("cwd")
    spot = find_spot(
        call.db,
        call.data,
        path,
        cwd=cwd if isinstance(cwd, str) else session[2],
        session=session,
        environ=call.environ,
    )
    if spot is None:
        return None
    knobs = settings.read(call.db, session[1], call.environ)
    return None if knobs["preflight.mode"] == "off" else (spot, knobs)


def _ask(call: Call, spot: Spot, question: Callable[[Connection, int], Found]) -> Found | None:
    """What the index answers for a file; None where it does not know the file, or cannot be read."""
    try:
        index = open_index(call.data, spot[1])
        try:
            file_id = preflight.find_file(index, spot[2], spot[3])
            return None if file_id is None else question(index, file_id)
        finally:
            index.close()
    except (StoreError, DatabaseError):
        return None


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
        return f"{_hash(dumps(payload.get('tool_response')))} {spot[0]}:{spot[2]}\n"
    return f"{_key(payload, spot)}\n"


def _key(payload: dict[str, object], spot: Spot) -> str:
    """The key of a planned change: tool, path, old and new text."""
    given = payload.get("tool_input")
    parts = [given.get(name) for name in _TEXTS] if isinstance(given, dict) else []
    return _hash(dumps([payload.get("tool_name"), spot[3], *parts]))


def _hash(text: str) -> str:
    data = text.encode()
    return f"{len(data):x}-{crc32(data):08x}{adler32(data):08x}"
