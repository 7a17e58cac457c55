"""Records get their vectors, vectors get sealed, and what is found stays right all the while."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks.bench.synthetic import record_texts
from engram_hooks.curate import backfill
from engram_hooks.curate.jobs import run_jobs
from engram_hooks.embed.nearest import find_nearest
from engram_hooks.store import jobs, records, sealing, vectors
from engram_hooks.store.check import check_store
from engram_hooks.store.erase import erase_record
from engram_hooks.store.transactions import Transaction
from tests.conftest import NOW_MS
from tests.support.bare_start import bare_start_s

QUESTION = "the flowers dry out in summer"
ANSWER = "Water the garden twice a day when it is hot"


@pytest.fixture
def db(store: Connection) -> Iterator[Connection]:
    """A store with the projects 1 and 2, whole at the end."""
    for number in (1, 2):
        store.execute("INSERT INTO projects VALUES (?, ?, ?, 0, 1)", (number, str(number) * 32, f"p{number}"))
    yield store
    assert check_store(store) == []


def add(db: Connection, summary: str, *, project: int = 1) -> int:
    row = {"kind": "fact", "project_id": project, "summary": summary}
    return records.insert(db, row, now_ms=NOW_MS, actor="person")


def add_many(db: Connection, count: int, *, project: int = 1, seed: int = 7) -> list[int]:
    with Transaction(db):
        return [add(db, text, project=project) for _, text in record_texts(count, seed=seed)]


def embed(db: Connection, data: str, *, limit: int | None = None, now_ms: int = NOW_MS) -> int:
    return backfill.embed_missing(db, data, {}, now_ms=now_ms, limit=limit)


def find(db: Connection, data: str, text: str, *projects: int, limit: int = 10) -> dict[int, float]:
    scan = vectors.open_scan(db, data, projects or (1, 0))
    assert scan is not None
    try:
        return find_nearest(text, scan, data, limit=limit)
    finally:
        scan.close()


def segments_of(db: Connection, project: int = 1) -> list[int]:
    return [row[2] for row in sealing.list_segments(db, 1, project)]


def tail_rows(db: Connection, project: int = 1) -> int:
    return len(sealing.read_tail(db, 1, project))


def test_record_is_found_by_its_meaning(db: Connection, data: str) -> None:
    answer = add(db, ANSWER)
    others = [add(db, text) for text in ("Dark mode for the settings page", "The parser is written by hand")]
    assert embed(db, data) == 3
    found = find(db, data, QUESTION)
    assert next(iter(found)) == answer
    assert found[answer] > 0.3
    assert set(found) == {answer, *others}
    assert embed(db, data) == 0


def test_other_projects_are_not_found_the_global_layer_is(db: Connection, data: str) -> None:
    here, there, everywhere = (add(db, ANSWER, project=number) for number in (1, 2, 0))
    embed(db, data)
    assert set(find(db, data, QUESTION, 1, 0)) == {here, everywhere}
    assert set(find(db, data, QUESTION, 2)) == {there}


def test_limit_holds_and_takes_the_newest(db: Connection, data: str) -> None:
    ids = add_many(db, 5)
    assert embed(db, data, limit=2) == 2
    assert set(find(db, data, "payment gateway")) == set(ids[-2:])
    assert embed(db, data) == 3


def test_time_limit_holds(db: Connection, data: str) -> None:
    add_many(db, 5)
    assert backfill.embed_missing(db, data, {}, now_ms=NOW_MS, until=time.monotonic() - 1) == 0
    assert vectors.has_todo(db)


@pytest.mark.parametrize("value", ["off", "OFF", "0", "no"])
def test_switched_off_makes_nothing(db: Connection, data: str, value: str) -> None:
    add(db, ANSWER)
    environ = {"ENGRAM_EMBED": value}
    assert backfill.embed_missing(db, data, environ, now_ms=NOW_MS) == 0
    assert vectors.list_models(db) == []


def test_long_tail_is_sealed_and_nothing_else_changes(db: Connection, data: str) -> None:
    add_many(db, 300)
    answer = add(db, ANSWER)
    embed(db, data, limit=301)
    assert (segments_of(db), tail_rows(db)) == ([], 301)  # a command leaves that to the worker
    before = find(db, data, QUESTION)
    assert next(iter(before)) == answer
    embed(db, data)
    assert (segments_of(db), tail_rows(db)) == ([301], 0)
    assert find(db, data, QUESTION) == before
    assert len(list((Path(data) / "vectors").iterdir())) == 1


def test_short_tail_stays(db: Connection, data: str) -> None:
    add_many(db, 20)
    embed(db, data)
    assert (segments_of(db), tail_rows(db)) == ([], 20)


def test_segments_grow_into_one_another(db: Connection, data: str) -> None:
    for seed in range(4):
        add_many(db, 300, seed=seed)
        embed(db, data)
    assert tail_rows(db) == 0
    assert sum(segments_of(db)) == 1200
    assert len(segments_of(db)) <= 2


def test_large_segment_is_not_rewritten_for_a_few(
    db: Connection, data: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backfill, "SEAL_ROWS", 50)
    monkeypatch.setattr(backfill, "SEGMENT_ROWS", 500)
    add_many(db, 450)
    embed(db, data)
    first = sealing.list_segments(db, 1, 1)[0][0]
    add_many(db, 60, seed=8)
    embed(db, data)
    assert segments_of(db) == [450, 60]
    assert sealing.list_segments(db, 1, 1)[0][0] == first


def test_tail_longer_than_a_segment_becomes_several(
    db: Connection, data: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backfill, "SEGMENT_ROWS", 300)
    add_many(db, 700)
    embed(db, data)
    assert sorted(segments_of(db)) == [100, 300, 300]


@pytest.mark.parametrize("is_sealed", [False, True])
def test_what_happens_to_a_record_counts_at_once(db: Connection, data: str, is_sealed: bool) -> None:
    gone, changed, moved, erased = (add(db, f"{ANSWER} {word}") for word in ("a", "b", "c", "d"))
    if is_sealed:
        add_many(db, 300)
    embed(db, data)
    assert {gone, changed, moved, erased} <= set(find(db, data, QUESTION))
    records.set_status(db, gone, "retracted", now_ms=NOW_MS, actor="person")
    records.update(db, changed, {"summary": "Dark mode, please"}, now_ms=NOW_MS, actor="person")
    records.update(db, moved, {"project_id": 2}, now_ms=NOW_MS, actor="person")
    erase_record(db, erased)
    assert not {gone, changed, moved, erased} & set(find(db, data, QUESTION))
    embed(db, data)
    assert not {gone, moved, erased} & set(find(db, data, QUESTION))
    assert find(db, data, QUESTION).get(changed, 0) < 0.3
    assert next(iter(find(db, data, "dark mode"))) == changed
    assert set(find(db, data, QUESTION, 2)) == {moved}
    records.reinstate(db, gone, now_ms=NOW_MS, actor="person")
    embed(db, data)
    assert gone in find(db, data, QUESTION)


def test_erased_record_leaves_its_segment(db: Connection, data: str) -> None:
    add_many(db, 299)
    record = add(db, ANSWER)
    embed(db, data)
    (file,) = (Path(data) / "vectors").iterdir()
    stored = find(db, data, ANSWER)
    assert stored[record] > 0.99
    wanted = record.to_bytes(4, "little")
    assert any(file.read_bytes()[at : at + 4] == wanted for at in range(64, file.stat().st_size, 4))
    erase_record(db, record)
    scan = vectors.open_scan(db, data, (1,))
    assert scan is not None
    ids = [one for one, _ in scan.segments[0].read_rows(range(300))]
    assert ids.count(0) == 1
    assert record not in ids
    scan.close()


def test_segments_that_hold_much_that_is_gone_are_made_anew(db: Connection, data: str) -> None:
    ids = add_many(db, 700)
    embed(db, data)
    for record in ids[:300]:
        records.set_status(db, record, "retracted", now_ms=NOW_MS, actor="person")
    embed(db, data)
    assert segments_of(db) == [400]
    assert db.execute("SELECT count(*) FROM vector_gone").fetchone() == (0,)
    assert set(find(db, data, "payment gateway", limit=700)) <= set(ids[300:])


def test_projects_that_become_one_keep_their_meaning(db: Connection, data: str) -> None:
    from engram_hooks.store.merging import merge_projects

    add_many(db, 300, project=2)
    moved = add(db, ANSWER, project=2)
    embed(db, data)
    merge_projects(db, 2, 1, now_ms=NOW_MS)
    embed(db, data)
    assert next(iter(find(db, data, QUESTION))) == moved


def test_lost_file_is_made_anew(db: Connection, data: str) -> None:
    add_many(db, 300)
    answer = add(db, ANSWER)
    embed(db, data)
    for file in (Path(data) / "vectors").iterdir():
        file.unlink()
    assert find(db, data, QUESTION) == {}
    backfill.run_job(db, data, {}, now_ms=NOW_MS, until=time.monotonic() + 60)
    assert next(iter(find(db, data, QUESTION))) == answer
    assert segments_of(db) == [301]


def test_files_that_nothing_names_are_swept_once_they_are_old(db: Connection, data: str) -> None:
    add_many(db, 300)
    embed(db, data)
    stray = Path(data) / "vectors" / ("0" * 32 + ".seg")
    stray.write_bytes(b"x")
    made_at = int(stray.stat().st_mtime * 1000)
    sealing.sweep(db, data, now_ms=made_at + 1000)
    assert stray.exists()
    sealing.sweep(db, data, now_ms=made_at + 2 * sealing.BUILD_MS)
    assert not stray.exists()
    assert segments_of(db) == [300]
    assert find(db, data, "payment gateway") != {}


def test_job_of_the_worker_gives_vectors_and_ends(db: Connection, data: str) -> None:
    answer = add(db, ANSWER)
    assert backfill.queue_vectors(db, now_ms=NOW_MS)
    assert run_jobs(db, data, {}, until=time.monotonic() + 60) == 1
    assert find(db, data, QUESTION) == {answer: pytest.approx(0.4, abs=0.3)}
    assert not backfill.queue_vectors(db, now_ms=NOW_MS)
    assert not jobs.has_due_jobs(db, now_ms=NOW_MS + 10**9)


def test_ten_thousand_records_take_a_few_seconds(db: Connection, data: str) -> None:
    add_many(db, 10_000)
    started = time.process_time()
    assert embed(db, data) == 10_000
    assert time.process_time() - started < 600 * bare_start_s()
    assert segments_of(db) == [10_000]


def test_command_leaves_the_few_records_it_brought_with_vectors(store: Connection, data: str) -> None:
    for at in range(3):
        records.insert(
            store, {"kind": "fact", "project_id": 1, "summary": f"fact {at}"}, now_ms=1, actor="person"
        )
    backfill.leave_ready(store, data, {}, now_ms=1)
    assert not vectors.has_todo(store)
    assert store.execute("SELECT count(*) FROM vectors").fetchone() == (3,)


def test_command_leaves_many_records_to_the_worker(store: Connection, data: str) -> None:
    for at in range(backfill.LEAVE_READY_RECORDS + 5):
        records.insert(
            store, {"kind": "fact", "project_id": 1, "summary": f"fact {at}"}, now_ms=1, actor="person"
        )
    backfill.leave_ready(store, data, {"ENGRAM_WORKER": "1"}, now_ms=1)
    assert vectors.has_todo(store)
    assert store.execute("SELECT count(*) FROM jobs WHERE kind = 'vectors'").fetchone() == (1,)


def test_command_makes_no_vectors_where_they_are_off(store: Connection, data: str) -> None:
    records.insert(store, {"kind": "fact", "project_id": 1, "summary": "x"}, now_ms=1, actor="person")
    backfill.leave_ready(store, data, {"ENGRAM_EMBED": "off"}, now_ms=1)
    assert store.execute("SELECT count(*) FROM vectors").fetchone() == (0,)
