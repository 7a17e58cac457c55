"""Removing rows for good: out of tables, full text, the book of changes and free pages."""

from __future__ import annotations

import hashlib
import os
from functools import partial
from typing import TYPE_CHECKING

from engram_hooks.store.attempts import erase_attempt
from engram_hooks.store.connect import FREEING, run
from engram_hooks.store.erase_places import DERIVED, KEPT_BY_RECORD, PARTS, ROWS
from engram_hooks.store.erase_texts import MIN_CONTAINED_CHARS as MIN_CONTAINED_CHARS
from engram_hooks.store.erase_texts import Wanted, read_parts
from engram_hooks.store.indexes import FED
from engram_hooks.store.invariants import erase_rule
from engram_hooks.store.log import pack_uuid, unpack_uuid
from engram_hooks.store.records import TEXTS, unfeed
from engram_hooks.store.sealing import erase_sealed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from sqlite3 import Connection

    # (table, id, text to show, uuid or "")
    Trace = tuple[str, int, str, str]

_FULL_TEXTS = "records_fts", "log_fts", "tool_events_fts", "attempts_fts"
# those of a repository's file are compiled from it again
_CONDITIONS = {"invariants": " WHERE file = ''"}
_KEYS = {"session_summaries": "session_id"}
# of records: who made them out of others, so that a sentence is enough
_DERIVING = frozenset(("consolidation", "brain", "log"))


def find_traces(db: Connection, texts: Iterable[str], *, uuids: Sequence[str] = ()) -> list[Trace]:
    """Every row that holds one of `texts` or has one of `uuids`, of the tables in `erase_places.ROWS`.

    White space and case do not matter. Of what was made out of others (summaries, merged records) a whole
    sentence is enough. Entries of core memory are named with the number of their version.
    """
    wanted = Wanted(texts)
    known = _list_tables(db)
    found: dict[tuple[str, int], Trace] = {}
    for table, key, columns, owner in ROWS:
        if table not in known:
            continue
        for row_id, uuid, is_derived, parts in _read_rows(db, table, key, columns):
            if any(wanted.is_in(part, is_derived=is_derived) for part in parts):
                found[owner, row_id] = (owner, row_id, " ".join(parts), _name_uuid(uuid))
    for uuid in uuids:
        row = db.execute("SELECT id, plain(text) FROM log WHERE uuid = ?", (pack_uuid(uuid),)).fetchone()
        if row:
            found["log", row[0]] = ("log", row[0], row[1], uuid)
    return sorted([*found.values(), *(_find_entries(db, wanted) if "core" in known else ())])


def list_transcripts(db: Connection) -> list[str]:
    """The paths of all transcripts that were ever read."""
    return [row[0] for row in db.execute("SELECT path FROM transcripts ORDER BY path").fetchall()]


def erase_record(db: Connection, record_id: int) -> None:
    """Delete a record, its words and all rows that belong to it; what pointed at it points nowhere."""
    row = db.execute("SELECT id, summary, detail, tags FROM records WHERE id = ?", (record_id,)).fetchone()
    if row is None:
        return
    unfeed(db, dict(zip(("id", *TEXTS), row, strict=True)))
    erase_sealed(db, _folder_of(db), record_id)
    for table in list_record_tables(db):
        if table not in KEPT_BY_RECORD:
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


def list_record_tables(db: Connection) -> list[str]:
    """The tables whose rows belong to a record, read from the schema, so that later ones are not forgotten."""
    found = (
        "SELECT t.name FROM sqlite_master t JOIN pragma_table_info(t.name) c ON c.name = 'record_id'"
        " WHERE t.type = 'table' ORDER BY t.name"
    )
    return [str(name) for (name,) in db.execute(found)]


def erase_vectors(db: Connection, record_id: int) -> None:
    """Overwrite a record's vectors in sealed files; those in tables go with the change of its texts."""
    erase_sealed(db, _folder_of(db), record_id)


def erase_trace(db: Connection, trace: Trace) -> None:
    """Delete a row that `find_traces` names, with its words. Of core memory `cut_texts` takes the entries out."""
    table, row_id, _, _ = trace
    whole = {"records": erase_record, "attempts": erase_attempt, "invariants": erase_rule}.get(table)
    if whole:
        whole(db, row_id)
        return
    if table == "core":
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
    db.execute(f"DELETE FROM {table} WHERE {_KEYS.get(table, 'id')} = ?", (row_id,))  # noqa: S608 (own names)


def cut_texts(db: Connection, texts: Iterable[str]) -> int:
    """Cut texts out of what stays: the book of changes, core memory, reports, reasons; returns how many values changed.

    Strings of JSON become a mark, lines of a text go.
    """
    wanted = Wanted(texts)
    known = _list_tables(db)
    changed = 0
    for table, key, columns in PARTS:
        if table not in known:
            continue
        for column in columns:
            rows = db.execute(f"SELECT {key}, plain({column}) FROM {table} WHERE {column} <> ''").fetchall()  # noqa: S608
            for row_key, value in rows:
                if wanted.is_in_value(value, is_derived=True):
                    update = f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {key} = ?"  # noqa: S608 (own names)
                    db.execute(update, (wanted.cut(value), row_key))
                    changed += 1
    return changed


def compact(db: Connection) -> None:
    """Leave no deleted byte behind: merge the full text, rewrite the file, empty the write-ahead log.

    Raises `StoreBusy` where another process keeps the store open in a read.
    """
    for table in _FULL_TEXTS:
        optimize = f"INSERT INTO {table} ({table}) VALUES ('optimize')"  # noqa: S608 (own names)
        run(partial(db.execute, optimize))
    run(lambda: db.execute(FREEING))
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


def _list_tables(db: Connection) -> set[str]:
    """The tables that there are: a copy may be older."""
    return {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _read_rows(
    db: Connection, table: str, key: str, columns: Sequence[str]
) -> Iterator[tuple[int, bytes | str, bool, list[str]]]:
    """(id, uuid or '', whether it was made out of others, its texts) of every row."""
    uuid = "uuid" if table == "log" else "''"
    source = "source" if table == "records" else "''"
    texts = ", ".join(f"plain({column})" for column in columns)
    question = f"SELECT {key}, {uuid}, {source}, {texts} FROM {table}{_CONDITIONS.get(table, '')}"  # noqa: S608
    for row_id, row_uuid, made_by, *values in db.execute(question):
        is_derived = table in DERIVED and (table != "records" or made_by in _DERIVING)
        yield row_id, row_uuid, is_derived, [part for value in values if value for part in read_parts(value)]


def _find_entries(db: Connection, wanted: Wanted) -> Iterator[Trace]:
    """The entries of core memory, in the newest version that has each."""
    newest: dict[str, int] = {}
    for version, text in db.execute("SELECT version, plain(text) FROM core_history ORDER BY version"):
        newest |= dict.fromkeys(text.split("\n"), version)
    for line, version in newest.items():
        if line and wanted.is_in(line, is_derived=True):
            yield "core", version, line, ""


def _name_uuid(uuid: bytes | str) -> str:
    return unpack_uuid(uuid) if isinstance(uuid, bytes) else ""


def _hash(text: str) -> str:
    if not text or text.startswith("sha256:"):
        return text
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
