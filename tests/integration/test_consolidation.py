"""Consolidation beside others: a writer, the worker, a second run, and a kill in the middle."""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import time
from sqlite3 import Connection

import pytest

from engram_hooks import worker
from engram_hooks.curate.consolidate import LOCK_NAME, Report, consolidate
from engram_hooks.errors import StoreBusy
from engram_hooks.spawn import is_worker_running
from engram_hooks.store import files, jobs, meta, records, runs
from engram_hooks.store.create import ensure_store
from engram_hooks.store.transactions import Transaction
from tests.support.make_repo import Repo
from tests.support.run_hook import run_hook

OFF = {"ENGRAM_EMBED": "off"}
DAY_MS = 86_400_000
NOW_MS = int(time.time() * 1000)
MAX_LOCK_MS = 100
COUNT = 600
WORDS = "cache queue parser worker token schema index gateway ledger button".split()
STEPS = ["promote", "merge", "expire", "decay", "compact", "vacuum"]

CONSOLIDATE = """
import sys
from engram_hooks.curate.consolidate import consolidate
from engram_hooks.store.create import ensure_store
db = ensure_store(sys.argv[1], now_ms=int(sys.argv[2]))
print("begun", flush=True)
consolidate(db, sys.argv[1], {"ENGRAM_EMBED": "off"}, now_ms=int(sys.argv[2]), steps=sys.argv[3].split())
"""
WRITE = """
import sys, time
from engram_hooks.store import meta
from engram_hooks.store.create import ensure_store
from engram_hooks.store.transactions import Transaction
db = ensure_store(sys.argv[1], now_ms=int(sys.argv[2]))
print("begun", flush=True)
while True:
    before = time.perf_counter()
    with Transaction(db):
        meta.set_fact(db, "written", "1")
    print(round((time.perf_counter() - before) * 1000, 1), flush=True)
    time.sleep(0.005)
"""


def start(code: str, *arguments: str) -> subprocess.Popen[str]:
    """Run code in a process of its own, as soon as it says that it has begun."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, text=True, env={**os.environ, **OFF}
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    return process


def stop(process: subprocess.Popen[str]) -> str:
    """Kill a process; the rest of what it printed."""
    process.kill()
    out, _ = process.communicate()
    return out


@pytest.fixture
def old(store: Connection) -> Connection:
    """A store of many records, most of them weak or double."""
    with Transaction(store):
        for number in range(COUNT):
            words = [WORDS[(number * step) % len(WORDS)] for step in (1, 3, 7)]
            at = NOW_MS - (number * 7 % 700) * DAY_MS
            row = {
                "kind": "fact",
                "project_id": 1,
                "summary": f"The {' '.join(words)} breaks at step {number // 2}",
                "tags": words[0],
                "created_at": at,
                "valid_from": at,
            }
            records.insert(store, row, now_ms=at, actor="miner")
    return store


def run(db: Connection, data: str) -> Report:
    return consolidate(db, data, OFF, now_ms=NOW_MS, steps=STEPS)


def test_no_writer_waits_long(old: Connection, data: str) -> None:
    writer = start(WRITE, data, str(NOW_MS))
    try:
        report = run(old, data)
    finally:
        waits = [float(line) for line in stop(writer).splitlines()[:-1]]
    assert len(report.changes) > COUNT // 4
    # the processor's time: that others were running meanwhile is no fault of ours
    assert 0 < report.lock_cpu_ms < MAX_LOCK_MS
    assert len(waits) > 10
    assert statistics.median(waits) < MAX_LOCK_MS


def test_second_run_at_the_same_time_is_refused(old: Connection, data: str) -> None:
    with files.hold_lock(data, max_wait_ms=0, name=LOCK_NAME), pytest.raises(StoreBusy, match="already"):
        run(old, data)
    assert runs.list_runs(old, limit=1) == []
    assert run(old, data).is_complete


def test_killed_run_is_finished_by_the_next(old: Connection, data: str) -> None:
    process = start(CONSOLIDATE, data, str(NOW_MS), " ".join(STEPS))
    until = time.monotonic() + 60
    while time.monotonic() < until and not runs.last_audit_id(old) > COUNT:
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    broken = runs.list_runs(old, limit=1)[0]
    assert broken["ended_at"] is None
    assert run(old, data).is_complete
    weak = old.execute(
        "SELECT count(*) FROM records WHERE status = 'active' AND created_at < ?", (NOW_MS - 400 * DAY_MS,)
    )
    assert weak.fetchone() == (0,)
    assert old.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_worker_does_it_and_plans_the_next(
    old: Connection, data: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENGRAM_EMBED", "off")
    jobs.add_job(old, "consolidate", "daily", project_id=0, now_ms=1)
    worker.work(data, until=time.monotonic() + 60)
    found = runs.list_runs(old, limit=1)[0]
    assert found["ended_at"] is not None
    assert {step["name"]: step["is_complete"] for step in found["report"]["steps"]}["decay"]
    due_at = old.execute("SELECT due_at FROM jobs WHERE kind = 'consolidate'").fetchone()[0]
    assert due_at > NOW_MS + 19 * 3_600_000


def test_reader_sees_every_record_all_the_time(old: Connection, data: str) -> None:
    other = ensure_store(data, now_ms=NOW_MS)
    try:
        process = start(CONSOLIDATE, data, str(NOW_MS), " ".join(STEPS))
        while process.poll() is None:
            assert other.execute("SELECT count(*) FROM records WHERE id <= ?", (COUNT,)).fetchone() == (
                COUNT,
            )
            assert meta.get_fact(other, "written") is None
        process.communicate()
    finally:
        other.close()


def test_first_start_after_a_silence_has_it_done_and_a_turn_does_not(
    old: Connection, data: str, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENGRAM_EMBED", "off")
    jobs.add_job(old, "consolidate", "daily", project_id=0, now_ms=1)
    start_of_day: dict[str, object] = {"session_id": "s1", "cwd": str(repo.path), "source": "startup"}
    prompt: dict[str, object] = {"session_id": "s1", "cwd": str(repo.path), "prompt": "Hello there"}
    assert run_hook(data, "user-prompt-submit", {**prompt, "session_id": "s0"}).returncode == 0
    assert run_hook(data, "session-start", start_of_day).returncode == 0
    wait_for_worker(data)
    assert runs.list_runs(old, limit=1) == []
    old.execute("UPDATE sessions SET is_running = 0")
    old.execute("UPDATE prompts SET created_at = created_at - 3600000")
    jobs.add_job(old, "consolidate", "daily", project_id=0, now_ms=1)
    assert run_hook(data, "session-start", {**start_of_day, "session_id": "s2"}).returncode == 0
    wait_for_worker(data)
    found = runs.list_runs(old, limit=1)
    assert found
    assert found[0]["ended_at"] is not None


def wait_for_worker(data: str) -> None:
    """Wait until the worker that a hook has started is done."""
    until = time.monotonic() + 60
    time.sleep(0.5)
    while is_worker_running(data):
        assert time.monotonic() < until, "the worker did not end"
        time.sleep(0.05)
