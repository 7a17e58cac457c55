"""Memory is put in order once a day, when nobody is at work."""

from __future__ import annotations

from sqlite3 import Connection

import pytest

from engram_hooks.curate import idle, jobs
from engram_hooks.store import jobs as queue
from engram_hooks.store import runs, sessions
from tests.conftest import NOW_MS

HOUR_MS, MINUTE_MS = 3_600_000, 60_000
OFF = {"ENGRAM_EMBED": "off"}


def due_at(db: Connection) -> int | None:
    """When the job is due, None where there is none."""
    row = db.execute("SELECT due_at FROM jobs WHERE kind = 'consolidate'").fetchone()
    return int(row[0]) if row else None


def talk(db: Connection, *, at: int, is_running: int = 0) -> None:
    """Ask something in a session."""
    session = sessions.add_session(db, "s", project_id=1, root="", branch="", transcript_path="", now_ms=at)
    sessions.set_running(db, session[0], is_running=is_running, now_ms=at)
    sessions.add_prompt(db, session[0], "hello", prompt_id=str(at), now_ms=at)


def test_first_run_waits_for_silence(store: Connection) -> None:
    idle.plan_next(store, OFF, now_ms=NOW_MS)
    assert due_at(store) == NOW_MS + 20 * MINUTE_MS


def test_next_run_is_planned_once_and_for_the_next_day(store: Connection) -> None:
    runs.begin_run(store, now_ms=NOW_MS)
    idle.plan_next(store, OFF, now_ms=NOW_MS + HOUR_MS)
    idle.plan_next(store, OFF, now_ms=NOW_MS + 2 * HOUR_MS)
    assert due_at(store) == NOW_MS + 20 * HOUR_MS


def test_nothing_is_planned_or_done_where_it_is_switched_off(store: Connection, data: str) -> None:
    environ = {**OFF, "ENGRAM_CONSOLIDATE_AUTO": "off"}
    idle.plan_next(store, environ, now_ms=NOW_MS)
    assert due_at(store) is None
    assert not idle.run_job(store, data, environ, now_ms=NOW_MS)
    assert runs.list_runs(store, limit=1) == []


@pytest.mark.parametrize(
    ("said_minutes_ago", "is_running", "wait_minutes"),
    [
        pytest.param(30, 0, 0, id="silence"),
        pytest.param(20, 0, 0, id="just long enough"),
        pytest.param(5, 0, 15, id="somebody thinks"),
        pytest.param(30, 1, 20, id="a long turn is under way"),
        pytest.param(300, 1, 0, id="the client was killed in a turn"),
        pytest.param(-5, 0, 20, id="the clock was set back"),
    ],
)
def test_wait_until_everybody_is_silent(
    store: Connection, said_minutes_ago: int, is_running: int, wait_minutes: int
) -> None:
    talk(store, at=NOW_MS - said_minutes_ago * MINUTE_MS, is_running=is_running)
    wait_ms = idle.find_wait(store, now_ms=NOW_MS, idle_ms=20 * MINUTE_MS)
    assert wait_ms == wait_minutes * MINUTE_MS


def test_job_is_put_off_while_somebody_is_at_work(store: Connection, data: str) -> None:
    talk(store, at=NOW_MS - 5 * MINUTE_MS)
    assert not idle.run_job(store, data, OFF, now_ms=NOW_MS)
    assert due_at(store) == NOW_MS + 15 * MINUTE_MS
    assert runs.list_runs(store, limit=1) == []


def test_job_runs_in_silence(store: Connection, data: str) -> None:
    talk(store, at=NOW_MS - HOUR_MS)
    assert idle.run_job(store, data, OFF, now_ms=NOW_MS)
    assert runs.list_runs(store, limit=1)[0]["ended_at"] is not None


def test_run_stops_when_a_turn_begins(store: Connection) -> None:
    talk(store, at=NOW_MS - HOUR_MS)
    assert idle.watch_turns(store, since_ms=NOW_MS)()
    talk(store, at=NOW_MS, is_running=1)
    assert not idle.watch_turns(store, since_ms=NOW_MS)()


def test_commands_leave_it_to_the_worker(store: Connection, data: str) -> None:
    queue.add_job(store, idle.JOB_KIND, idle.JOB_KEY, project_id=0, now_ms=1)
    until = float("inf")
    assert jobs.run_jobs(store, data, OFF, until=until, project_id=0, settle=False) == 0
    assert jobs.run_jobs(store, data, OFF, until=until) == 1
    assert due_at(store) is None
