"""What putting a memory in order costs: processor, memory, and how long it keeps others from writing."""

from __future__ import annotations

import json
import multiprocessing
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engram_hooks.errors import EngramError
from engram_hooks.store import log, meta, records, sessions, upkeep
from engram_hooks.store.create import ensure_store
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from multiprocessing.connection import Connection as Pipe

DAY_MS = 86_400_000
NOW_MS = 1_780_000_000_000
PROJECTS = 3
LINES_A_SESSION = 50
WRITE_EVERY_S = 0.01
_NOUNS = """
    retry queue cache billing invoice gateway parser worker session token schema index deploy pipeline container secret
    lint typing build release rollout metric alert dashboard tracing button modal form validation email webhook payment
    refund ledger account login scope role policy audit backup snapshot replica shard cluster timeout limit quota batch
    stream topic consumer producer offset partition search ranking facet locale currency calendar report export import
    endpoint header cookie proxy balancer image thumbnail codec fixture migration
""".split()
_VERBS = "calls reads writes caches validates rejects drops renames wraps splits merges loads flushes locks".split()
_STATES = "slow empty missing stale full old huge nested".split()
_KINDS = "fact fact fact fact incident module reference feedback procedure decision state".split()


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of one run over a store: CPU in s, peak memory in MB, locks and waits in ms."""

    run: int
    records: int
    changes: int
    cpu_s: float
    peak_mb: float
    lock_ms: float
    lock_cpu_ms: float
    longest_wait_ms: float
    steps: dict[str, dict[str, float]]


def measure(*, count: int, lines: int, runs: int, seed: int) -> list[Cost]:
    """Fill a store with made-up records and conversation, then put it in order some days in a row.

    Each run is a process of its own, beside one that writes all the time. `lines` are log lines.
    """
    with tempfile.TemporaryDirectory(prefix="engram-bench-") as folder:
        fill(folder, count=count, lines=lines, rng=random.Random(seed))  # noqa: S311 (made-up texts)
        return [_run_once(folder, at) for at in range(1, runs + 1)]


def fill(folder: str, *, count: int, lines: int, rng: random.Random) -> None:
    """A store of two years: records of all ages, one in thirty a repetition, and sessions with their lines."""
    db = ensure_store(folder, now_ms=NOW_MS)
    try:
        with Transaction(db):
            said = ""
            for number in range(count):
                said = said + " again" if said and rng.random() < 1 / 30 else _make_sentence(rng)
                at = NOW_MS - rng.randrange(730) * DAY_MS
                row = {"kind": rng.choice(_KINDS), "project_id": 1 + number % PROJECTS, "summary": said}
                row |= {"tags": rng.choice(_NOUNS), "source": "log", "created_at": at, "valid_from": at}
                records.insert(db, row, now_ms=at, actor="miner")
        for number in range(lines // LINES_A_SESSION):
            _add_session(db, number, lines // LINES_A_SESSION, rng)
        from engram_hooks.curate.backfill import embed_missing

        embed_missing(db, folder, {}, now_ms=NOW_MS)
    finally:
        db.close()


def _add_session(db: Any, number: int, count: int, rng: random.Random) -> None:  # Any: an open store
    at = NOW_MS - (count - number) * DAY_MS
    session = sessions.add_session(
        db, f"s{number}", project_id=1 + number % PROJECTS, root="", branch="", transcript_path="", now_ms=at
    )
    rows = [
        (f"{number}-{line}", "assistant" if line % 4 else "user", "", f"{_make_sentence(rng)}.", at + line)
        for line in range(LINES_A_SESSION)
    ]
    with Transaction(db):
        log.append_rows(db, session[0], rows)


def _make_sentence(rng: random.Random) -> str:
    first, second, third, fourth, fifth = (rng.choice(_NOUNS) for _ in range(5))
    return f"The {first} {second} {rng.choice(_VERBS)} the {third} {fourth} when the {fifth} is {rng.choice(_STATES)}"


def _run_once(folder: str, number: int) -> Cost:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    writer = context.Process(target=write_all_the_time, args=(folder, theirs), daemon=True)
    writer.start()
    try:
        ours.recv()
        command = [sys.executable, "-m", "engram_hooks.bench.consolidation", folder, str(number)]
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]
        )
    finally:
        ours.send("stop")
        longest = ours.recv()
        writer.join()
    if done.returncode:
        raise EngramError(f"consolidation failed: {done.stderr.strip().splitlines()[-1:]}")
    return Cost(run=number, longest_wait_ms=longest, **json.loads(done.stdout))


def write_all_the_time(folder: str, pipe: Pipe) -> None:
    """Write a fact every few ms until told to stop; answers how long it had to wait for the lock at most, in ms."""
    db = ensure_store(folder, now_ms=NOW_MS)
    pipe.send("begun")
    longest = 0.0
    while not pipe.poll():
        before = time.perf_counter()
        with Transaction(db):
            longest = max(longest, (time.perf_counter() - before) * 1000)
            meta.set_fact(db, "bench", "1")
        time.sleep(WRITE_EVERY_S)
    pipe.send(round(longest, 1))


def consolidate_once(folder: str, number: int) -> dict[str, Any]:
    """Put the store in order, as of some days after its last one; what that cost."""
    from engram_hooks.bench.scan_once import peak_kb
    from engram_hooks.curate.consolidate import consolidate

    db = ensure_store(folder, now_ms=NOW_MS)
    try:
        started = time.process_time()
        report = consolidate(db, folder, {}, now_ms=NOW_MS + number * DAY_MS, until=time.monotonic() + 3_600)
        cpu_s = time.process_time() - started
        told = len(upkeep.list_rows(db, records.TOLD))
    finally:
        db.close()
    return {
        "records": told,
        "changes": len(report.changes),
        "cpu_s": round(cpu_s, 2),
        "peak_mb": round(peak_kb() / 1024, 1),
        "lock_ms": report.lock_ms,
        "lock_cpu_ms": report.lock_cpu_ms,
        "steps": {
            step.name: {
                "took_s": step.took_ms / 1000,
                "lock_ms": step.lock_ms,
                "lock_cpu_ms": step.lock_cpu_ms,
            }
            for step in report.steps
        },
    }


def describe(costs: list[Cost]) -> Iterator[list[str]]:
    """The rows of a table: run, records told after it, changes, CPU, memory, longest lock (CPU, wall) and wait."""
    for cost in costs:
        yield [
            str(cost.run),
            f"{cost.records:,}",
            f"{cost.changes:,}",
            f"{cost.cpu_s:.1f}",
            f"{cost.peak_mb:.0f}",
            f"{cost.lock_cpu_ms:.0f}",
            f"{cost.lock_ms:.0f}",
            f"{cost.longest_wait_ms:.0f}",
        ]


if __name__ == "__main__":
    sys.stdout.write(json.dumps(consolidate_once(sys.argv[1], int(sys.argv[2]))))
