"""A note that has no vector yet is found by its words all the same."""

from __future__ import annotations

from sqlite3 import Connection

from engram_hooks.curate.backfill import embed_missing
from engram_hooks.recall.gate import choose
from engram_hooks.sessions.minder import find
from engram_hooks.store import records

OLD = "Sums are kept in minor units and rounded only when displayed"
NEW = "The ledger archiver writes Avro, because auditors load it into Hive"
PROMPT = "Which format does the ledger archiver write, and why?"


def add(store: Connection, summary: str) -> int:
    return records.insert(
        store, {"kind": "decision", "project_id": 1, "summary": summary}, now_ms=1, actor="person"
    )


def test_new_note_is_told_before_and_after_it_has_its_vector(store: Connection, data: str) -> None:
    add(store, OLD)
    embed_missing(store, data, {}, now_ms=1)
    new = add(store, NEW)
    for _ in range(2):
        found = choose(find(store, data, PROMPT, project_id=1, environ={}))
        assert [item[1][0] for item in found] == [new]
        embed_missing(store, data, {}, now_ms=2)
