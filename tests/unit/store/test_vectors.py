"""Which vectors are scanned and which of what is found is told, whatever happens to the records."""

from __future__ import annotations

from collections.abc import Iterator
from sqlite3 import Connection

import pytest

from engram_hooks.store import records, vector_queue, vectors
from engram_hooks.store.check import check_store
from engram_hooks.store.erase import erase_record
from tests.conftest import NOW_MS

SIGNS, STORED = bytes(1), bytes([130]) * 8


def add(db: Connection, summary: str = "a note", *, project: int = 1, status: str = "active") -> int:
    row = {"kind": "fact", "project_id": project, "summary": summary, "status": status}
    return records.insert(db, row, now_ms=NOW_MS, actor="person")


def waiting(db: Connection, model_id: int = 1) -> list[int]:
    return sorted(row[1] for row in vector_queue.list_waiting(db, model_id, limit=100))


def fill(db: Connection, model_id: int = 1) -> int:
    made = [(*row[:3], SIGNS, STORED) for row in vector_queue.list_waiting(db, model_id, limit=100)]
    return vector_queue.put_vectors(db, model_id, made)


def tail_of(db: Connection, data: str, *projects: int) -> list[int]:
    scan = vectors.open_scan(db, data, projects)
    assert scan is not None
    return [row[0] for row in scan.tail]


@pytest.fixture
def db(store: Connection) -> Iterator[Connection]:
    """A store with two projects and a first model."""
    for number in (1, 2):
        store.execute("INSERT INTO projects VALUES (?, ?, ?, 0, 1)", (number, str(number) * 32, f"p{number}"))
    assert vector_queue.add_model(store, "bundled", "f1", dims=8, is_hot=True, now_ms=NOW_MS) == 1
    yield store
    assert check_store(store) == []


def test_new_record_waits_and_then_is_scanned(db: Connection, data: str) -> None:
    record = add(db)
    assert vectors.has_todo(db)
    assert waiting(db) == [record]
    assert fill(db) == 1
    assert not vectors.has_todo(db)
    assert tail_of(db, data, 1, 0) == [record]
    assert tail_of(db, data, 2) == []


def test_records_from_before_the_model_wait(store: Connection) -> None:
    record = add(store, project=0)
    assert not vectors.has_todo(store)
    vector_queue.add_model(store, "bundled", "f1", dims=8, is_hot=True, now_ms=NOW_MS)
    assert waiting(store) == [record]


@pytest.mark.parametrize("status", ["candidate", "quarantined", "needs_review"])
def test_record_that_is_not_told_does_not_wait_until_it_is(db: Connection, status: str) -> None:
    record = add(db, status=status)
    assert waiting(db) == []
    records.set_status(db, record, "active", now_ms=NOW_MS, actor="person")
    assert waiting(db) == [record]


@pytest.mark.parametrize("status", ["superseded", "retracted", "archived", "expired", "stale"])
def test_record_that_is_not_told_any_more_leaves_the_scan_at_once(
    db: Connection, data: str, status: str
) -> None:
    record = add(db)
    fill(db)
    scan = vectors.open_scan(db, data, (1,))
    assert scan is not None
    assert scan.keep([record]) == {record: 0}
    records.set_status(db, record, status, now_ms=NOW_MS, actor="person")
    assert scan.keep([record]) == {}
    assert tail_of(db, data, 1) == []
    assert waiting(db) == []
    records.reinstate(db, record, now_ms=NOW_MS, actor="person")
    assert waiting(db) == [record]


@pytest.mark.parametrize(
    "changes", [{"summary": "other"}, {"detail": "more"}, {"tags": "x"}, {"project_id": 2}]
)
def test_changed_record_waits_for_a_new_vector(db: Connection, data: str, changes: dict[str, object]) -> None:
    record = add(db)
    fill(db)
    records.update(db, record, changes, now_ms=NOW_MS, actor="person")
    assert tail_of(db, data, 1, 2) == []
    assert waiting(db) == [record]


@pytest.mark.parametrize(
    "changes", [{"importance": 0.9}, {"paths": "src/**"}, {"status": "compacted"}, {"kind": "decision"}]
)
def test_other_changes_leave_the_vector_alone(db: Connection, data: str, changes: dict[str, object]) -> None:
    record = add(db)
    fill(db)
    records.update(db, record, changes, now_ms=NOW_MS, actor="person")
    assert tail_of(db, data, 1) == [record]
    assert waiting(db) == []


