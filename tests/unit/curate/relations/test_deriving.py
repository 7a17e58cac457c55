"""Records are read once for what they speak of, and again when they say something else."""

from __future__ import annotations

import time
from sqlite3 import Connection

import pytest

from engram_hooks.curate.relations.deriving import derive_relations
from engram_hooks.store import erase, records, relations
from tests.conftest import NOW_MS

USES = "The orders service uses Postgres"


def add(store: Connection, summary: str, **fields: object) -> int:
    """Keep a record of project 1."""
    own = {"kind": "fact", "project_id": 1, "summary": summary, **fields}
    return records.insert(store, own, now_ms=NOW_MS, actor="person")


def derive(store: Connection) -> int:
    """Read all that waits."""
    return derive_relations(store, now_ms=NOW_MS, until=time.monotonic() + 30)


def norms(store: Connection) -> set[str]:
    """All things that are kept, whoever speaks of them."""
    return {row[0] for row in store.execute("SELECT norm FROM entities")}


def links(store: Connection) -> list[tuple[str, str, str, int]]:
    """What project 1 sees."""
    return relations.read_links(store, [1])


def test_record_is_read_once(store: Connection) -> None:
    record_id = add(store, USES)
    assert derive(store) == 1
    assert derive(store) == 0
    assert links(store) == [("orders service", "uses", "postgres", record_id)]
    assert relations.read_mentions(store, [1]) == [
        ("orders service", "orders service", "service", record_id),
        ("postgres", "Postgres", "tool", record_id),
    ]


def test_changed_text_is_read_again_and_what_nobody_mentions_goes(store: Connection) -> None:
    record_id = add(store, USES)
    derive(store)
    records.update(
        store, record_id, {"summary": "The orders service uses Kafka"}, now_ms=NOW_MS, actor="person"
    )
    assert derive(store) == 1
    assert links(store) == [("orders service", "uses", "kafka", record_id)]
    assert norms(store) == {"orders service", "kafka"}


@pytest.mark.parametrize("changes", [{"tags": "db"}, {"importance": 0.9}, {"status": "archived"}])
def test_other_changes_leave_the_queue_empty(store: Connection, changes: dict[str, object]) -> None:
    record_id = add(store, USES)
    derive(store)
    records.update(store, record_id, changes, now_ms=NOW_MS + 1, actor="person")
    assert not relations.has_waiting(store)


@pytest.mark.parametrize("status", ["candidate", "needs_review"])
def test_what_waits_for_a_person_is_read_once_it_is_accepted(store: Connection, status: str) -> None:
    record_id = add(store, USES, status=status)
    assert derive(store) == 0
    assert norms(store) == set()
    records.set_status(store, record_id, "active", now_ms=NOW_MS, actor="person")
    assert derive(store) == 1
    records.set_status(store, record_id, status, now_ms=NOW_MS, actor="engram")
    derive(store)
    assert norms(store) == set()


def test_dry_run_counts_and_writes_nothing(store: Connection) -> None:
    add(store, USES)
    add(store, "nothing named here")
    assert derive_relations(store, now_ms=NOW_MS, until=0.0, is_dry=True) == 2
    assert norms(store) == set()
    assert relations.has_waiting(store)


def test_no_time_left_reads_nothing(store: Connection) -> None:
    add(store, USES)
    assert derive_relations(store, now_ms=NOW_MS, until=0.0) == 0
    assert relations.has_waiting(store)


def test_many_records_are_read_in_several_steps(store: Connection) -> None:
    for number in range(90):
        add(store, f"`name_{number}` is in lib/part_{number}.py")
    assert derive(store) == 90
    assert len(links(store)) == 90


def test_record_that_changed_meanwhile_stays_in_the_queue(store: Connection) -> None:
    record_id = add(store, USES)
    (row,) = relations.list_waiting(store, limit=9)
    records.update(
        store, record_id, {"summary": "The orders service uses Kafka"}, now_ms=NOW_MS, actor="person"
    )
    assert relations.keep_readings(store, [(row, [("postgres", "Postgres", "tool")], [])], now_ms=NOW_MS) == (
        0,
        0,
    )
    assert norms(store) == set()
    derive(store)
    assert "kafka" in norms(store)


