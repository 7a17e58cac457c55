"""When memory is put in order by itself: once a day, at the first start of a session after a time of silence."""

# There is no daemon. The worker, which every turn starts, leaves a job that is due a day after the last run; the hook
# that finds it due starts the worker again, at a low priority, and it steps aside as soon as somebody asks something.

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from engram_hooks.errors import StoreBusy
from engram_hooks.store import jobs, runs, settings, upkeep
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from sqlite3 import Connection

JOB_KIND, JOB_KEY = "consolidate", "daily"
HOUR_MS, MINUTE_MS = 3_600_000, 60_000
MAX_RUN_S = 100.0  # within the lease of a job
MAX_TURN_MS = 2 * HOUR_MS  # a turn that was not heard of for so long was killed
_LOOK_EVERY_S = 0.1


def plan_next(db: Connection, environ: Mapping[str, str], *, now_ms: int) -> None:
    """Leave the job for the next run where none is left and the setting wants it."""
    knobs = settings.read(db, 0, environ)
    if not knobs["consolidate.auto"] or jobs.has_job(db, JOB_KIND):
        return
    due_at = max(
        runs.last_started_at(db) + int(knobs["consolidate.every_hours"]) * HOUR_MS,
        now_ms + _idle_ms(knobs),
    )
    with Transaction(db):
        jobs.add_job(db, JOB_KIND, JOB_KEY, project_id=0, now_ms=due_at)


def run_job(db: Connection, data: str, environ: Mapping[str, str], *, now_ms: int) -> bool:
    """Consolidate where nobody is at work, else put it off; whether it was done to its end.

    It stops as soon as a turn begins; what is left is done the next time.
    """
    knobs = settings.read(db, 0, environ)
    if not knobs["consolidate.auto"]:
        return False
    if wait_ms := find_wait(db, now_ms=now_ms, idle_ms=_idle_ms(knobs)):
        _put_off(db, now_ms + wait_ms)
        return False
    from engram_hooks.curate.consolidate import consolidate

    try:
        report = consolidate(
            db,
            data,
            environ,
            now_ms=now_ms,
            until=time.monotonic() + MAX_RUN_S,
            is_wanted=watch_turns(db, since_ms=now_ms),
        )
    except StoreBusy:  # a command is at it
        _put_off(db, now_ms + MINUTE_MS)
        return False
    if not report.is_complete:
        _put_off(db, now_ms + max(_idle_ms(knobs), MINUTE_MS))
    return report.is_complete


def find_wait(db: Connection, *, now_ms: int, idle_ms: int) -> int:
    """How long (ms) to wait until everybody has been silent for `idle_ms`; 0 where that is so."""
    if upkeep.is_turn_running(db, since_ms=now_ms - MAX_TURN_MS):
        return max(idle_ms, MINUTE_MS)
    quiet_ms = max(0, now_ms - upkeep.last_activity_at(db))
    return max(idle_ms - quiet_ms, MINUTE_MS) if quiet_ms < idle_ms else 0


def watch_turns(db: Connection, *, since_ms: int) -> Callable[[], bool]:
    """A question whether nobody has begun a turn since a moment; the store is asked ten times a second at most."""
    looked = 0.0
    is_free = True

    def ask() -> bool:
        nonlocal looked, is_free
        if is_free and time.monotonic() - looked >= _LOOK_EVERY_S:
            looked = time.monotonic()
            is_free = not upkeep.is_turn_running(db, since_ms=since_ms)
        return is_free

    return ask


def _put_off(db: Connection, due_at: int) -> None:
    with Transaction(db):
        jobs.add_job(db, JOB_KIND, JOB_KEY, project_id=0, now_ms=due_at)


def _idle_ms(knobs: Mapping[str, object]) -> int:
    return int(str(knobs["consolidate.idle_minutes"])) * MINUTE_MS
