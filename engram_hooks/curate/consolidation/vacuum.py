"""Room that deleted rows left is given back, and full-text indexes are merged, a little at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_hooks.curate.consolidation.work import StepReport
from engram_hooks.store import tidying

if TYPE_CHECKING:
    from engram_hooks.curate.consolidation.work import Work

NAME = "vacuum"
MIN_FREE_PAGES = 64
MAX_STEPS = 400


def run(work: Work) -> StepReport:
    """Merge the full text, then free pages where the file's format lets single pages go."""
    free = tidying.count_free_pages(work.db)
    if work.is_dry:
        return StepReport(NAME, {"pages to free": free if tidying.can_free(work.db) else 0})
    merged = tidying.merge_full_text(work.db, may_go_on=work.may_go_on)
    freed = 0
    if free >= MIN_FREE_PAGES and tidying.can_free(work.db):
        freed = tidying.free_pages(work.db, max_steps=MAX_STEPS, may_go_on=work.may_go_on)
    tidying.checkpoint(work.db)
    return StepReport(NAME, {"pages freed": freed, "merges": merged}, is_complete=work.may_go_on())
