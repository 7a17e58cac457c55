"""Bring the log up to the transcripts of a session, from their cursors on."""

from __future__ import annotations

import os
import time

from engram_hooks.paths import file_size, is_brain_folder
from engram_hooks.sessions.transcript import read_chunk, subagent_files
from engram_hooks.store import log
from engram_hooks.store import sessions as rows
from engram_hooks.store.transactions import Transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

CHUNK_BYTES = 256 << 10
HOOK_MAX_BYTES = 256 << 10
HOOK_MAX_MS = 150


def tail_session(db: Connection, session_id: int, *, max_bytes: int, max_ms: int, now_ms: int) -> bool:
    """Append what the session's transcripts hold beyond their cursors to the log.

    Subagent transcripts that are new become known. Stops after about `max_bytes` or `max_ms`, whichever is
    first; returns whether everything was read. A transcript that is not there (yet) counts as read.
    Raises `StoreBusy` where another writer holds the store; what was committed before stays.
    """
    deadline = time.monotonic() + max_ms / 1000
    transcripts = rows.transcripts_of(db, session_id)
    known = {path for path, _, _, _ in transcripts}
    for path in [path for path, agent, _, _ in transcripts if not agent]:
        for child in subagent_files(path):
            if child not in known:
                agent = os.path.basename(child).removesuffix(".jsonl").removeprefix("agent-") or "subagent"
                rows.add_transcript(db, child, session_id=session_id, agent=agent, now_ms=now_ms)
                transcripts.append((child, agent, "", 0))
    left = max_bytes
    for path, agent, _, _ in transcripts:
        while True:
            if left <= 0 or time.monotonic() > deadline:
                return not _is_behind(transcripts)
            taken, has_more = _tail_chunk(db, session_id, path, agent=agent, max_bytes=min(left, CHUNK_BYTES))
            left -= taken
            if not has_more:
                break
    return True


def _tail_chunk(
    db: Connection, session_id: int, path: str, *, agent: str, max_bytes: int
) -> tuple[int, bool]:
    """Read one chunk and commit its rows with the cursor: (bytes taken, whether more complete lines follow).

    Where another process moved the cursor meanwhile, nothing is written and the caller goes on from there.
    """
    before = rows.read_cursor(db, path)
    try:
        found, cursor, has_more, _ = read_chunk(path, _unpack(before), max_bytes=max_bytes)
    except OSError:
        return 0, False
    after = _pack(cursor)
    if after == before:
        return 0, has_more and bool(found)
    with Transaction(db):
        if rows.read_cursor(db, path) != before:
            return 0, True
        now_ms = int(time.time() * 1000)
        kept = [row for row in found if row[2] and not is_brain_folder(row[4])]
        items = [(row[0], row[1], row[7] or agent, row[2], row[3] or now_ms) for row in kept]
        log.append_rows(db, session_id, items, is_redacted=True)
        rows.move_cursor(db, path, after, cursor_bytes=cursor[0], now_ms=now_ms)
    start = _unpack(before)
    return max(cursor[0] - (start[0] if start and start[0] <= cursor[0] else 0), 1), has_more


def _is_behind(transcripts: list[tuple[str, str, str, int]]) -> bool:
    return any(file_size(path) > cursor_bytes for path, _, _, cursor_bytes in transcripts)


def _pack(cursor: tuple[int, int, int]) -> str:
    return "{} {} {}".format(*cursor)


def _unpack(text: str) -> tuple[int, int, int] | None:
    parts = text.split()
    return (int(parts[0]), int(parts[1]), int(parts[2])) if len(parts) == 3 else None
