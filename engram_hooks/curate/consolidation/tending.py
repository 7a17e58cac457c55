"""The steps that other parts of engram know how to do: staleness, relations, the core blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_hooks.curate.consolidation.work import StepReport
from engram_hooks.store.projects import list_projects

if TYPE_CHECKING:
    from engram_hooks.curate.consolidation.work import Work


def refresh_staleness(work: Work) -> StepReport:
    """Demote records whose code is gone, revive those whose code is back."""
    from engram_hooks.curate.ground import staleness

    notes: list[str] = []
    for project_id in [work.project_id] if work.project_id else [one.id for one in list_projects(work.db)]:
        notes += staleness.refresh_staleness(
            work.db,
            work.data,
            work.environ,
            project_id=project_id,
            now_ms=work.now_ms,
            until=work.until,
            is_dry=work.is_dry,
        )
    return StepReport("staleness", {"changed": len(notes)}, notes=tuple(notes), is_complete=work.may_go_on())


def derive_relations(work: Work) -> StepReport:
    """Derive entities and relations from records that changed."""
    from engram_hooks.curate.relations.deriving import derive_relations as derive

    count = derive(work.db, now_ms=work.now_ms, until=work.until, is_dry=work.is_dry)
    return StepReport("relations", {"derived": count}, is_complete=work.may_go_on())


def compact_core(work: Work) -> StepReport:
    """Make room in core blocks that are nearly full."""
    from engram_hooks.curate.core import compaction

    notes = compaction.compact_core(work.db, work.data, work.environ, now_ms=work.now_ms, is_dry=work.is_dry)
    return StepReport("core", {"changed": len(notes)}, notes=tuple(notes))
