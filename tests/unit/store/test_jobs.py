"""The worker's queue: once each, leased, put back when it fails, kept when queued again."""

from __future__ import annotations

from sqlite3 import Connection

import pytest

from engram_hooks.store import jobs


def add(store: Connection, key: str, now_ms: int = 100, project_id: int = 1) -> None:
    jobs.add_job(store, "session", key, project_id=project_id, now_ms=now_ms)


def test_equal_jobs_stand_in_the_queue_once(store: Connection) -> None:
    add(store, "a")
    add(store, "a", now_ms=101)
    assert store.execute("SELECT count(*) FROM jobs").fetchone() == (1,)


def test_leased_job_is_not_given_twice(store: Connection) -> None:
    add(store, "a")
    job = jobs.take_job(store, owner="w1", now_ms=200)
    assert job is not None
    assert job[1:4] == ("session", "a", 1)
    assert jobs.take_job(store, owner="w2", now_ms=200) is None
    assert not jobs.has_due_jobs(store, now_ms=200)


def test_lease_of_a_dead_worker_ends(store: Connection) -> None:
    add(store, "a")
    jobs.take_job(store, owner="w1", now_ms=200)
    assert jobs.take_job(store, owner="w2", now_ms=200 + jobs.LEASE_MS) is not None


def test_finished_job_is_gone(store: Connection) -> None:
    add(store, "a")
    job = jobs.take_job(store, owner="w1", now_ms=200)
    assert job is not None
    jobs.finish_job(store, job[0], owner="w1")
    assert store.execute("SELECT count(*) FROM jobs").fetchone() == (0,)


# a hook's event is older than its commit: the moment of the event may lie before the worker took the job
@pytest.mark.parametrize("event_at", [150, 200, 250])
def test_job_queued_again_while_it_ran_is_due_again(store: Connection, event_at: int) -> None:
    add(store, "a")
    job = jobs.take_job(store, owner="w1", now_ms=200)
    assert job is not None
    add(store, "a", now_ms=event_at)
    jobs.finish_job(store, job[0], owner="w1")
    assert jobs.take_job(store, owner="w2", now_ms=260) is not None


def test_job_queued_again_while_it_failed_is_due_at_once(store: Connection) -> None:
    add(store, "a")
    job = jobs.take_job(store, owner="w1", now_ms=200)
    assert job is not None
    add(store, "a", now_ms=150)
    jobs.fail_job(store, job, "boom", owner="w1", now_ms=210)
    assert jobs.take_job(store, owner="w2", now_ms=211) is not None


def test_job_queued_again_is_still_one_mans_work(store: Connection) -> None:
    add(store, "a")
    jobs.take_job(store, owner="w1", now_ms=200)
    add(store, "a", now_ms=150)
    assert jobs.take_job(store, owner="w2", now_ms=210) is None


def test_late_end_of_one_owner_leaves_the_job_to_the_next(store: Connection) -> None:
    add(store, "a")
    job = jobs.take_job(store, owner="w1", now_ms=200)
    assert job is not None
    late = 201 + jobs.LEASE_MS
    assert jobs.take_job(store, owner="w2", now_ms=late) is not None
    jobs.finish_job(store, job[0], owner="w1")
    jobs.fail_job(store, job, "boom", owner="w1", now_ms=late)
    assert jobs.take_job(store, owner="w3", now_ms=late + 1) is None


def test_job_follows_its_session_to_another_project(store: Connection) -> None:
    add(store, "a")
    add(store, "a", project_id=2)
    assert jobs.take_job(store, owner="w", now_ms=200, project_id=1) is None
    assert jobs.take_job(store, owner="w", now_ms=200, project_id=2) is not None


def test_failed_job_waits_longer_each_time_and_is_given_up(store: Connection) -> None:
    add(store, "a")
    now_ms, waits = 200, []
    for _ in range(jobs.MAX_ATTEMPTS):
        job = jobs.take_job(store, owner="w", now_ms=now_ms)
        assert job is not None
        jobs.fail_job(store, job, "boom", owner="w", now_ms=now_ms)
        due = store.execute("SELECT due_at FROM jobs").fetchone()[0]
        waits.append(due - now_ms)
        now_ms = due
    assert waits == sorted(waits)
    assert waits[-1] > 86_400_000


def test_jobs_of_one_project_can_be_taken_alone(store: Connection) -> None:
    add(store, "a", project_id=1)
    add(store, "b", project_id=2)
    job = jobs.take_job(store, owner="w", now_ms=200, project_id=2)
    assert job is not None
    assert job[2] == "b"
    assert jobs.take_job(store, owner="w", now_ms=200, project_id=2) is None
