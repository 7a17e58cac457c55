"""Writing memories: full text and the book of changes follow every change."""

from __future__ import annotations

from sqlite3 import Connection
from typing import Any

import pytest

from engram_hooks.errors import EngramError
from engram_hooks.store import audit, lookup, record_search, records
from engram_hooks.store.transactions import Transaction

NOW = 1_780_000_000_000
SECRET = "ghp" + "_" + "a1B2" * 9


def add(store: Connection, summary: str = "Postgres over Mongo", **fields: Any) -> int:
    """Insert a decision of project 1 and return its id."""
    row = {"kind": "decision", "project_id": 1, "summary": summary, **fields}
    return records.insert(store, row, now_ms=NOW, actor="person")


def found(store: Connection, *terms: str, **options: Any) -> list[int]:
    """The ids that a search in project 1 gives."""
    return [row[0] for row in record_search.search_records(store, terms, project_ids=[1], limit=9, **options)]


def test_inserted_record_has_defaults_and_a_uid(store: Connection) -> None:
    row = records.read(store, add(store))
    assert (row["status"], row["scope"], row["valid_from"], row["source"]) == (
        "active",
        "project",
        NOW,
        "person",
    )
    assert len(row["uid"]) == 32


def test_record_of_no_project_is_global(store: Connection) -> None:
    assert records.read(store, add(store, project_id=0))["scope"] == "global"


@pytest.mark.parametrize("field", ["summary", "detail", "tags"])
def test_secrets_never_reach_the_table(store: Connection, field: str) -> None:
    record_id = add(store, **{"summary": "use it", field: f"token {SECRET} here"})
    dump = "\n".join(store.iterdump())
    assert SECRET not in dump
    assert records.read(store, record_id)[field] != ""


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"summary": "  "}, id="empty summary"),
        pytest.param({"summary": "x", "colour": "red"}, id="unknown column"),
        pytest.param({"summary": "x", "kind": None}, id="no kind"),
    ],
)
def test_unusable_record_changes_nothing(store: Connection, fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        add(store, **fields)
    assert store.execute("SELECT count(*) FROM records").fetchone() == (0,)


def test_full_text_follows_an_edit(store: Connection) -> None:
    record_id = add(store, "use quartz", detail="and granite")
    assert records.update(store, record_id, {"summary": "use basalt"}, now_ms=NOW + 1, actor="person")
    assert found(store, "quartz") == []
    assert found(store, "basalt") == found(store, "granite") == [record_id]


def test_edit_to_the_same_text_writes_nothing(store: Connection) -> None:
    record_id = add(store, "use quartz")
    assert not records.update(store, record_id, {"summary": "use quartz"}, now_ms=NOW + 1, actor="person")
    assert len(audit.list_entries(store, record_id)) == 1
    assert records.read(store, record_id)["updated_at"] == NOW


@pytest.mark.parametrize("column", ["id", "uid", "created_at"])
def test_some_columns_never_change(store: Connection, column: str) -> None:
    record_id = add(store)
    with pytest.raises(ValueError, match="never change"):
        records.update(store, record_id, {column: 1}, now_ms=NOW, actor="person")


def test_every_change_is_in_the_book(store: Connection) -> None:
    record_id = add(store, "use quartz")
    records.update(store, record_id, {"summary": "use basalt"}, now_ms=NOW + 1, actor="person", reason="slip")
    records.set_status(store, record_id, "retracted", now_ms=NOW + 2, actor="person")
    records.reinstate(store, record_id, now_ms=NOW + 3, actor="person")
    entries = audit.list_entries(store, record_id)
    assert [entry["action"] for entry in entries] == ["add", "edit", "status retracted", "reinstate"]
    assert (entries[1]["before"], entries[1]["after"]) == (
        {"summary": "use quartz"},
        {"summary": "use basalt"},
    )
    assert entries[1]["reason"] == "slip"


def test_retracted_record_is_not_found_and_comes_back(store: Connection) -> None:
    record_id = add(store, "use quartz")
    records.set_status(store, record_id, "retracted", now_ms=NOW, actor="person")
    assert found(store, "quartz") == []
    records.reinstate(store, record_id, now_ms=NOW, actor="person")
    assert found(store, "quartz") == [record_id]


def test_superseded_record_is_found_only_as_of_its_time(store: Connection) -> None:
    old = add(store, "database is Mongo", valid_from=NOW)
    new = add(store, "database is Postgres", valid_from=NOW + 100)
    records.supersede(store, old, new, at_ms=NOW + 100, now_ms=NOW + 200, actor="person")
    assert found(store, "database") == [new]
    assert found(store, "database", as_of_ms=NOW + 50) == [old]
    assert found(store, "database", as_of_ms=NOW + 100) == [new]
    row = records.read(store, old)
    assert (row["status"], row["valid_to"], row["superseded_by"]) == ("superseded", NOW + 100, new)


def test_validity_never_ends_before_it_begins(store: Connection) -> None:
    old, new = add(store, "a one", valid_from=NOW), add(store, "a two")
    records.supersede(store, old, new, at_ms=NOW - 500, now_ms=NOW, actor="person")
    assert records.read(store, old)["valid_to"] == NOW


def test_chain_of_successors_has_no_ring(store: Connection) -> None:
    first, second = add(store, "one"), add(store, "two")
    records.supersede(store, first, second, at_ms=NOW, now_ms=NOW, actor="person")
    for old, new in ((second, first), (first, first)):
        with pytest.raises(EngramError, match="replaced itself"):
            records.supersede(store, old, new, at_ms=NOW, now_ms=NOW, actor="person")
    assert [row["id"] for row in lookup.read_chain(store, first)] == [first, second]


def test_evidence_is_counted_once(store: Connection) -> None:
    record_id = add(store)
    assert records.add_evidence(store, record_id, "commit", "abc", now_ms=NOW)
    assert not records.add_evidence(store, record_id, "commit", "abc", now_ms=NOW)
    assert records.read(store, record_id)["evidence_count"] == 1
    assert [item["ref"] for item in lookup.list_evidence(store, record_id)] == ["abc"]


def test_failed_transaction_leaves_nothing(store: Connection) -> None:
    def fail_half_way() -> None:
        with Transaction(store):
            add(store)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_half_way()
    assert store.execute("SELECT count(*) FROM records").fetchone() == (0,)
    assert not store.in_transaction


def test_inner_transaction_joins_the_outer_one(store: Connection) -> None:
    with Transaction(store):
        add(store)
        with Transaction(store):
            add(store)
        assert store.in_transaction
    assert store.execute("SELECT count(*) FROM records").fetchone() == (2,)
