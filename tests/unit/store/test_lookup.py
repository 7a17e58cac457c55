"""Finding memories by the id people type, by filter, by chain."""

from __future__ import annotations

from itertools import pairwise
from sqlite3 import Connection

import pytest

from engram_hooks.errors import EngramError
from engram_hooks.store import lookup, records

NOW = 1_780_000_000_000


@pytest.fixture
def record_id(store: Connection) -> int:
    """A decision with a known uid."""
    row = {
        "kind": "decision",
        "project_id": 1,
        "summary": "one",
        "uid": "d12abc" + "0" * 26,
        "tags": "db sql",
    }
    return records.insert(store, row, now_ms=NOW, actor="person")


@pytest.mark.parametrize("ref", ["d1", "1", "D1", "[d1]", " k1 ", "d12abc", "d12abc" + "0" * 26])
def test_record_is_found_by_what_people_type(store: Connection, record_id: int, ref: str) -> None:
    assert lookup.find(store, ref)["id"] == record_id


@pytest.mark.parametrize("ref", ["", "d2", "d12ab", "x" * 99, "d-1", "1.0", "9" * 40, "ｄ１", "zzzzzz"])
def test_other_text_names_no_record(store: Connection, record_id: int, ref: str) -> None:
    with pytest.raises(EngramError, match="no record"):
        lookup.find(store, ref)


def test_start_of_two_uids_is_refused(store: Connection, record_id: int) -> None:
    row = {"kind": "fact", "project_id": 1, "summary": "two", "uid": "d12abc" + "1" * 26}
    records.insert(store, row, now_ms=NOW, actor="person")
    with pytest.raises(EngramError, match="several"):
        lookup.find(store, "d12abc")


@pytest.mark.parametrize(
    ("filters", "is_listed"),
    [
        pytest.param({}, True, id="no filter"),
        pytest.param({"kinds": ["decision"]}, True, id="kind"),
        pytest.param({"tag": "sql"}, True, id="tag"),
        pytest.param({"statuses": ["active"], "tag": "db"}, True, id="status and tag"),
        pytest.param({"kinds": ["fact"]}, False, id="other kind"),
        pytest.param({"tag": "sq"}, False, id="part of a tag"),
        pytest.param({"statuses": ["candidate"]}, False, id="other status"),
        pytest.param({"candidates_of": 2}, True, id="candidates of another project"),
    ],
)
def test_filters(store: Connection, record_id: int, filters: dict[str, object], *, is_listed: bool) -> None:
    found = lookup.list_records(store, project_ids=[1], **filters)  # type: ignore[arg-type]
    assert [row["id"] for row in found] == [record_id] * is_listed


def test_records_of_another_project_are_not_listed(store: Connection, record_id: int) -> None:
    assert lookup.list_records(store, project_ids=[2, 0]) == []


def test_newest_come_first_and_the_limit_holds(store: Connection, record_id: int) -> None:
    row = {"kind": "fact", "project_id": 1, "summary": "two"}
    second = records.insert(store, row, now_ms=NOW + 1, actor="person")
    assert [row["id"] for row in lookup.list_records(store, project_ids=[1])] == [second, record_id]
    assert [row["id"] for row in lookup.list_records(store, project_ids=[1], limit=1)] == [second]


def test_long_chain_is_read_from_any_end(store: Connection) -> None:
    ids = [
        records.insert(
            store,
            {"kind": "fact", "project_id": 1, "summary": f"v{i}", "valid_from": NOW + i},
            now_ms=NOW,
            actor="person",
        )
        for i in range(4)
    ]
    for old, new in pairwise(ids):
        records.supersede(store, old, new, at_ms=NOW + new, now_ms=NOW, actor="person")
    for record_id in ids:
        assert [row["id"] for row in lookup.read_chain(store, record_id)] == ids
