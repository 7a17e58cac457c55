"""The user's own model, where one is set, in the steps of consolidation: an opinion, with another way behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_hooks.curate.brain.asking import open_brain
from engram_hooks.store import lookup

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from engram_hooks.curate.brain.answers import Insight
    from engram_hooks.curate.brain.asking import Brain
    from engram_hooks.curate.consolidation.work import Work

MIN_CONFIDENCE = 0.8


def summarise_lines(work: Work, rows: Sequence[tuple[str, str, int]]) -> str | None:
    """What the brain says a conversation was about; None without a brain, over its budget, or on any failure."""
    brain = _open(work)
    return brain.summarise([(role, text) for role, text, _ in rows]) if brain else None


def is_repetition(work: Work, later: Mapping[str, Any], earlier: Mapping[str, Any]) -> bool | None:
    """Whether the brain is sure that one record says what another says; None where it gives no answer."""
    brain = _open(work)
    if brain is None:
        return None
    rows = {row["id"]: row for row in lookup.read_many(work.db, [later["id"], earlier["id"]])}
    if len(rows) < 2:
        return None
    ruling = brain.resolve(rows[later["id"]], [rows[earlier["id"]]])
    if ruling is None:
        return False if work.is_dry else None  # of a rehearsal the next question is wanted, too
    return ruling.action in ("merge", "discard") and ruling.confidence >= MIN_CONFIDENCE


def reflect_on(work: Work, facts: Sequence[Mapping[str, Any]]) -> list[Insight]:
    """Patterns that the brain sees in records that are there when it answers; none without an answer."""
    brain = _open(work)
    found = (brain.reflect(facts) or []) if brain else []
    named = sorted({record_id for insight in found for record_id in insight.record_ids})
    kept = {row["id"] for row in lookup.read_many(work.db, named)} if named else set()
    return [insight for insight in found if kept.issuperset(insight.record_ids)]


def _open(work: Work) -> Brain | None:
    if (work.is_dry and not work.on_question) or not work.may_go_on():
        return None
    rehearse = work.on_question if work.is_dry else None
    return open_brain(work.db, work.environ, now_ms=work.now_ms, data=work.data, rehearse=rehearse)
