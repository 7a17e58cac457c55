"""Keeping one memory through the facade, with what it rests on. What asks git is loaded where it is needed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from engram_hooks.curate import capture
from engram_hooks.curate.record import Captured
from engram_hooks.store import anchors, records
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from engram_hooks.memory import Engram


def capture_here(memory: Engram, draft: capture.Draft) -> Captured:
    """Keep one memory and say what became of it: new or known, what is near, what it replaced.

    What it speaks of, and what is given as its evidence, is looked for in the repository here. Raises `UsageError`
    for evidence that is not there, before anything is kept.
    """
    now_ms = time.time_ns() // 1_000_000
    given = [ref.strip() for ref in draft.evidence if ref.strip()]
    documents = [ref for ref in given if "://" in ref]
    named = [ref for ref in given if "://" not in ref]
    found = []
    if named:
        from engram_hooks.curate.ground.evidence import find_given

        found = find_given(memory, named)
    captured = capture.capture(memory.db, draft, now_ms=now_ms)
    record_id = captured.record.id
    if given:
        from engram_hooks.curate.ground.evidence import attach

        with Transaction(memory.db):
            attach(memory.db, record_id, found, now_ms=now_ms)
            for ref in documents:
                records.add_evidence(memory.db, record_id, "document", ref, now_ms=now_ms)
    if captured.is_new and memory.root and draft.project_id == memory.project_id:
        _anchor(memory, record_id, now_ms=now_ms)
    return captured


def _anchor(memory: Engram, record_id: int, *, now_ms: int) -> None:
    """Find what a record speaks of now, while it is there, if it may speak of anything."""
    from engram_hooks.curate.ground.mentions import list_mentions

    for record in anchors.read_records(memory.db, [record_id]):
        if list_mentions(record):
            from engram_hooks.curate.ground.evidence import anchor_now

            anchor_now(memory, record, now_ms=now_ms)
