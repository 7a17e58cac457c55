"""Records that an unconfirmed word speaks against."""

from __future__ import annotations

from sqlite3 import Connection
from typing import Any

import pytest

from engram_hooks.store import disputes, records

NOW = 1_780_000_000_000


def keep(store: Connection, **fields: Any) -> int:
    """Store a record of project 1."""
    row = {"kind": "fact", "project_id": 1, "summary": "a note", **fields}
    return records.insert(store, row, now_ms=NOW, actor="person")


def test_disputed_record_stays_true_and_says_by_whom(store: Connection) -> None:
    old, other = keep(store), keep(store)
    assert disputes.mark(store, old, f"k{other}", now_ms=NOW, actor="miner")
    row = records.read(store, old)
    assert (row["status"], row["status_reason"]) == ("active", f"disputed by k{other}")


@pytest.mark.parametrize("fields", [{"status": "retracted"}, {"status_reason": "for a reason"}])
def test_record_that_is_not_told_or_says_something_else_is_left(
    store: Connection, fields: dict[str, str]
) -> None:
    old = keep(store, **fields)
    before = records.read(store, old)
    assert not disputes.mark(store, old, "k9", now_ms=NOW, actor="miner")
    assert records.read(store, old) == before


def test_dispute_ends_for_its_own_records_alone(store: Connection) -> None:
    mine, theirs, first, second = (keep(store) for _ in range(4))
    disputes.mark(store, mine, f"k{first}", now_ms=NOW, actor="miner")
    disputes.mark(store, theirs, f"k{second}", now_ms=NOW, actor="miner")
    assert disputes.drop(store, first, now_ms=NOW, actor="person") == 1
    assert records.read(store, mine)["status_reason"] == ""
    assert records.read(store, theirs)["status_reason"] == f"disputed by k{second}"
