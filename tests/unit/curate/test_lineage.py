"""Records that went into others or out of sight come back as they were."""

from __future__ import annotations

from sqlite3 import Connection
from typing import Any

import pytest

from engram_hooks.curate.lineage import archive, fold, restore
from engram_hooks.errors import EngramError
from engram_hooks.store import lookup, records

NOW_MS = 1_780_000_000_000
LATER = {"updated_at"}


def add(db: Connection, summary: str, **fields: Any) -> int:  # Any: columns of a record
    row = {"kind": "fact", "project_id": 1, "summary": summary} | fields
    return records.insert(db, row, now_ms=NOW_MS, actor="miner")


def state(db: Connection, record_id: int) -> dict[str, Any]:
    """A record and its evidence, but for the moment of the last change."""
    row = records.read(db, record_id)
    return {name: value for name, value in row.items() if name not in LATER} | {
        "evidence": lookup.list_evidence(db, record_id)
    }


@pytest.mark.parametrize("status", ["archived", "expired"])
def test_restored_record_is_what_it_was(store: Connection, status: str) -> None:
    record_id = add(store, "The cache is warmed by hand", use_count=3, status_reason="as it was")
    before = state(store, record_id)
    assert archive(
        store,
        record_id,
        status=status,
        reason="faded",
        now_ms=NOW_MS + 1,
        actor="consolidation",
        valid_to=NOW_MS,
    )
    assert state(store, record_id) != before
    assert restore(store, record_id, now_ms=NOW_MS + 2)
    assert state(store, record_id) == before


def test_merged_record_leaves_its_counts_and_evidence_with_its_parent_until_it_is_restored(
    store: Connection,
) -> None:
    parent = add(store, "The tests need a local Redis running", use_count=2)
    child = add(store, "The tests need a local Redis", use_count=3, importance=0.9, last_used_at=NOW_MS - 5)
    records.add_evidence(store, parent, "log", "both", now_ms=NOW_MS)
    records.add_evidence(store, child, "log", "both", now_ms=NOW_MS)
    records.add_evidence(store, child, "log", "own", now_ms=NOW_MS)
    before = state(store, child)
    assert fold(store, child, parent, reason="same", now_ms=NOW_MS + 1, actor="consolidation")
    merged = state(store, parent)
    assert (merged["use_count"], merged["importance"], merged["last_used_at"]) == (5, 0.9, NOW_MS - 5)
    assert [item["ref"] for item in merged["evidence"]] == ["both", "own"]
    assert merged["evidence_count"] == 2
    assert records.read(store, child)["parent_id"] == parent
    assert restore(store, child, now_ms=NOW_MS + 2)
    assert state(store, child) == before
    after = state(store, parent)
    assert (after["use_count"], [item["ref"] for item in after["evidence"]]) == (2, ["both"])
    assert after["evidence_count"] == 1


@pytest.mark.parametrize("status", ["retracted", "candidate", "quarantined"])
def test_what_nothing_put_away_is_not_restored(store: Connection, status: str) -> None:
    record_id = add(store, "A note", status=status)
    with pytest.raises(EngramError):
        restore(store, record_id, now_ms=NOW_MS)
    assert records.read(store, record_id)["status"] == status


def test_told_record_needs_no_restoring(store: Connection) -> None:
    assert not restore(store, add(store, "A note"), now_ms=NOW_MS)


@pytest.mark.parametrize("status", ["candidate", "superseded", "retracted", "archived"])
def test_only_told_records_are_put_away_or_merged(store: Connection, status: str) -> None:
    own, other = add(store, "A note", status=status), add(store, "Another note")
    before = state(store, own), state(store, other)
    assert not archive(store, own, status="archived", reason="", now_ms=NOW_MS, actor="consolidation")
    assert not fold(store, own, other, reason="", now_ms=NOW_MS, actor="consolidation")
    assert not fold(store, other, own, reason="", now_ms=NOW_MS, actor="consolidation")
    assert (state(store, own), state(store, other)) == before


def test_what_followed_its_going_is_taken_back_too_but_not_a_persons_word(store: Connection) -> None:
    parent, child = (
        add(store, "The tests need a local Redis running"),
        add(store, "The tests need a local Redis"),
    )
    before = state(store, child)
    fold(store, child, parent, reason="same", now_ms=NOW_MS + 1, actor="consolidation")
    records.update(
        store, child, {"valid_to": NOW_MS}, now_ms=NOW_MS + 1, actor="consolidation", action="merge"
    )
    records.update(store, child, {"tags": "redis"}, now_ms=NOW_MS + 2, actor="person")
    assert restore(store, child, now_ms=NOW_MS + 3)
    assert state(store, child) == before | {"tags": "redis"}
