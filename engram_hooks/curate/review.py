"""What recent sessions decided and nobody has kept yet: to accept, to leave, or never to hear of again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from sqlite3 import Connection
from typing import Any

from engram_hooks.curate.capture import split_text
from engram_hooks.curate.changes.judging import Verdict, judge
from engram_hooks.curate.changes.likeness import open_measure
from engram_hooks.curate.changes.subjects import Measure
from engram_hooks.curate.nearness import find_near
from engram_hooks.curate.promote import settle
from engram_hooks.curate.record import Record, check_kind, from_row
from engram_hooks.errors import EngramError, UsageError
from engram_hooks.store import disputes, log_search, lookup, records
from engram_hooks.store.tombstones import bury_refused, normalise
from engram_hooks.store.transactions import Transaction

MAX_LEAD_CHARS = 40
# candidates, and what was held back because it speaks against something protected or risky
WAITING = "candidate", "needs_review"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A candidate: what was said, when (ms UTC), and the active record it is nearest to.

    `replaces` are the records that would be superseded if it were accepted, `reason` says why.
    """

    record: Record
    quote: str
    said_at: int
    speaker: str = "user"
    near: Record | None = None
    replaces: tuple[Record, ...] = ()
    reason: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The proposal for JSON."""
        near = {"id": self.near.short_id, "summary": self.near.summary} if self.near else None
        return {
            **self.record.as_dict(),
            "quote": self.quote,
            "said_at": self.said_at,
            "speaker": self.speaker,
            "near": near,
            "would_replace": [{"id": item.short_id, "summary": item.summary} for item in self.replaces],
            "reason": self.reason,
        }


def list_proposals(db: Connection, project_id: int, *, limit: int = 0) -> list[Proposal]:
    """What waits for a person in a project, newest first, each text once, none that a record already says."""
    found: list[Proposal] = []
    seen: set[str] = set()
    with open_measure() as measure:
        for row in lookup.list_records(db, project_ids=[project_id], statuses=WAITING):
            text = normalise(row["summary"])
            near = find_near(db, row["summary"], project_ids=list(dict.fromkeys((project_id, 0))))
            if text in seen or any(share == 1.0 for share, _ in near):
                continue
            seen.add(text)
            found.append(_propose(db, row, near, measure))
            if limit and len(found) == limit:
                break
    return found


def _propose(
    db: Connection, row: dict[str, Any], near: Sequence[tuple[float, dict[str, Any]]], measure: Measure | None
) -> Proposal:
    verdict = judge(db, row, actor="person", now_ms=row["valid_from"], measure=measure)
    replaced = find_replaced(db, verdict)
    return Proposal(
        from_row(row),
        row["detail"] or row["summary"],
        row["valid_from"],
        _speaker(db, row["id"]),
        from_row(near[0][1]) if near else None,
        replaces=replaced,
        reason=verdict.reason if replaced else "",
    )


def find_replaced(db: Connection, verdict: Verdict) -> tuple[Record, ...]:
    """The records that a verdict would supersede, the first of them for its own sake."""
    if verdict.action != "supersede" or verdict.is_late or verdict.target_id is None:
        return ()
    return tuple(from_row(row) for row in lookup.read_many(db, [verdict.target_id, *verdict.also]))


def settle_duplicates(db: Connection, project_id: int, *, now_ms: int) -> int:
    """Archive the candidates that only repeat an active record or another candidate; returns how many."""
    seen: dict[str, int] = {}
    settled = 0
    with Transaction(db):
        for row in lookup.list_records(db, project_ids=[project_id], statuses=["candidate"]):
            text = normalise(row["summary"])
            near = find_near(db, row["summary"], project_ids=list(dict.fromkeys((project_id, 0))))
            same = next((other["id"] for share, other in near if share == 1.0), seen.get(text))
            if same is None:
                seen[text] = row["id"]
                continue
            reason = f"says the same as {same}"
            records.set_status(db, row["id"], "archived", now_ms=now_ms, actor="review", reason=reason)
            for item in lookup.list_evidence(db, row["id"]):
                records.add_evidence(
                    db, same, item["kind"], item["ref"], now_ms=now_ms, detail=item["detail"]
                )
            settled += 1
    return settled


def accept(
    db: Connection,
    record_id: int,
    *,
    now_ms: int,
    summary: str | None = None,
    kind: str | None = None,
    supersedes: int | None = None,
    scope: str | None = None,
    keeps_both: bool = False,
) -> Record:
    """Make a candidate a memory, reworded or of another kind where given, in place of `supersedes`.

    Without that it takes the place of what its words replace, unless `keeps_both`. Raises `EngramError` where it is
    no candidate any more, `UsageError` for an empty summary.
    """
    with Transaction(db):
        row = _require_candidate(db, record_id)
        changes: dict[str, Any] = {"status": "active", "confidence": 1.0, "trust": 1.0, "status_reason": ""}
        if _repeats(row["detail"], row["summary"]):
            row["detail"] = changes["detail"] = ""
        if summary is not None:
            changes["summary"], detail = split_text(summary)
            if not changes["summary"]:
                raise UsageError("an empty note says nothing")
            changes["detail"] = "\n\n".join(part for part in (detail, row["detail"]) if part)
        if kind is not None:
            changes["kind"] = check_kind(kind)
        if scope == "global":
            changes |= {"scope": "global", "project_id": 0, "branch": ""}
        records.update(db, record_id, changes, now_ms=now_ms, actor="person", action="accept")
        records.add_evidence(db, record_id, "person", "accepted", now_ms=now_ms)
        disputes.drop(db, record_id, now_ms=now_ms, actor="person")
        if supersedes is not None:
            verdict = Verdict("supersede", supersedes, reason="said to replace it")
        else:
            verdict = judge(db, records.read(db, record_id), actor="person", now_ms=now_ms)
        if verdict.action == "supersede" and not keeps_both:
            settle(db, record_id, verdict, actor="person", now_ms=now_ms)
        return from_row(records.read(db, record_id))


def list_quarantined(db: Connection, project_id: int) -> list[Record]:
    """What was put aside because it reads as an order to an agent, here and in the global layer, newest first."""
    projects = list(dict.fromkeys((project_id, 0)))
    return [
        from_row(row) for row in lookup.list_records(db, project_ids=projects, statuses=[records.QUARANTINED])
    ]


def release(db: Connection, record_id: int, *, now_ms: int) -> Record:
    """Tell a record again that was put aside. Raises `EngramError` where it is not."""
    with Transaction(db):
        row = records.read(db, record_id)
        if row["status"] != records.QUARANTINED:
            raise EngramError(
                f"{from_row(row).short_id} is not put aside: it is {row['status']}",
                hint=f"engram show {record_id}",
            )
        changes = {"status": "active", "status_reason": ""}
        records.update(db, record_id, changes, now_ms=now_ms, actor="person", action="release")
        records.add_evidence(db, record_id, "person", "released", now_ms=now_ms)
        return from_row(records.read(db, record_id))


def refuse(db: Connection, record_ids: Sequence[int], *, now_ms: int) -> None:
    """Never propose or release these again, nor propose anything that says the same in their project."""
    with Transaction(db):
        for record_id in record_ids:
            row = records.read(db, record_id)
            if row["status"] != records.QUARANTINED:
                _require_candidate(db, record_id)
            disputes.drop(db, record_id, now_ms=now_ms, actor="person")
            records.set_status(
                db, record_id, "retracted", now_ms=now_ms, actor="person", reason="refused in review"
            )
            bury_refused(db, row["project_id"], row["summary"], now_ms=now_ms)


def _repeats(quote: str, summary: str) -> bool:
    """Whether a quote says no more than its summary with some words before it, such as 'please'."""
    said, kept = normalise(quote), normalise(summary)
    return said.endswith(kept) and len(said) - len(kept) <= MAX_LEAD_CHARS


def _speaker(db: Connection, record_id: int) -> str:
    """Who said what a candidate was taken from: user or assistant; engram for what it noticed itself."""
    refs = [item["ref"] for item in lookup.list_evidence(db, record_id) if item["kind"] == "log"]
    line = log_search.find_line(db, refs[0]) if refs else None
    if line is None and records.read(db, record_id)["source"] == "consolidation":
        return "engram"
    return line["role"] if line else "user"


def _require_candidate(db: Connection, record_id: int) -> dict[str, Any]:
    row = records.read(db, record_id)
    if row["status"] not in WAITING:
        raise EngramError(
            f"{from_row(row).short_id} does not wait for a review: it is {row['status']}",
            hint=f"engram show {record_id}",
        )
    return row
