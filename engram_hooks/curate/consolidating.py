"""Consolidation through the facade: a run now, the reports of runs, and taking back what they did."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from engram_hooks.curate.record import Record
from engram_hooks.errors import EngramError

if TYPE_CHECKING:
    from engram_hooks.curate.consolidate import Report
    from engram_hooks.memory import Engram


def consolidate_here(memory: Engram, **options: Any) -> Report:  # Any: those of `consolidate.consolidate`
    """Put all memory in order now, whether or not somebody is at work; `options` as `consolidate.consolidate` has.

    Raises `UsageError` for an unknown step, `StoreBusy` where another run is at work.
    """
    from engram_hooks.curate.consolidate import consolidate

    if not options.get("is_dry"):
        memory.finish_jobs()
    now_ms = options.pop("now_ms", None) or now()
    return consolidate(memory.db, memory.data, memory.environ, now_ms=now_ms, **options)


def read_report(memory: Engram, run_id: int | None = None) -> dict[str, Any]:
    """The report of a run, by default of the last: id, report, started_at, ended_at (ms UTC).

    Raises `EngramError` where there is none.
    """
    from engram_hooks.store import runs

    found = runs.list_runs(memory.db, limit=1) if run_id is None else [runs.read_run(memory.db, run_id)]
    if not found or found[0] is None:
        raise EngramError(
            "memory was never put in order" if run_id is None else f"there is no run {run_id}",
            hint="engram consolidate" if run_id is None else "engram consolidate --last",
        )
    return found[0]


def undo_run(memory: Engram, run_id: int | None = None) -> tuple[list[Record], list[Record]]:
    """Take back what a run (by default the last) did: (records taken back, those changed since). Core memory, too.

    Raises `EngramError` where there is no such run, or it has not ended.
    """
    from engram_hooks.curate.consolidation.work import ACTOR
    from engram_hooks.curate.core.compaction import undo_compaction
    from engram_hooks.curate.lineage import undo_entries

    run = read_report(memory, run_id)
    report = run["report"]
    if "first_audit" not in report:
        raise EngramError(f"run {run['id']} did not come to its end", hint="engram restore ID")
    stretch = {"first_id": report["first_audit"], "last_id": report["last_audit"], "now_ms": now()}
    done, kept = undo_entries(memory.db, actor=ACTOR, **stretch)
    undo_compaction(memory.db, memory.data, memory.environ, **stretch)
    return _read_all(memory, done), _read_all(memory, kept)


def restore_record(memory: Engram, ref: str) -> tuple[Record, bool]:
    """Bring back a record that was archived, expired, merged or compacted: (the record now, whether it changed).

    Raises `EngramError` where there is no such record, or nothing put it away.
    """
    from engram_hooks.curate.lineage import restore

    record = memory.find(ref)
    is_changed = restore(memory.db, record.id, now_ms=now())
    return memory.find(str(record.id)), is_changed


def _read_all(memory: Engram, record_ids: list[int]) -> list[Record]:
    from engram_hooks.curate.record import from_row
    from engram_hooks.store.lookup import read_many

    return [from_row(row) for row in read_many(memory.db, record_ids)]


def now() -> int:
    """The present moment in ms UTC."""
    return time.time_ns() // 1_000_000
