"""Removing rows for good: out of tables, full text, the book of changes and free pages."""

from __future__ import annotations

import hashlib
import os
from functools import partial

from engram_hooks.jsontext import dumps
from engram_hooks.store.attempts import erase_attempt
from engram_hooks.store.connect import run
from engram_hooks.store.erase_tries import find_tried
from engram_hooks.store.indexes import FED
from engram_hooks.store.invariants import erase_rule
from engram_hooks.store.log import pack_uuid, unpack_uuid
from engram_hooks.store.records import TEXTS, unfeed
from engram_hooks.store.sealing import erase_sealed
from engram_hooks.store.tombstones import normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from sqlite3 import Connection

    # (table, id, text to show, uuid or "")
    Trace = tuple[str, int, str, str]

# A shorter text is a word that stands everywhere: only a row that says nothing else holds it.
MIN_CONTAINED_CHARS = 12
_TABLES = {
    "log": ("plain(text)",),
    "prompts": ("text",),
    "tool_events": ("target", "command", "error"),
    "records": TEXTS,
}
_FULL_TEXTS = "records_fts", "log_fts", "tool_events_fts", "attempts_fts"


def find_traces(db: Connection, texts: Iterable[str], *, uuids: Sequence[str] = ()) -> list[Trace]:
    """Every row (log, prompts, tool events, records, what was tried) that holds one of `texts` or has one of `uuids`.

    White space and case do not matter.
    """
    wanted = [text for text in dict.fromkeys(normalise(text) for text in texts) if text]
    found: dict[tuple[str, int], Trace] = {}
    for table, columns in _TABLES.items():
        own = "uuid" if table == "log" else "''"
        rows = db.execute(f"SELECT id, {own}, {', '.join(columns)} FROM {table}")  # noqa: S608 (own names)
        for row_id, uuid, *parts in rows:
            if any(_holds(part, text) for part in parts if part for text in wanted):
                found[table, row_id] = (table, row_id, " ".join(p for p in parts if p), _name_uuid(uuid))
    for table, row_id, said in find_tried(db, lambda part: any(_holds(part, text) for text in wanted)):
        found[table, row_id] = (table, row_id, said, "")
    for uuid in uuids:
        row = db.execute("SELECT id, plain(text) FROM log WHERE uuid = ?", (pack_uuid(uuid),)).fetchone()
        if row:
            found["log", row[0]] = ("log", row[0], row[1], uuid)
    return sorted(found.values())


def list_transcripts(db: Connection) -> list[str]:
    """The paths of all transcripts that were ever read."""
    return [row[0] for row in db.execute("SELECT path FROM transcripts ORDER BY path").fetchall()]


def erase_record(db: Connection, record_id: int) -> None:
    """Delete a record, its words, evidence and appearances; what pointed at it points nowhere."""
    row = db.execute("SELECT id, summary, detail, tags FROM records WHERE id = ?", (record_id,)).fetchone()
    if row is None:
        return
    unfeed(db, dict(zip(("id", *TEXTS), row, strict=True)))
    erase_sealed(db, _folder_of(db), record_id)
    for table in ("evidence", "anchors", "anchor_todo", "shown"):
        db.execute(f"DELETE FROM {table} WHERE record_id = ?", (record_id,))  # noqa: S608 (own names)
    db.execute("DELETE FROM records WHERE id = ?", (record_id,))
    for column in ("superseded_by", "parent_id"):
        db.execute(f"UPDATE records SET {column} = NULL WHERE {column} = ?", (record_id,))  # noqa: S608
    db.execute("UPDATE audit SET reason = '' WHERE record_id = ?", (record_id,))
    for entry_id, before, after in db.execute(
        "SELECT id, before, after FROM audit WHERE record_id = ?", (record_id,)
    ).fetchall():
        db.execute(
            "UPDATE audit SET before = ?, after = ? WHERE id = ?", (_hash(before), _hash(after), entry_id)
        )


def erase_vectors(db: Connection, record_id: int) -> None:
    """Overwrite a record's vectors in sealed files; those in tables go with the change of its texts."""
    erase_sealed(db, _folder_of(db), record_id)


def erase_trace(db: Connection, trace: Trace) -> None:
    """Delete a row that `find_traces` names, with its words."""
    table, row_id, _, _ = trace
    whole = {"records": erase_record, "attempts": erase_attempt, "invariants": erase_rule}.get(table)
    if whole:
        whole(db, row_id)
        return
    if table == "log":
        row = db.execute("SELECT plain(text), session_id FROM log WHERE id = ?", (row_id,)).fetchone()
        if row:
            _unfeed(db, "log_fts", row_id, row[0])
            db.execute("UPDATE sessions SET logged_count = max(0, logged_count - 1) WHERE id = ?", (row[1],))
    elif table == "tool_events":
        row = db.execute(
            "SELECT target || ' ' || command || ' ' || error, outcome FROM tool_events WHERE id = ?",
            (row_id,),
        ).fetchone()
        if row and row[1] == "failed":
            _unfeed(db, "tool_events_fts", row_id, row[0])
        db.execute("DELETE FROM tool_uses WHERE event_id = ?", (row_id,))
    db.execute(f"DELETE FROM {table} WHERE id = ?", (row_id,))  # noqa: S608 (own names)


def scrub_audit(db: Connection, texts: Iterable[str]) -> None:
    """Replace what the book of changes quotes of these texts, in whatever entry, by hashes."""
    for text in texts:
        part = dumps(text)[1:-1]
        if len(part) < MIN_CONTAINED_CHARS:
            continue
        found = db.execute(
            "SELECT id, before, after FROM audit WHERE instr(before, ?1) OR instr(after, ?1)", (part,)
        ).fetchall()
        for entry_id, before, after in found:
            db.execute(
                "UPDATE audit SET before = ?, after = ? WHERE id = ?", (_hash(before), _hash(after), entry_id)
            )


def compact(db: Connection) -> None:
    """Leave no deleted byte behind: merge the full text, rewrite the file, empty the write-ahead log.

    Raises `StoreBusy` where another process keeps the store open in a read.
    """
    for table in _FULL_TEXTS:
        optimize = f"INSERT INTO {table} ({table}) VALUES ('optimize')"  # noqa: S608 (own names)
        run(partial(db.execute, optimize))
    run(lambda: db.execute("VACUUM"))
    run(lambda: db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall())


def _folder_of(db: Connection) -> str:
    """The folder of the store that a connection is open on."""
    return os.path.dirname(str(db.execute("PRAGMA database_list").fetchone()[2]))


def _unfeed(db: Connection, table: str, row_id: int, text: str) -> None:
    db.execute(
        f"INSERT INTO {table} ({table}, rowid, text) VALUES ('delete', ?, ?)",  # noqa: S608 (own names)
        (row_id, FED[table](text)),
    )


def _holds(part: str, text: str) -> bool:
    own = normalise(part)
    return text in own if len(text) >= MIN_CONTAINED_CHARS else text == own


def _name_uuid(uuid: bytes | str) -> str:
    return unpack_uuid(uuid) if isinstance(uuid, bytes) else ""


def _hash(text: str) -> str:
    if not text or text.startswith("sha256:"):
        return text
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
