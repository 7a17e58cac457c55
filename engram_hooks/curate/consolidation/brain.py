"""The user's own model, where one is set: asked for a summary, with the deterministic way behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.curate.consolidation.work import Work


def summarise_lines(work: Work, rows: Sequence[tuple[str, str, int]]) -> str | None:
    """What the brain says a conversation was about; None without a brain, over its budget, or on any failure."""
    brain = _open(work)
    return brain.summarise([f"{role}: {text}" for role, text, _ in rows]) if brain else None


def reflect_on(work: Work, facts: Sequence[str]) -> list[str] | None:
    """What the brain concludes from facts; None as above."""
    brain = _open(work)
    return brain.reflect(list(facts)) if brain else None


def _open(work: Work) -> Any:  # Any: until the brain is a part of this tree
    try:
        from engram_hooks.curate.brain.asking import open_brain
    except ImportError:
        return None
    return open_brain(work.db, work.environ, now_ms=work.now_ms)
