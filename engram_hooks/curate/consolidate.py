"""Memory made better while nobody works: every step of consolidation in its order, with a report."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from sqlite3 import Connection
from typing import Any

from engram_hooks.curate.consolidation import (
    compact,
    decay,
    expire,
    merge,
    promote,
    prune,
    reflect,
    rivals,
    summarise,
    tending,
    vacuum,
)
from engram_hooks.curate.consolidation.work import Change, StepReport, Work
from engram_hooks.errors import UsageError
from engram_hooks.store import files, runs, settings
from engram_hooks.store.lock_time import take_longest_ms, watch_lock
from engram_hooks.store.tidying import AUTO_CHECKPOINT_PAGES, checkpoint, leave_checkpoints

STEPS: dict[str, Callable[[Work], StepReport]] = {
    "summarise": summarise.run,
    "promote": promote.run,
    "merge": merge.run,
    "rivals": rivals.run,
    "expire": expire.run,
    "decay": decay.run,
    "compact": compact.run,
    "reflect": reflect.run,
    "staleness": tending.refresh_staleness,
    "relations": tending.derive_relations,
    "core": tending.compact_core,
    "prune": prune.run,
    "vacuum": vacuum.run,
}
STEP_S = 60.0
MAX_S = 300.0
MAX_KEPT_CHANGES = 500
LOCK_NAME = "consolidate.lock"


@dataclass(frozen=True, slots=True)
class Report:
    """What one run did, or would do: `run_id` is None for a dry one. Moments in ms UTC, times in ms.

    `first_audit` and `last_audit` bound its entries in the book of changes; `lock_ms` is the longest time that
    others had to wait for the store, `lock_cpu_ms` what of that was work.
    """

    run_id: int | None
    started_at: int
    took_ms: int
    lock_ms: float
    lock_cpu_ms: float
    is_dry: bool
    steps: tuple[StepReport, ...]
    first_audit: int = 0
    last_audit: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether every step came to its end."""
        return all(step.is_complete for step in self.steps)

    @property
    def changes(self) -> list[tuple[str, Change]]:
        """(step, change) of all steps."""
        return [(step.name, change) for step in self.steps for change in step.changes]

    def as_dict(self) -> dict[str, Any]:
        """The report for JSON; the changes of a step are cut at `MAX_KEPT_CHANGES`."""
        found = asdict(self)
        found["is_complete"] = self.is_complete
        found["steps"] = [
            {
                **asdict(step),
                "counts": dict(step.counts),
                "changes": [change.as_dict() for change in step.changes[:MAX_KEPT_CHANGES]],
                "notes": list(step.notes),
            }
            for step in self.steps
        ]
        return found


def consolidate(
    db: Connection,
    data: str,
    environ: Mapping[str, str],
    *,
    now_ms: int,
    until: float | None = None,
    is_dry: bool = False,
    steps: Sequence[str] | None = None,
    project_id: int | None = None,
    is_wanted: Callable[[], bool] = lambda: True,
    on_step: Callable[[str], None] = lambda name: None,
    on_question: Callable[[str, str], None] | None = None,
) -> Report:
    """Do the steps (all but those of `consolidate.skip`, or the ones named) at the moment `now_ms`; the report.

    `until` is a moment of the monotonic clock, by default some minutes from now; what is not done then is left to
    the next run. `is_wanted` is asked between changes whether to go on, `on_step` told each step. A dry run
    writes nothing, and tells `on_question` (purpose, prompt) what the brain would be asked. Raises `UsageError` for
    an unknown step, `StoreBusy` where another run is at work.
    """
    names = choose_steps(db, environ, steps)
    if until is None:
        until = time.monotonic() + MAX_S
    plan = _Plan(now_ms, until, is_dry, project_id, is_wanted, on_step, on_question)
    if is_dry:
        return _run(db, data, environ, names=names, plan=plan)
    with files.hold_lock(data, max_wait_ms=0, name=LOCK_NAME, taken="memory is being consolidated already"):
        leave_checkpoints(db)
        try:
            return _run(db, data, environ, names=names, plan=plan)
        finally:
            leave_checkpoints(db, pages=AUTO_CHECKPOINT_PAGES)


@dataclass(frozen=True, slots=True)
class _Plan:
    """How a run was asked for."""

    now_ms: int
    until: float
    is_dry: bool
    project_id: int | None
    is_wanted: Callable[[], bool]
    on_step: Callable[[str], None]
    on_question: Callable[[str, str], None] | None


def choose_steps(db: Connection, environ: Mapping[str, str], steps: Sequence[str] | None) -> list[str]:
    """The steps of a run in their order. Raises `UsageError` for a name that is none."""
    if steps is None:
        skipped = str(settings.read(db, 0, environ)["consolidate.skip"]).replace(",", " ").split()
        return [name for name in STEPS if name not in skipped]
    for name in steps:
        if name not in STEPS:
            raise UsageError(f"there is no step {name[:40]!r}", hint=f"one of: {', '.join(STEPS)}")
    return [name for name in STEPS if name in steps]


def _run(
    db: Connection, data: str, environ: Mapping[str, str], *, names: Sequence[str], plan: _Plan
) -> Report:
    begun = time.monotonic()
    watched = watch_lock(db)
    first_audit = runs.last_audit_id(db)
    run_id = None if plan.is_dry else runs.begin_run(watched, now_ms=plan.now_ms)
    work = Work(
        watched,
        data,
        environ,
        plan.now_ms,
        plan.until,
        is_dry=plan.is_dry,
        project_id=plan.project_id,
        is_wanted=plan.is_wanted,
        on_question=plan.on_question,
    )
    done = []
    for name in names:
        plan.on_step(name)
        done.append(_do_step(name, work, until=min(plan.until, time.monotonic() + STEP_S)))
    report = Report(
        run_id,
        plan.now_ms,
        round((time.monotonic() - begun) * 1000),
        max((step.lock_ms for step in done), default=0.0),
        max((step.lock_cpu_ms for step in done), default=0.0),
        plan.is_dry,
        tuple(done),
        first_audit,
        runs.last_audit_id(db),
    )
    if run_id is not None:
        kept = report.as_dict()
        for step in kept["steps"]:
            step["notes"] = []  # may quote records; hard forgetting looks for no text here
        runs.end_run(watched, run_id, kept, ended_at=plan.now_ms + report.took_ms)
    return report


def _do_step(name: str, work: Work, *, until: float) -> StepReport:
    """Do one step within its share of the time, as far as there is any; what it took."""
    started = time.monotonic()
    work.until = until
    found = STEPS[name](work) if work.may_go_on() else StepReport(name, is_complete=False)
    if not work.is_dry:
        checkpoint(work.db)
    took_ms = round((time.monotonic() - started) * 1000)
    lock_ms, lock_cpu_ms = take_longest_ms(work.db)
    return found.timed(took_ms=took_ms, lock_ms=lock_ms, lock_cpu_ms=lock_cpu_ms)
