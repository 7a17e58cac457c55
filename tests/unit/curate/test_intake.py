"""Imports: each row once, in its own project, with its own time."""

from __future__ import annotations

from sqlite3 import Connection
from typing import Any

import pytest

from engram_hooks.curate import intake
from engram_hooks.curate.intake import import_rows
from engram_hooks.curate.record import ImportReport
from engram_hooks.errors import UsageError
from engram_hooks.store import log_search, lookup
from engram_hooks.store.transactions import Transaction

NOW = 1_780_000_000_000
DAY = "2025-05-03T00:00:00Z"
DAY_MS = 1_746_230_400_000


def bring(store: Connection, *rows: dict[str, Any]) -> ImportReport:
    """Import rows; the projects `a` and `b` are 1 and 2."""
    return import_rows(store, rows, find_project={"": 9, "a": 1, "b": 2}.__getitem__, now_ms=NOW)


def test_decision_becomes_a_record_with_its_time_and_subject(store: Connection) -> None:
    row = {
        "id": "x1",
        "project": "a",
        "ts": DAY,
        "kind": "decision",
        "text": "use quartz",
        "subject": "The Queue",
    }
    assert bring(store, row) == ImportReport(added=1, skipped=0)
    found = lookup.find_external(store, 1, "x1")
    assert found is not None
    assert (found["valid_from"], found["created_at"], found["tags"]) == (DAY_MS, DAY_MS, "the-queue")


def test_same_row_again_is_skipped_and_another_project_is_not(store: Connection) -> None:
    row = {"id": 1, "project": "a", "ts": DAY, "kind": "note", "text": "use quartz"}
    turn = {"id": 2, "project": "a", "ts": DAY, "kind": "turn", "role": "user", "text": "hello"}
    bring(store, row, turn)
    assert bring(store, row, turn, {**row, "project": "b"}, {**turn, "project": "b"}) == ImportReport(2, 2)


def test_turns_go_to_the_log_with_their_speaker(store: Connection) -> None:
    bring(
        store,
        {
            "id": 1,
            "project": "a",
            "session": "s",
            "ts": DAY,
            "kind": "turn",
            "speaker": "Ana",
            "text": "quartz",
        },
        {
            "id": 2,
            "project": "a",
            "session": "s",
            "ts": DAY,
            "kind": "log",
            "role": "assistant",
            "text": "granite",
        },
    )
    rows = log_search.browse_log(store, project_id=1)
    assert [(row["role"], row["text"]) for row in rows] == [("user", "Ana: quartz"), ("assistant", "granite")]
    assert lookup.list_records(store, project_ids=[1]) == []


def test_replaced_record_is_closed_at_the_time_of_the_new_one(store: Connection) -> None:
    old = {"id": "x1", "project": "a", "ts": "2025-01-01T00:00:00Z", "kind": "decision", "text": "use quartz"}
    bring(store, old, {**old, "id": "x2", "ts": DAY, "text": "use basalt", "supersedes": "x1"})
    found = lookup.find_external(store, 1, "x1")
    assert found is not None
    assert (found["status"], found["valid_to"]) == ("superseded", DAY_MS)


@pytest.mark.parametrize(
    "row",
    [
        pytest.param({"text": "no id"}, id="no id"),
        pytest.param({"id": 1, "text": " "}, id="no text"),
        pytest.param({"id": 1, "text": "x", "kind": "bogus"}, id="kind"),
        pytest.param({"id": 1, "text": "x", "ts": "soon"}, id="date"),
    ],
)
def test_unreadable_row_is_refused(store: Connection, row: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        bring(store, row)
    assert lookup.list_records(store, project_ids=[9]) == []


def test_imported_change_replaces_what_it_names(store: Connection) -> None:
    bring(
        store,
        {"id": "a", "kind": "decision", "text": "Docs are built with Sphinx.", "ts": "2025-01-01"},
        {"id": "b", "kind": "decision", "text": "Docs moved from Sphinx to MkDocs.", "ts": "2025-02-01"},
    )
    old, new = (lookup.find_external(store, 9, name) for name in ("a", "b"))
    assert old is not None
    assert new is not None
    assert (old["superseded_by"], old["valid_to"]) == (new["id"], new["valid_from"])


def test_replaced_by_id_takes_restatements_with_it(store: Connection) -> None:
    bring(
        store,
        {"id": "a", "kind": "decision", "text": "Docs are built with Sphinx.", "ts": "2025-01-01"},
        {"id": "b", "kind": "fact", "text": "Sphinx builds the docs.", "ts": "2025-01-02"},
        {"id": "c", "kind": "fact", "text": "Docs builds fail on warnings.", "ts": "2025-01-03"},
        {"id": "d", "kind": "decision", "text": "MkDocs it is.", "supersedes": "a", "ts": "2025-02-01"},
    )
    rows = {name: lookup.find_external(store, 9, name) for name in "abcd"}
    statuses = {name: row["status"] for name, row in rows.items() if row}
    assert statuses == {"a": "superseded", "b": "superseded", "c": "active", "d": "active"}


def test_rows_out_of_order_make_the_same_chain(store: Connection) -> None:
    bring(
        store,
        {"id": "b", "kind": "decision", "text": "Docs moved from Sphinx to MkDocs.", "ts": "2025-02-01"},
        {"id": "a", "kind": "decision", "text": "Docs are built with Sphinx.", "ts": "2025-01-01"},
    )
    old, new = (lookup.find_external(store, 9, name) for name in ("a", "b"))
    assert old is not None
    assert new is not None
    assert (old["status"], old["superseded_by"], old["valid_to"]) == (
        "superseded",
        new["id"],
        new["valid_from"],
    )
    assert new["status"] == "active"


def test_repeated_text_is_kept_once(store: Connection) -> None:
    bring(
        store,
        {"id": "a", "kind": "decision", "text": "Docs are built with Sphinx.", "ts": "2025-01-01"},
        {"id": "b", "kind": "decision", "text": "Docs are built with Sphinx.", "ts": "2025-02-01"},
    )
    first, second = (lookup.find_external(store, 9, name) for name in ("a", "b"))
    assert first is not None
    assert second is not None
    assert (second["status"], second["parent_id"]) == ("archived", first["id"])


def test_import_lets_others_write_in_between(store: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "MAX_WRITE_S", -1.0)
    begun: list[object] = []

    class Counted(Transaction):
        def __enter__(self) -> Connection:
            begun.append(self)
            return super().__enter__()

    monkeypatch.setattr(intake, "Transaction", Counted)
    rows = [{"id": str(n), "kind": "turn", "text": f"line {n}"} for n in range(3)]
    assert bring(store, *rows).added == 3
    assert len(begun) >= 3
