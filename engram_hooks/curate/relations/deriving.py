"""Entities and relations are derived from records: each record is read once, and again when it says something else."""

from __future__ import annotations

import time
from sqlite3 import Connection

from engram_hooks.curate.relations.reading import read_record
from engram_hooks.store import relations

_BATCH = 40


def derive_relations(db: Connection, *, now_ms: int, until: float, is_dry: bool = False) -> int:
    """Read the records that wait for it, until `until` (as `time.monotonic` counts); how many said something new.

    With `is_dry` nothing is written: how many would be read. Few records are written at a
    time, so that nobody waits for the store. Raises a child of `StoreError` where the store cannot be written.
    """
    if is_dry:
        return len(relations.list_waiting(db, limit=-1))
    changed = 0
    while time.monotonic() < until and relations.has_waiting(db):
        known = relations.list_names(db)
        changed += _read_waiting(db, known, now_ms=now_ms, until=until)
        # records that may begin with a new name are read again: the order in which they came does not matter
        new = sorted(relations.list_names(db) - known)
        if not new:
            break
        for name in new:
            relations.requeue(db, name)
    return changed


def _read_waiting(db: Connection, known: frozenset[str], *, now_ms: int, until: float) -> int:
    changed = 0
    while time.monotonic() < until and (waiting := relations.list_waiting(db, limit=_BATCH)):
        fresh, done = relations.keep_readings(db, [_read(row, known) for row in waiting], now_ms=now_ms)
        changed += fresh
        if not done:
            break  # all of them are being changed just now
    return changed


def _read(row: relations.Waiting, known: frozenset[str]) -> relations.Read:
    _, status, summary, detail, paths = row
    if not relations.is_readable(status):
        return row, [], []
    reading = read_record(summary, detail, paths.split("\n"), known=known)
    return row, [(one.norm, one.name, one.kind) for one in reading.things], reading.relations
