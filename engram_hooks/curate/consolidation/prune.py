"""What is old and not kept: conversation beyond the retention, reports of runs long past."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_hooks.curate.consolidation.work import StepReport
from engram_hooks.curate.retention import DAY_MS, FACT
from engram_hooks.store import meta, retention, runs, settings
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from engram_hooks.curate.consolidation.work import Work

NAME = "prune"
REPORT_DAYS = 180


def run(work: Work) -> StepReport:
    """Delete the log beyond `log.retention_days` and the reports of half a year ago."""
    if work.project_id is not None:
        return StepReport(NAME)
    days = int(settings.read(work.db, 0, work.environ)["log.retention_days"])
    before_ms = work.now_ms - days * DAY_MS
    if work.is_dry:
        old = retention.count_old(work.db, before_ms=before_ms) if days else {}
        return StepReport(NAME, {"log lines": old.get("log", 0)})
    lines, is_complete = 0, True
    if days:
        lines = retention.prune(work.db, before_ms=before_ms, may_go_on=work.may_go_on)["log"]
        is_complete = work.may_go_on()
        with Transaction(work.db):
            meta.set_fact(work.db, FACT, str(work.now_ms))
    runs.delete_old_runs(work.db, before_ms=work.now_ms - REPORT_DAYS * DAY_MS)
    return StepReport(NAME, {"log lines": lines}, is_complete=is_complete)