def test_link_without_its_ends_is_left_out(store: Connection) -> None:
    add(store, USES)
    (row,) = relations.list_waiting(store, limit=9)
    things = [("postgres", "Postgres", "tool")]
    relations.keep_readings(store, [(row, things, [("a", "uses", "postgres")])], now_ms=NOW_MS)
    assert links(store) == []


def test_secret_in_a_name_is_not_kept(store: Connection) -> None:
    add(store, "a note")
    (row,) = relations.list_waiting(store, limit=9)
    secret = "ghp_" + "a1B2" * 9
    relations.keep_readings(store, [(row, [(secret.lower(), secret, "symbol")], [])], now_ms=NOW_MS)
    assert norms(store) == set()


def test_erased_record_takes_its_things_with_it(store: Connection) -> None:
    gone, kept = add(store, "The orders service uses QuuxDB"), add(store, USES)
    derive(store)
    erase.erase_record(store, gone)
    assert norms(store) == {"orders service", "postgres"}
    assert links(store) == [("orders service", "uses", "postgres", kept)]
    assert {name for _, name, _, _ in relations.read_mentions(store, [1])} == {"orders service", "Postgres"}


def test_record_that_waits_can_be_erased(store: Connection) -> None:
    erase.erase_record(store, add(store, USES))
    assert not relations.has_waiting(store)


def test_other_projects_are_not_seen(store: Connection) -> None:
    add(store, USES)
    add(store, "The mailer uses SecretThing", project_id=2)
    everywhere = add(store, "Grafana needs Prometheus", project_id=0)
    derive(store)
    assert [link[3] for link in relations.read_links(store, [1, 0])] == [1, everywhere]
    assert "secretthing" not in {norm for norm, *_ in relations.read_mentions(store, [1, 0])}
    assert {row[0] for row in relations.read_holders(store, [1, 0])} == {1, everywhere}


def test_spelling_of_another_project_is_not_seen(store: Connection) -> None:
    add(store, "`OtherSpelling` uses Redis", project_id=2)
    add(store, "`otherSpelling` uses Redis")
    derive(store)
    assert ("otherspelling", "otherSpelling", "symbol", 2) in relations.read_mentions(store, [1])


@pytest.mark.parametrize("status", ["retracted", "quarantined", "candidate"])
def test_what_was_never_true_is_not_seen(store: Connection, status: str) -> None:
    record_id = add(store, USES)
    derive(store)
    records.set_status(store, record_id, status, now_ms=NOW_MS, actor="person")
    assert links(store) == []
    assert relations.read_mentions(store, [1]) == []
    assert relations.read_holders(store, [1]) == []


def test_records_that_share_a_rare_thing_are_found(store: Connection) -> None:
    ids = [add(store, f"We need Redis and `rare_{number % 2}` here") for number in range(4)]
    derive(store)
    found = relations.find_sharers(store, ["redis", "rare_1", "none"], project_ids=[1], max_records=3)
    assert found == {"rare_1": [(ids[1], "rare_1"), (ids[3], "rare_1")]}


@pytest.mark.parametrize("is_late", [False, True])
def test_name_that_another_record_knows_counts_in_whatever_order(store: Connection, is_late: bool) -> None:
    texts = ["The orders service uses Zyncd", "Zyncd must be restarted by hand"]
    for text in reversed(texts) if is_late else texts:
        add(store, text)
        derive(store)
    assert {number for norm, _, _, number in relations.read_mentions(store, [1]) if norm == "zyncd"} == {1, 2}


def test_verb_that_is_also_a_name_does_not_spread(store: Connection) -> None:
    add(store, "The build uses Make")
    add(store, "Make no promises in the docs")
    add(store, "The Run button is gone")
    add(store, "Run the tests first")
    derive(store)
    assert all(number not in (2, 4) for _, _, _, number in relations.read_mentions(store, [1]))
