"""The book of changes through the facade: who changed what, when, why, from what to what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engram_hooks.curate.moments import parse_moment
from engram_hooks.curate.record import short_id
from engram_hooks.errors import EngramError
from engram_hooks.store import audit_trail

if TYPE_CHECKING:
    from engram_hooks.memory import Engram

CORE = "core"


def audit_here(
    memory: Engram,
    ref: str = "",
    *,
    since: object = None,
    actor: str = "",
    action: str = "",
    limit: int = 20,
    is_everywhere: bool = False,
) -> list[dict[str, Any]]:
    """Changes, newest first: those of the record that `ref` names, of core memory (`core`), or all that belong here.

    `since` is a date in any form `parse_moment` reads, `action` the beginning of one; `is_everywhere` also gives
    the changes of other projects. Each has id, at (ms UTC), actor, action, record (short id or None), summary,
    before, after, reason. Raises `EngramError` where there is neither such a record nor a change of it.
    """
    since_ms = 0 if since is None else parse_moment(since)
    record_id = None
    if ref.strip().lower() == CORE:
        action = action if action.startswith(CORE) else f"{CORE} {action}".strip()
    elif ref:
        record_id = _find_record(memory, ref)
    found = audit_trail.list_all(
        memory.db,
        record_id=record_id,
        project_ids=None if is_everywhere or record_id else [memory.project_id or 0, 0],
        since_ms=since_ms,
        actor=actor.strip().lower(),
        action=action.strip().lower(),
        limit=limit,
    )
    return [_show(row) for row in found]


def _find_record(memory: Engram, ref: str) -> int:
    """The number of a record; of one that was forgotten for good, where the book still names it."""
    try:
        return memory.find(ref).id
    except EngramError:
        digits = ref.strip().strip("[]").lower()
        digits = digits[1:] if digits[:1].isalpha() else digits
        if digits.isascii() and digits.isdigit() and audit_trail.is_gone(memory.db, int(digits)):
            return int(digits)
        raise


def _show(row: Mapping[str, Any]) -> dict[str, Any]:
    number = row["record_id"]
    record = short_id(row["kind"], number) if row["kind"] else number and str(number)
    return {
        "id": row["id"],
        "at": row["created_at"],
        "actor": row["actor"],
        "action": row["action"],
        "record": record,
        "summary": row["summary"] or "",
        "before": row["before"],
        "after": row["after"],
        "reason": row["reason"],
    }
