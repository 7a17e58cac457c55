"""What was true until a day: records of dated events and of the state of work, once their time has passed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engram_hooks.curate.consolidation.work import ACTOR, Change, StepReport
from engram_hooks.curate.horizon import find_horizon
from engram_hooks.curate.lineage import archive
from engram_hooks.curate.protection import is_protected
from engram_hooks.store import branches, records, upkeep

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from engram_hooks.curate.consolidation.work import Work

NAME = "expire"
DAY_MS = 86_400_000
GRACE_DAYS = 1
GONE_DAYS = 7
STATE_DAYS = 60
LASTING_IMPORTANCE = 0.8
# what is told of things that pass; rules, habits and what is known of a person stay, whatever day they name
PASSING = "state", "fact", "incident", "reference", "module", "insight"


def run(work: Work) -> StepReport:
    """Expire told records whose horizon has passed: a day that they name, two months for a state, their branch."""
    plan: list[Change] = []
    ends: dict[int, int] = {}
    rows = upkeep.list_rows(work.db, records.TOLD, project_id=work.project_id)
    kept = work.touched | upkeep.restored_ids(work.db)
    free = [row for row in rows if not is_protected(row) and row["id"] not in kept]
    seen = upkeep.last_seen(work.db, [row["id"] for row in free if row["kind"] == "state"])
    gone = _find_gone(work, {row["project_id"] for row in free if row["scope"] == "branch"})
    for row in free:
        end, reason = _find_end(row, max(seen.get(row["id"], 0), row["valid_from"]))
        if row["scope"] == "branch" and (row["project_id"], row["branch"]) in gone:
            end, reason = gone[row["project_id"], row["branch"]], "its branch was deleted without a merge"
        if end is not None and end < work.now_ms:
            plan.append(Change(row["id"], "expired", reason))
            ends[row["id"]] = end

    def expire(change: Change) -> bool:
        return archive(
            work.db,
            change.record_id,
            status="expired",
            reason=change.reason,
            now_ms=work.now_ms,
            actor=ACTOR,
            valid_to=ends[change.record_id],
        )

    done, is_complete = work.write(plan, expire)
    return StepReport(NAME, {"expired": len(done)}, done, is_complete=is_complete)


def _find_gone(work: Work, project_ids: Iterable[int]) -> dict[tuple[int, str], int]:
    """(project, branch) of branches that are gone without a merge, with the moment when their records end."""
    return {
        (project_id, one.name): one.seen_at + GONE_DAYS * DAY_MS
        for project_id in project_ids
        for one in branches.read_branches(work.db, project_id).values()
        if one.state == branches.GONE
    }


def _find_end(row: Mapping[str, Any], seen_at: int) -> tuple[int | None, str]:
    """(when a record ceases to hold, why): None for one without an end."""
    if row["valid_to"] is not None:
        return row["valid_to"], "its validity has ended"
    day = find_horizon(row["summary"], said_at=row["valid_from"]) if row["kind"] in PASSING else None
    if day is not None:
        return day + GRACE_DAYS * DAY_MS, "the day that it names has passed"
    if row["kind"] == "state" and row["importance"] < LASTING_IMPORTANCE:
        seen_at = max(seen_at, row["last_used_at"] or 0)
        return seen_at + STATE_DAYS * DAY_MS, f"a state of work that was not heard of for {STATE_DAYS} days"
    return None, ""
