"""Forgetting: what is weak by recency, frequency and importance is archived, never what is protected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engram_hooks.curate.consolidation.work import ACTOR, Change, StepReport
from engram_hooks.curate.lineage import archive
from engram_hooks.curate.protection import is_protected
from engram_hooks.curate.strength import DAY_MS, FLOOR, compute_strength
from engram_hooks.store import records, upkeep

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from engram_hooks.curate.consolidation.work import Work

NAME = "decay"
MIN_DAYS = 14  # nothing younger is forgotten, whatever its strength


def run(work: Work) -> StepReport:
    """Archive the told records whose strength fell below the floor."""
    rows = upkeep.list_rows(work.db, records.TOLD, project_id=work.project_id)
    weak = [row for row in find_weak(work, rows, ceiling=FLOOR) if row["id"] not in work.touched]
    plan = [
        Change(row["id"], "archived", f"strength {row['strength']:.2f}, last seen {row['days']:.0f} days ago")
        for row in weak
    ]
    done, is_complete = work.write(plan, lambda change: _archive(work, change))
    return StepReport(NAME, {"archived": len(done), "looked at": len(rows)}, done, is_complete=is_complete)


def find_weak(work: Work, rows: Iterable[Mapping[str, Any]], *, ceiling: float) -> list[dict[str, Any]]:
    """Those records that may be forgotten and whose strength is below `ceiling`, the weakest first.

    Each has `strength` and `days` (since it was last seen) besides its columns.
    """
    free = [row for row in rows if not is_protected(row) and row["status"] in records.TOLD]
    usage = _read_usage(work, [row["id"] for row in free])
    likely = [row for row in free if _measure(row, _own_moment(row), usage, work.now_ms)[0] < ceiling]
    seen = upkeep.last_seen(work.db, [row["id"] for row in likely])
    found = []
    for row in likely:
        moment = max(_own_moment(row), seen.get(row["id"], 0))
        strength, days = _measure(row, moment, usage, work.now_ms)
        if strength < ceiling and days >= MIN_DAYS:
            found.append({**row, "strength": strength, "days": days})
    return sorted(found, key=lambda row: (row["strength"], row["id"]))


def _archive(work: Work, change: Change) -> bool:
    reason = f"faded: {change.reason}"
    return archive(
        work.db, change.record_id, status="archived", reason=reason, now_ms=work.now_ms, actor=ACTOR
    )


def _own_moment(row: Mapping[str, Any]) -> int:
    return int(max(row["created_at"], row["valid_from"], row["last_used_at"] or 0))


def _measure(
    row: Mapping[str, Any], seen_at: int, usage: Mapping[int, tuple[float, float]], now_ms: int
) -> tuple[float, float]:
    """(strength, days since it was seen) of a record."""
    used, ignored = usage.get(row["id"], (0.0, 0.0))
    days = max(0.0, (now_ms - seen_at) / DAY_MS)
    heard = max(0, row["evidence_count"] - 1)
    strength = compute_strength(
        kind=row["kind"],
        importance=row["importance"],
        days=days,
        used=max(used, row["use_count"]) + heard,
        ignored=max(ignored, row["ignored_count"]),
    )
    return strength, days


def _read_usage(work: Work, record_ids: list[int]) -> dict[int, tuple[float, float]]:
    """How often records were used and ignored in any project."""
    wanted = set(record_ids)
    return {record_id: use for record_id, use in upkeep.sum_use(work.db).items() if record_id in wanted}
