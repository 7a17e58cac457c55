"""Single memories through the facade: their history, lists of them, changing and taking them back."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from engram_hooks.curate import capture, forget
from engram_hooks.curate.record import History, Record, check_kind, from_row
from engram_hooks.store import anchors, audit, family, lookup, records

if TYPE_CHECKING:
    from engram_hooks.memory import Engram


def history_of(memory: Engram, record: Record) -> History:
    """What a record replaced and what replaced it, what it rests on and speaks of, and every change."""
    things, relations = family.list_things(memory.db, record.id)
    return History(
        tuple(from_row(row) for row in lookup.read_chain(memory.db, record.id)),
        lookup.list_evidence(memory.db, record.id),
        audit.list_entries(memory.db, record.id),
        [asdict(one) for one in anchors.read_anchors(memory.db, [record.id])[record.id]],
        things,
        relations,
    )


def list_records(
    memory: Engram,
    *,
    kinds: Sequence[str] = (),
    statuses: Sequence[str] = records.TOLD,
    tag: str = "",
    limit: int = 0,
) -> list[Record]:
    """Records of this project and the global layer, newest first; candidates of this project alone."""
    rows = lookup.list_records(
        memory.db,
        project_ids=dict.fromkeys((memory.project_id or 0, 0)),
        statuses=statuses,
        kinds=[check_kind(kind) for kind in kinds],
        tag=tag,
        candidates_of=memory.project_id or 0,
        limit=limit,
    )
    return [from_row(row) for row in rows]


def edit(memory: Engram, ref: str, changes: Mapping[str, Any]) -> tuple[Record, bool]:
    """Change summary, detail, kind, tags or paths of a record: (the record now, whether it changed)."""
    record = memory.find(ref)
    fields = capture.prepare_changes(changes)
    is_changed = records.update(memory.db, record.id, fields, now_ms=now_ms(), actor="person")
    return memory.find(str(record.id)), is_changed


def supersede(memory: Engram, old_ref: str, new_ref: str) -> tuple[Record, Record]:
    """Let one record replace another: (the old one, the new one)."""
    old, new = memory.find(old_ref), memory.find(new_ref)
    moment = max(new.valid_from, old.valid_from)
    records.supersede(memory.db, old.id, new.id, at_ms=moment, now_ms=now_ms(), actor="person")
    return memory.find(str(old.id)), memory.find(str(new.id))


def retract(memory: Engram, ref: str, *, reason: str = "") -> Record:
    """Stop telling a record as true; `reinstate` takes that back."""
    return forget.retract(memory.db, memory.find(ref).id, now_ms=now_ms(), reason=reason)


def reinstate(memory: Engram, ref: str) -> Record:
    """Make a retracted or superseded record true again."""
    record = memory.find(ref)
    records.reinstate(memory.db, record.id, now_ms=now_ms(), actor="person")
    return memory.find(str(record.id))


def now_ms() -> int:
    """The present moment in ms UTC."""
    return time.time_ns() // 1_000_000
