"""Forgetting: taking a memory back, or removing every trace of it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from sqlite3 import Connection
from typing import Any

from engram_hooks.curate.needles import Needles
from engram_hooks.curate.record import Record, from_row
from engram_hooks.errors import StoreError
from engram_hooks.sessions import core_mirror
from engram_hooks.store import audit, backup, connect, erase, lookup, records
from engram_hooks.store.tombstones import bury_content, bury_uuid
from engram_hooks.store.transactions import Transaction

_CUT = "…"
_NOT_READ = ".db", ".db-wal", ".db-shm", ".db-journal", ".lock", ".toml"
_ASIDE = ".db.damaged-"
# hold no text of the user: the launcher, vectors, models
_BINARY_FOLDERS = "bin", "vectors", "models"


@dataclass(frozen=True, slots=True)
class Removal:
    """All that a hard forget would remove, and what it cannot: `backups` and `transcripts` are paths.

    Without a `record` it is a text alone that goes, such as an entry of core memory.
    """

    record: Record | None
    texts: tuple[str, ...]
    traces: tuple[tuple[str, int, str, str], ...]
    files: tuple[str, ...]
    backups: tuple[str, ...]
    transcripts: tuple[str, ...]


def retract(db: Connection, record_id: int, *, now_ms: int, reason: str = "") -> Record:
    """Stop telling a record as true; it stays on disk and can be reinstated."""
    records.set_status(db, record_id, "retracted", now_ms=now_ms, actor="person", reason=reason)
    return from_row(records.read(db, record_id))


def plan_removal(db: Connection, data: str, record_id: int) -> Removal:
    """Where a record's text stands: tables, our files, backups, the client's transcripts."""
    row = records.read(db, record_id)
    uuids = [item["ref"] for item in lookup.list_evidence(db, record_id) if item["kind"] == "log"]
    return _plan(db, data, _texts_of(db, row), record=from_row(row), uuids=uuids)


def plan_text_removal(db: Connection, data: str, text: str) -> Removal:
    """The same for a text that is no record's."""
    return _plan(db, data, [text.strip()], record=None)


def _plan(
    db: Connection, data: str, texts: list[str], *, record: Record | None, uuids: Sequence[str] = ()
) -> Removal:
    own = ("records", record.id) if record else None
    traces = [trace for trace in erase.find_traces(db, texts, uuids=uuids) if trace[:2] != own]
    # a line that the record was taken from says the text in the speaker's words
    said = [text for table, _, text, uuid in traces if table == "log" and uuid in uuids]
    needles = Needles([*texts, *said])
    files = [path for path in own_files(data) if needles.are_in_file(path)]
    backups = [path for path in _list_copies(data) if _copy_holds(path, texts, needles)]
    transcripts = [path for path in erase.list_transcripts(db) if needles.are_in_file(path)]
    return Removal(record, tuple(texts), tuple(traces), tuple(files), tuple(backups), tuple(transcripts))


def remove(
    db: Connection, data: str, removal: Removal, *, now_ms: int, with_backups: bool = False
) -> list[str]:
    """Carry a planned removal out; returns the paths of backups and transcripts that still hold the text.

    The text is never captured or logged again. Raises `StoreBusy` where another process keeps reading.
    """
    with Transaction(db):
        for text in removal.texts:
            bury_content(db, text, now_ms=now_ms)
        for trace in removal.traces:
            if trace[3]:
                bury_uuid(db, trace[3], now_ms=now_ms)
        _erase(db, removal)
        record_id = removal.record.id if removal.record else None
        audit.add_entry(db, record_id, "forget", actor="person", now_ms=now_ms)
    needles = Needles([*removal.texts, *(trace[2] for trace in removal.traces if trace[0] == "log")])
    for path in removal.files:
        needles.drop_from_file(path)
    core_mirror.acknowledge(db, data)
    erase.compact(db)
    left = list(removal.transcripts)
    for path in removal.backups:
        if not with_backups or not _clean_copy(path, removal):
            left.append(path)
    return left


def _erase(db: Connection, removal: Removal) -> None:
    """Take what was planned out of a database; the caller holds the transaction."""
    for trace in removal.traces:
        erase.erase_trace(db, trace)
    if removal.record:
        erase.erase_record(db, removal.record.id)
    erase.cut_texts(db, removal.texts)


def _texts_of(db: Connection, row: dict[str, Any]) -> list[str]:
    """The texts of a record, those it had before among them."""
    texts = [row["summary"], row["detail"]]
    for entry in audit.list_entries(db, row["id"]):
        for part in (entry["before"], entry["after"]):
            assert isinstance(part, dict)
            texts += [str(part[name]) for name in ("summary", "detail") if part.get(name)]
    return list(dict.fromkeys(text.rstrip(_CUT).strip() for text in texts if text.strip()))


def own_files(data: str) -> Iterator[str]:
    """Our files that are no database: spool, ready lines, hook log and the like."""
    skipped = {os.path.join(data, name) for name in (backup.FOLDER, *_BINARY_FOLDERS)}
    for folder, names, files in os.walk(data):
        names[:] = [name for name in names if os.path.join(folder, name) not in skipped]
        for name in files:
            if not name.endswith(_NOT_READ) and _ASIDE not in name:
                yield os.path.join(folder, name)


def _list_copies(data: str) -> list[str]:
    """Our copies of the store: backups, what an interrupted one left, damaged stores that were set aside."""
    folder = os.path.join(data, backup.FOLDER)
    kept = [os.path.join(folder, name) for name in os.listdir(folder)] if os.path.isdir(folder) else []
    aside = [os.path.join(data, name) for name in os.listdir(data) if _ASIDE in name]
    return sorted(path for path in (*kept, *aside) if os.path.isfile(path))


def _copy_holds(path: str, texts: Sequence[str], needles: Needles) -> bool:
    if needles.are_in_file(path):
        return True
    try:
        copy = connect.connect_file(path, "mode=ro&immutable=1", 0)
        try:
            return bool(connect.run(lambda: erase.find_traces(copy, texts)))
        finally:
            copy.close()
    except (StoreError, connect.DatabaseError):
        return _ASIDE in path or _is_store(path)  # nobody can tell


def _is_store(path: str) -> bool:
    try:
        connect.check_header(path)
    except StoreError:
        return False
    return True


def _clean_copy(path: str, removal: Removal) -> bool:
    """Remove the text from one of our backups; False where it is of another schema or damaged."""
    try:
        copy = connect.open_store(path, busy_ms=1000)
    except StoreError:
        return False
    try:
        with Transaction(copy):
            for trace in erase.find_traces(copy, removal.texts):
                erase.erase_trace(copy, trace)
            _erase(copy, removal)
        erase.compact(copy)
    except StoreError:
        return False
    finally:
        copy.close()
    return True
