"""What is known of the lines that a tool reads or changes: looked up here, put into words only where there is any.

Most calls end in silence, so each step loads what it needs and no more.
"""

from __future__ import annotations

from engram_hooks.errors import StoreError
from engram_hooks.sessions.whereabouts import find_spot, target_of
from engram_hooks.store.connect import DatabaseError
from engram_hooks.store.index_files import open_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from sqlite3 import Connection
    from typing import TypeVar

    from engram_hooks.hooks.call import Call
    from engram_hooks.recall.brief import Touched
    from engram_hooks.sessions.whereabouts import Spot
    from engram_hooks.store.sessions import Session

    Found = TypeVar("Found")

EDITS = "Edit", "MultiEdit", "NotebookEdit", "Write"


def answer_read(call: Call, session: Session) -> str:
    """The brief of a file that was read: once a context, what lines read later carry beside."""
    spot = _locate(call, session, target_of(call.payload))
    if spot is None:
        return ""
    from engram_hooks.sessions import preflight
    from engram_hooks.sessions.changes import read_lines

    read = read_lines(call.payload)
    if read is None:
        return ""
    texts, first_line, is_whole = read
    found = _ask(
        call,
        spot,
        lambda index, file_id: (
            preflight.find_carried_fixes(index, file_id, texts, first_line=first_line),
            preflight.find_mates(index, file_id),
        ),
    )
    if found is None or not any(found):
        return ""
    from engram_hooks.hooks.advice import brief_file

    return brief_file(call, session, spot, found[0], mates=found[1], is_whole=is_whole)


def answer_plan(call: Call, session: Session) -> str:
    """What an edit is about to change, in the way that `preflight.mode` asks for."""
    if call.event["tool"] not in EDITS:
        return ""
    spot = _locate(call, session, target_of(call.payload))
    touched = _ask(call, spot, _make_question(call, spot)) if spot else None
    if spot is None or not touched:
        return ""
    from engram_hooks.hooks.advice import judge_plan

    return judge_plan(call, session, spot, touched)


def answer_change(call: Call, session: Session) -> str:
    """What an edit has changed that could not be seen before it (a part of a line), or a command by itself."""
    response = call.payload.get("tool_response")
    if call.event["tool"] == "Bash" and not (isinstance(response, dict) and "bashEditDiff" in response):
        return ""
    from engram_hooks.sessions import preflight
    from engram_hooks.sessions.changes import done_pieces

    found: list[tuple[Spot, list[Touched]]] = []
    for path, pieces in done_pieces(call.payload):
        spot = _locate(call, session, path) if pieces else None
        touched = spot and _ask(
            call,
            spot,
            lambda index, file_id, pieces=pieces: preflight.find_touched(index, file_id, pieces),  # type: ignore[misc]
        )
        if spot and touched:
            found.append((spot, touched))
    if not found:
        return ""
    from engram_hooks.hooks.advice import comment_changes

    return comment_changes(call, session, found)


def _make_question(call: Call, spot: Spot) -> Callable[[Connection, int], list[Touched]]:
    from engram_hooks.sessions import preflight
    from engram_hooks.sessions.changes import planned_pieces, written_lines

    if call.event["tool"] == "Write":
        content = written_lines(call.payload)
        return lambda index, file_id: (
            [] if content is None else preflight.find_left_out(index, file_id, content)
        )
    return lambda index, file_id: preflight.find_touched(
        index, file_id, planned_pieces(call.payload, spot[3])
    )


def _locate(call: Call, session: Session, path: str) -> Spot | None:
    cwd = call.payload.get("cwd")
    here = cwd if isinstance(cwd, str) else session[2]
    return find_spot(call.db, call.data, path, cwd=here, session=session, environ=call.environ)


def _ask(call: Call, spot: Spot, question: Callable[[Connection, int], Found]) -> Found | None:
    """What the index answers for a file; None where it does not know the file, or cannot be read."""
    from engram_hooks.sessions.preflight import find_file

    try:
        index = open_index(call.data, spot[1])  # left open: the process ends, and closing costs time
        file_id = find_file(index, spot[2], spot[3])
        return None if file_id is None else question(index, file_id)
    except (StoreError, DatabaseError):
        return None
