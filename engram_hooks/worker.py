"""The worker: a detached process that does what hooks leave behind, then ends."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

from engram_hooks import spawn

if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Connection

NICE = 10
MAX_RUN_MS = 600_000
READY_DAYS = 30


def main(data: str) -> int:
    """Work for the data folder until nothing is due; one worker at a time, others end at once.

    A hook that meets a worker at its end starts none: so the end is looked at again once the lock is free.
    Returns 0, also after a failure, which the hook log then holds.
    """
    os.environ[spawn.WORKER_MARK] = "1"
    _lower_priority()
    until = time.monotonic() + MAX_RUN_MS / 1000
    try:
        while True:
            lock = spawn.lock_worker(data)
            if lock < 0:
                return 0
            try:
                work(data, until=until)
            finally:
                os.close(lock)
            if time.monotonic() >= until or not is_more_due(data):
                return 0
    except Exception as error:
        from engram_hooks.store.trouble import note_failure

        try:
            text = f"{type(error).__name__}: {error}"
            note_failure(data, "worker", text, now_ms=int(time.time() * 1000))
        except OSError:
            return 0
    return 0


def work(data: str, *, until: float) -> int:
    """Create or migrate the store, drain the spool, do due jobs, tidy up; returns how many jobs were done.

    `until` is a moment of the monotonic clock. Raises `StoreError`.
    """
    from engram_hooks.client.config import refresh_settings
    from engram_hooks.curate.backfill import queue_vectors
    from engram_hooks.curate.jobs import run_jobs
    from engram_hooks.embed.nearest import is_off
    from engram_hooks.sessions.spool import drain
    from engram_hooks.store.create import ensure_store

    environ = dict(os.environ)
    db = ensure_store(data, now_ms=int(time.time() * 1000))
    try:
        refresh_settings(db, environ)
        if not is_off(environ):
            queue_vectors(db, now_ms=int(time.time() * 1000))
        done = 0
        while time.monotonic() < until:
            drained = drain(db, data, environ)
            ran = run_jobs(db, data, environ, until=until)
            if not drained and not ran:
                break
            done += ran
        _tidy_up(db, data, environ, until=until)
        return done
    finally:
        db.close()


def _tidy_up(db: Connection, data: str, environ: Mapping[str, str], *, until: float) -> None:
    """What is to be done once nothing is due: look at files, drop what is old, plan what is next, ask the brain."""
    from functools import partial

    from engram_hooks.curate.brain.extraction import extract_ended
    from engram_hooks.curate.idle import plan_next
    from engram_hooks.curate.retention import prune_when_due
    from engram_hooks.sessions.core_mirror import settle_core
    from engram_hooks.sessions.ready import drop_old
    from engram_hooks.store.looks import look_again
    from engram_hooks.store.merging import settle_strays
    from engram_hooks.store.trouble import settle

    settle_core(db, data, environ)
    settle_strays(db)
    while look_again(db):
        pass
    settle(data)
    drop_old(data, before_s=time.time() - READY_DAYS * 86_400)
    prune_when_due(db, environ, now_ms=int(time.time() * 1000))
    plan_next(db, environ, now_ms=int(time.time() * 1000))
    extract_ended(db, data, environ, until=until, is_needed=partial(is_more_due, data))


def is_more_due(data: str) -> bool:
    """Whether events or jobs wait. Raises `StoreError`."""
    from engram_hooks.paths import store_path
    from engram_hooks.sessions.spool import is_waiting
    from engram_hooks.store.connect import open_store
    from engram_hooks.store.jobs import has_due_jobs

    if is_waiting(data):
        return True
    db = open_store(store_path(data))
    try:
        return has_due_jobs(db, now_ms=int(time.time() * 1000))
    finally:
        db.close()


def _lower_priority() -> None:
    try:
        os.nice(NICE)
    except (AttributeError, OSError):
        return


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
