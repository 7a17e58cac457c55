"""What becomes of two notes that seem to be about one thing, once a person has answered."""

from __future__ import annotations

from sqlite3 import Connection

import pytest

from engram_hooks.curate import rivals
from engram_hooks.curate.lineage import restore
from engram_hooks.errors import EngramError
from engram_hooks.store import records
from engram_hooks.store import rivals as pairs
from tests.conftest import NOW_MS


def keep(store: Connection, summary: str, *, at_ms: int, kind: str = "decision") -> int:
    fields = {"kind": kind, "project_id": 1, "summary": summary, "valid_from": at_ms}
    return records.insert(store, fields, now_ms=at_ms, actor="person")


@pytest.fixture
def older(store: Connection) -> int:
    return keep(store, "The default currency is EUR.", at_ms=NOW_MS)


def ask(store: Connection, newer: int, older: int) -> rivals.Rivals:
    pairs.put_rivals(store, [(newer, older, 0.8)], now_ms=NOW_MS)
    (found,) = rivals.list_rivals(store, 1)
    return found


def test_note_that_says_the_same_goes_into_the_older_one(store: Connection, older: int) -> None:
    newer = keep(store, "Default currency: EUR.", at_ms=NOW_MS + 1)
    found = ask(store, newer, older)
    assert found.says_same
    assert found.ask()[1].startswith("the same as")
    rivals.replace(store, newer, older, now_ms=NOW_MS + 2)
    row = records.read(store, newer)
    assert (row["status"], row["parent_id"], records.read(store, older)["status"]) == (
        "archived",
        older,
        "active",
    )
    restore(store, newer, now_ms=NOW_MS + 3)
    assert records.read(store, newer)["status"] == "active"


def test_note_with_another_value_replaces_the_older_one(store: Connection, older: int) -> None:
    newer = keep(store, "Prices are shown in Swiss francs.", at_ms=NOW_MS + 1)
    found = ask(store, newer, older)
    assert not found.says_same
    rivals.replace(store, newer, older, now_ms=NOW_MS + 2)
    row = records.read(store, older)
    assert (row["status"], row["superseded_by"], row["valid_to"]) == ("superseded", newer, NOW_MS + 1)


def test_pair_is_answered_once(store: Connection, older: int) -> None:
    newer = keep(store, "Prices are shown in Swiss francs.", at_ms=NOW_MS + 1)
    ask(store, newer, older)
    rivals.keep_both(store, newer, older)
    assert pairs.put_rivals(store, [(newer, older, 0.9)], now_ms=NOW_MS) == 0
    assert rivals.list_rivals(store, 1) == []
    for answer in (rivals.replace, rivals.keep_both):
        with pytest.raises(EngramError, match="not in question"):
            answer(store, newer, older, **({"now_ms": NOW_MS} if answer is rivals.replace else {}))
    assert records.read(store, older)["status"] == "active"


def test_other_projects_are_not_asked(store: Connection, older: int) -> None:
    newer = keep(store, "Prices are shown in Swiss francs.", at_ms=NOW_MS + 1)
    ask(store, newer, older)
    assert rivals.list_rivals(store, 2) == []
