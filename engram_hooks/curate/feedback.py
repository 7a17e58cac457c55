"""What somebody says of a record after it was told: of use, or wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engram_hooks.curate.keeping import now_ms
from engram_hooks.curate.protection import is_protected
from engram_hooks.curate.record import Record
from engram_hooks.store import audit, records, usage
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engram_hooks.memory import Engram

USEFUL, WRONG = "useful", "wrong"
HELD = "needs_review"
SAID_WRONG = "said to be wrong"
# what was said to be wrong is believed no more than this, should it be told again
DOUBTED = 0.3
CLEARER = 0.1
_HOLDABLE = frozenset(("active", "compacted", "stale"))
# set by the client in the commands that its agent runs
_AGENT_MARK = "CLAUDECODE"


@dataclass(frozen=True, slots=True)
class Heard:
    """A record after somebody spoke of it.

    `is_held` where it is not told any more until a person has looked at it; `is_left` where an agent called a
    protected record wrong: it stays, and a person has to say so.
    """

    record: Record
    verdict: str
    standing: float
    is_held: bool
    is_left: bool
    is_back: bool


def give_feedback(memory: Engram, ref: str, verdict: str, *, reason: str = "") -> Heard:
    """Note that a record is `useful` or `wrong`, and let that count here.

    Wrong: it waits for a review and is not told until then; `useful` takes that back. A protected record changes by
    a person's word alone, not by an agent's. Raises `EngramError` where there is no such record.
    """
    from engram_hooks.curate.feedback_turns import recount

    record, moment = memory.find(ref), now_ms()
    is_agent = bool(memory.environ.get(_AGENT_MARK))
    project_id = memory.project_id or 0
    with Transaction(memory.db):
        row = records.read(memory.db, record.id)
        is_left = verdict == WRONG and is_agent and is_protected(row)
        changes = _clear(memory, row) if verdict == USEFUL else {} if is_left else _hold(row, reason)
        _change(memory, record.id, changes, verdict=verdict, reason=reason, is_agent=is_agent, now_ms=moment)
        usage.add_feedback(
            memory.db,
            project_id,
            record.id,
            verdict=verdict,
            actor="agent" if is_agent else "person",
            reason=reason,
            now_ms=moment,
        )
        recount(memory.db, project_id, [record.id], now_ms=moment)
        standing = usage.read_standing(memory.db, project_id, record.id)
    after = memory.find(str(record.id))
    return Heard(
        after,
        verdict,
        standing,
        is_held=after.status == HELD and verdict == WRONG,
        is_left=is_left,
        is_back=row["status"] == HELD != after.status,
    )


def _change(
    memory: Engram,
    record_id: int,
    changes: Mapping[str, Any],
    *,
    verdict: str,
    reason: str,
    is_agent: bool,
    now_ms: int,
) -> None:
    """Change a record, and write down who said what of it even where nothing changes."""
    said = f"{'the agent' if is_agent else 'a person'} said so" + (f": {reason}" if reason else "")
    told: dict[str, Any] = {"actor": "engram" if is_agent else "person", "now_ms": now_ms, "reason": said}
    action = f"feedback {verdict}"
    if not changes or not records.update(memory.db, record_id, changes, action=action, **told):
        audit.add_entry(memory.db, record_id, action, **told)


def _hold(row: Mapping[str, Any], reason: str) -> dict[str, Any]:
    if row["status"] not in _HOLDABLE:
        return {}
    why = f"{SAID_WRONG}: {reason}" if reason else SAID_WRONG
    return {
        "status": HELD,
        "status_reason": why,
        "confidence": min(float(row["confidence"]), DOUBTED),
    }


def _clear(memory: Engram, row: Mapping[str, Any]) -> dict[str, Any]:
    """Told again as it was before somebody called it wrong; else a little more believed."""
    if row["status"] == HELD and str(row["status_reason"]).startswith(SAID_WRONG):
        entries = audit.list_entries(memory.db, row["id"])
        said = next((one for one in reversed(entries) if one["action"] == f"feedback {WRONG}"), None)
        before = said["before"] if said else {}
        return {
            "status": before.get("status", "active"),
            "status_reason": before.get("status_reason", ""),
            "confidence": before.get("confidence", row["confidence"]),
        }
    return {"confidence": min(1.0, round(float(row["confidence"]) + CLEARER, 4))}