def test_record_changed_while_its_vector_was_made_goes_on_waiting(db: Connection, data: str) -> None:
    record = add(db)
    made = [(*row[:3], SIGNS, STORED) for row in vector_queue.list_waiting(db, 1, limit=9)]
    records.update(db, record, {"summary": "other"}, now_ms=NOW_MS, actor="person")
    assert vector_queue.put_vectors(db, 1, made) == 0
    assert tail_of(db, data, 1) == []
    assert waiting(db) == [record]


def test_two_that_make_the_same_vector_store_it_once(db: Connection, data: str) -> None:
    add(db)
    made = [(*row[:3], SIGNS, STORED) for row in vector_queue.list_waiting(db, 1, limit=9)]
    assert [vector_queue.put_vectors(db, 1, made), vector_queue.put_vectors(db, 1, made)] == [1, 0]
    assert len(tail_of(db, data, 1)) == 1


def test_record_without_a_known_word_stops_waiting(db: Connection, data: str) -> None:
    add(db)
    made = [(*row[:3], b"", b"") for row in vector_queue.list_waiting(db, 1, limit=9)]
    assert vector_queue.put_vectors(db, 1, made) == 1
    assert waiting(db) == []
    assert tail_of(db, data, 1) == []


def test_erased_record_leaves_nothing(db: Connection, data: str) -> None:
    record = add(db)
    fill(db)
    other = add(db, "waits")
    erase_record(db, record)
    erase_record(db, other)
    assert tail_of(db, data, 1) == []
    assert not vectors.has_todo(db)


def test_newest_records_come_first(db: Connection) -> None:
    ids = [add(db, f"note {at}") for at in range(5)]
    assert [row[1] for row in vector_queue.list_waiting(db, 1, limit=2)] == ids[:-3:-1]


def test_other_model_takes_over_when_it_is_complete(db: Connection, data: str) -> None:
    record = add(db)
    fill(db)
    second = vector_queue.add_model(db, "other", "f2", dims=8, is_hot=False, now_ms=NOW_MS)
    assert vector_queue.add_model(db, "other", "f2", dims=8, is_hot=False, now_ms=NOW_MS) == second
    serving = vectors.serving_model(db)
    assert serving is not None
    assert serving[2] == "f1"
    assert not vector_queue.promote_model(db, second)
    assert tail_of(db, data, 1) == [record]
    assert fill(db, second) == 1
    assert vector_queue.promote_model(db, second)
    assert vectors.list_models(db) == [(second, "other", "f2", 8, 0, 1)]
    assert tail_of(db, data, 1) == [record]
    assert vectors.count_vectors(db, second) == (1, [])


def test_keeping_asks_for_many_records_in_parts(db: Connection, data: str) -> None:
    ids = [add(db, f"note {at}") for at in range(250)]
    scan = vectors.open_scan(db, data, (1, 0))
    assert scan is not None
    assert scan.keep([*ids, 10**6]) == dict.fromkeys(ids, 0)
    assert scan.keep([]) == {}


def test_nothing_is_scanned_before_the_first_model(store: Connection, data: str) -> None:
    assert vectors.open_scan(store, data, (1,)) is None


def test_records_found_are_looked_up_by_their_ids(db: Connection) -> None:
    query = vectors.keep_query(ids=3, projects=2)
    plan = [row[3] for row in db.execute("EXPLAIN QUERY PLAN " + query, (1, 2, 3, 1, 0))]
    assert plan[0] == "SEARCH records USING INTEGER PRIMARY KEY (rowid=?)"
    assert any("vector_gone_by_record" in step for step in plan)


def test_scan_reads_by_index(db: Connection) -> None:
    statements = (
        "SELECT record_id, signs, stored FROM vectors WHERE model_id = 1 AND project_id IN (1, 0) ORDER BY id",
        "SELECT id, uid, row_count FROM vector_segments WHERE model_id = 1 AND project_id IN (1, 0) AND is_ready",
        "SELECT max(segment_id) FROM vector_gone WHERE record_id = 5",
    )
    for statement in statements:
        plan = [row[3] for row in db.execute("EXPLAIN QUERY PLAN " + statement)]
        assert all("SCAN" not in step for step in plan), plan
