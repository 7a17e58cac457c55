"""What the worker and the commands do for the hooks: each kind of job, and the loop that takes them."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from engram_hooks.curate import backfill, identity, idle
from engram_hooks.curate.code import repository
from engram_hooks.errors import StoreError
from engram_hooks.paths import file_size
from engram_hooks.sessions.ready import write_ready
from engram_hooks.sessions.tail import tail_session
from engram_hooks.store import jobs, sessions
from engram_hooks.store.indexes import merge_log_index

if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Connection

    from engram_hooks.store.jobs import Job

SETTLE_STEP_S = 0.2
SETTLE_MAX_S = 2.0
TAIL_MAX_MS = 60_000
TAIL_MAX_BYTES = 1 << 30
EMBED_MAX_S = 60
LOOK_MAX_S = 20


def run_jobs(
    db: Connection,
    data: str,
    environ: Mapping[str, str],
    *,
    until: float,
    project_id: int | None = None,
    settle: bool = True,
) -> int:
    """Do due jobs (of one project, where given) until none is left or the monotonic clock reaches `until`.

    A job that fails is put back with its reason. `settle` waits for the client's last lines behind a turn, and
    does what takes long (indexing), too: commands, which somebody waits for, leave both to the worker.
    Returns how many jobs were done. Raises `StoreError` where the store itself fails.
    """
    owner = f"{os.getpid()}-{time.monotonic_ns()}"
    without = () if settle else (repository.JOB_KIND, idle.JOB_KIND)
    done = 0
    while time.monotonic() < until:
        job = jobs.take_job(db, owner=owner, now_ms=_now_ms(), project_id=project_id, without=without)
        if job is None:
            break
        try:
            _run(db, data, environ, job, settle=settle)
        except (StoreError, OSError, ValueError) as error:
            jobs.fail_job(db, job, f"{type(error).__name__}: {error}", owner=owner, now_ms=_now_ms())
            if isinstance(error, StoreError):
                raise
        else:
            jobs.finish_job(db, job[0], owner=owner)
            done += 1
    return done


def finish_leased(db: Connection, data: str, project_id: int) -> None:
    """Do at once what the worker has just taken on for a project's sessions: doing it twice changes nothing."""
    for client_id in jobs.leased_keys(db, "session", project_id=project_id):
        finish_session(db, data, client_id, settle=False)


def _run(db: Connection, data: str, environ: Mapping[str, str], job: Job, *, settle: bool) -> None:
    _, kind, key, _, _ = job
    if kind == "session":
        finish_session(db, data, key, settle=settle)
        repository.follow_head(db, data, key, environ)
        if settle:
            session = sessions.find_session(db, key)
            _look_at_code(db, data, environ, session[1] if session else 0)
    elif kind == "identity":
        identity.resolve_place(db, key, now_ms=_now_ms())
    elif kind == backfill.JOB_KIND:
        backfill.run_job(db, data, environ, now_ms=_now_ms(), until=time.monotonic() + EMBED_MAX_S)
    elif kind == idle.JOB_KIND:
        idle.run_job(db, data, environ, now_ms=_now_ms())
    elif kind == "rules":
        from engram_hooks.curate import invariants

        invariants.compile_file(db, key, job[3], now_ms=_now_ms())
    elif kind == repository.JOB_KIND:
        from engram_hooks.curate import attempts

        repository.refresh(db, data, key, environ)
        attempts.follow_renames(db, data, job[3])
        _look_at_code(db, data, environ, job[3])


def _look_at_code(db: Connection, data: str, environ: Mapping[str, str], project_id: int) -> None:
    """Hold a project's records against its repository, where a branch has moved."""
    from engram_hooks.curate.ground.staleness import refresh_staleness

    until = time.monotonic() + LOOK_MAX_S
    refresh_staleness(db, data, environ, project_id=project_id, now_ms=_now_ms(), until=until)


def finish_session(db: Connection, data: str, client_id: str, *, settle: bool) -> None:
    """Log the rest of a session's transcripts, look for what is worth keeping, and leave the ready line.

    The client writes some bookkeeping lines behind a turn; with `settle` they are waited for, shortly, so
    that the cursor ends at the end of the file.
    """
    from engram_hooks.curate import attempts  # to load it costs more than most commands take

    session = sessions.find_session(db, client_id)
    if session is None:
        return
    session_id, project_id, _, _, _, path = session
    _tail_all(db, session_id)
    _learn(db, session_id)
    attempts.learn(db, project_id, now_ms=_now_ms())
    write_ready(db, data, client_id, session=(session_id, project_id), is_settled=True)
    limit = time.monotonic() + (SETTLE_MAX_S if settle else 0)
    size = file_size(path)
    while time.monotonic() < limit:
        time.sleep(SETTLE_STEP_S)
        if file_size(path) == size:
            break
        size = file_size(path)
    if _tail_all(db, session_id):
        _learn(db, session_id)
    merge_log_index(db)
    write_ready(db, data, client_id, session=(session_id, project_id), is_settled=True)


def _learn(db: Connection, session_id: int) -> None:
    """Look for what is worth keeping in what was said, and for what became of what was shown."""
    from engram_hooks.curate import feedback_turns, mining

    mining.mine_session(db, session_id, now_ms=_now_ms())
    feedback_turns.judge_session(db, session_id, now_ms=_now_ms())


def _tail_all(db: Connection, session_id: int) -> bool:
    """Read all transcripts to their ends; returns whether a cursor moved."""
    before = sessions.transcripts_of(db, session_id)
    tail_session(db, session_id, max_bytes=TAIL_MAX_BYTES, max_ms=TAIL_MAX_MS, now_ms=_now_ms())
    return sessions.transcripts_of(db, session_id) != before


def _now_ms() -> int:
    return int(time.time() * 1000)
