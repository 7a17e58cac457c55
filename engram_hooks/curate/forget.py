"""Forgetting: taking a memory back, or removing every trace of it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from sqlite3 import Connection
from typing import Any

from engram_hooks.curate.record import Record, from_row
from engram_hooks.errors import StoreError
from engram_hooks.jsontext import dumps
from engram_hooks.store import audit, backup, connect, erase, lookup, records
from engram_hooks.store.tombstones import bury_content, bury_uuid
from engram_hooks.store.transactions import Transaction

_MAX_FILE_BYTES = 64 << 20
_CUT = "…"
# hold no text of the user: the launcher, vectors, models
_BINARY_FOLDERS = "bin", "vectors", "models"


@dataclass(frozen=True, slots=True)
class Removal:
    """All that a hard forget would remove, and what it cannot: `backups` and `transcripts` are paths."""

    record: Record
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
    texts = _texts_of(db, row)
    evidence = lookup.list_evidence(db, record_id)
    uuids = [item["ref"] for item in evidence if item["kind"] == "log"]
    traces = [
        trace for trace in erase.find_traces(db, texts, uuids=uuids) if trace[:2] != ("records", record_id)
    ]
    # a line that the record was taken from says the text in the speaker's words
    said = [text for table, _, text, uuid in traces if table == "log" and uuid in uuids]
    needles = _needles([*texts, *said])
    files = [path for path in own_files(data) if _file_holds(path, needles)]
    backups = [item.path for item in backup.list_backups(data) if _copy_holds(item.path, texts, needles)]
    transcripts = [path for path in erase.list_transcripts(db) if _file_holds(path, needles)]
    return Removal(
        from_row(row), tuple(texts), tuple(traces), tuple(files), tuple(backups), tuple(transcripts)
    )


def remove(db: Connection, removal: Removal, *, now_ms: int, with_backups: bool = False) -> list[str]:
    """Carry a planned removal out; returns the paths of backups and transcripts that still hold the text.

    The text is never captured or logged again. Raises `StoreBusy` where another process keeps reading.
    """
    with Transaction(db):
        for text in removal.texts:
            bury_content(db, text, now_ms=now_ms)
        for trace in removal.traces:
            if trace[3]:
                bury_uuid(db, trace[3], now_ms=now_ms)
            erase.erase_trace(db, trace)
        erase.erase_record(db, removal.record.id)
        erase.scrub_audit(db, removal.texts)
        audit.add_entry(db, removal.record.id, "forget", actor="person", now_ms=now_ms)
    needles = _needles([*removal.texts, *(trace[2] for trace in removal.traces if trace[0] == "log")])
    for path in removal.files:
        _drop_lines(path, needles)
    erase.compact(db)
    left = list(removal.transcripts)
    for path in removal.backups:
        if not with_backups or not _clean_copy(path, removal):
            left.append(path)
    return left


def _texts_of(db: Connection, row: dict[str, Any]) -> list[str]:
    """The texts of a record, those it had before among them."""
    texts = [row["summary"], row["detail"]]
    for entry in audit.list_entries(db, row["id"]):
        for part in (entry["before"], entry["after"]):
            assert isinstance(part, dict)
            texts += [str(part[name]) for name in ("summary", "detail") if part.get(name)]
    return list(dict.fromkeys(text.rstrip(_CUT).strip() for text in texts if text.strip()))


def _needles(texts: Sequence[str]) -> list[bytes]:
    """The byte forms in which a file may hold a text: as it is and as JSON writes it."""
    found: dict[bytes, None] = {}
    for text in texts:
        for line in text.split("\n"):
            line = line.strip()
            if len(line) >= erase.MIN_CONTAINED_CHARS or line == text:
                quoted = line.replace("\\", "\\\\").replace('"', '\\"')
                found |= dict.fromkeys((line.encode(), dumps(line)[1:-1].encode(), quoted.encode()))
    return [needle for needle in found if len(needle) > 2]


def own_files(data: str) -> Iterator[str]:
    """Our files that are no database: spool, ready lines, hook log and the like."""
    skipped = {os.path.join(data, name) for name in (backup.FOLDER, *_BINARY_FOLDERS)}
    for folder, names, files in os.walk(data):
        names[:] = [name for name in names if os.path.join(folder, name) not in skipped]
        for name in files:
            if not name.endswith((".db", ".db-wal", ".db-shm", ".db-journal", ".lock", ".toml")):
                yield os.path.join(folder, name)


def _file_holds(path: str, needles: Sequence[bytes]) -> bool:
    try:
        if os.stat(path).st_size > _MAX_FILE_BYTES:
            return _big_file_holds(path, needles)
        with open(path, "rb") as file:
            content = file.read()
    except OSError:
        return False
    return any(needle in content for needle in needles)


def _big_file_holds(path: str, needles: Sequence[bytes]) -> bool:
    overlap = max((len(needle) for needle in needles), default=0)
    tail = b""
    with open(path, "rb") as file:
        while block := file.read(_MAX_FILE_BYTES):
            if any(needle in tail + block for needle in needles):
                return True
            tail = block[-overlap:]
    return False


def _drop_lines(path: str, needles: Sequence[bytes]) -> None:
    """Rewrite a file in place without the lines that hold a text; a file with nothing else is deleted."""
    with open(path, "r+b") as file:
        lines = file.read().splitlines(keepends=True)
        kept = b"".join(line for line in lines if not any(needle in line for needle in needles))
        file.seek(0)
        file.write(kept)
        file.truncate()
    if not kept:
        os.unlink(path)


def _copy_holds(path: str, texts: Sequence[str], needles: Sequence[bytes]) -> bool:
    if _file_holds(path, needles):
        return True
    try:
        copy = connect.connect_file(path, "mode=ro&immutable=1", 0)
        try:
            return bool(connect.run(lambda: erase.find_traces(copy, texts)))
        finally:
            copy.close()
    except (StoreError, connect.DatabaseError):
        return False


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
            erase.erase_record(copy, removal.record.id)
            for trace in removal.traces:
                erase.erase_trace(copy, trace)
            erase.scrub_audit(copy, removal.texts)
        erase.compact(copy)
    except StoreError:
        return False
    finally:
        copy.close()
    return True
