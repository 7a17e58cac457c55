"""From a proposal to core memory: what a person said of themselves stands in every session from then on."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from engram_hooks.curate.core.blocks import CoreChange, add_core
from engram_hooks.errors import EngramError
from engram_hooks.store import records

if TYPE_CHECKING:
    from engram_hooks.curate.record import Record
    from engram_hooks.memory import Engram


def accept_into_core(memory: Engram, record: Record) -> CoreChange:
    """Add what a candidate says to the block about the user, and put the candidate away.

    Raises `EngramError` where it is no candidate any more, or the block has no room for it.
    """
    if record.status != "candidate":
        raise EngramError(
            f"{record.short_id} does not wait for a review: it is {record.status}",
            hint=f"engram show {record.short_id}",
        )
    change = add_core(memory, "user", record.summary, reason=f"proposed as {record.short_id}")
    now_ms, reason = time.time_ns() // 1_000_000, "it is in core memory"
    records.set_status(memory.db, record.id, "archived", now_ms=now_ms, actor="person", reason=reason)
    return change
