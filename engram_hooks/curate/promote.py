"""Carrying out what was decided about a text: one short transaction, every change in the book of changes."""

from __future__ import annotations

from collections.abc import Mapping
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any

from engram_hooks.curate.changes.judging import Verdict, judge
from engram_hooks.curate.lineage import ALSO_SAID, fold
from engram_hooks.curate.record import short_id
from engram_hooks.store import disputes, records
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from engram_hooks.curate.brain.rulings import Adviser

__all__ = "Verdict", "judge", "promote_candidate", "settle"


def promote_candidate(
    db: Connection,
    record_id: int,
    *,
    actor: str,
    now_ms: int,
    data: str = "",
    environ: Mapping[str, str] | None = None,
    advise: Adviser | None = None,
) -> Verdict:
    """Decide about a record that waits (a candidate, or one held back), and carry it out.

    `advise` is asked for another verdict on what was decided; what it changes is done in the name of the brain. That
    may take a while: a record that somebody dealt with meanwhile is left alone.
    """
    row = records.read(db, record_id)
    verdict = judge(
        db,
        row,
        actor=actor,
        now_ms=now_ms,
        project_ids=list(dict.fromkeys((row["project_id"], 0))),
        data=data,
        environ=environ,
    )
    advised = advise(row, verdict) if advise else verdict
    if advise and records.read(db, record_id)["status"] != row["status"]:
        return Verdict("discard", reason="it was dealt with while advice was asked")
    settle(db, record_id, advised, actor=actor if advised is verdict else "brain", now_ms=now_ms)
    return advised


def settle(db: Connection, record_id: int, verdict: Verdict, *, actor: str, now_ms: int) -> None:
    """Carry a verdict out for a record that has a row already."""
    with Transaction(db):
        row = records.read(db, record_id)
        if row["status"] == records.QUARANTINED:
            return
        if verdict.action == "needs_review":
            _hold_back(db, row, verdict, actor=actor, now_ms=now_ms)
            return
        if row["status"] == "needs_review":
            disputes.drop(db, record_id, now_ms=now_ms, actor=actor)
        if verdict.action == "discard":
            records.set_status(db, record_id, "archived", now_ms=now_ms, actor=actor, reason=verdict.reason)
            return
        records.set_status(db, record_id, "active", now_ms=now_ms, actor=actor)
        if verdict.action == "supersede":
            _supersede(db, row, verdict, actor=actor, now_ms=now_ms)
        elif verdict.action in ("merge", "update") and verdict.target_id is not None:
            _merge(db, row, verdict, actor=actor, now_ms=now_ms)


def _supersede(db: Connection, row: Mapping[str, Any], verdict: Verdict, *, actor: str, now_ms: int) -> None:
    how: dict[str, Any] = {"now_ms": now_ms, "actor": actor, "reason": verdict.reason}
    if verdict.is_late and verdict.target_id is not None:
        for overtaken_id in verdict.also:
            records.supersede(db, overtaken_id, row["id"], at_ms=row["valid_from"], **how)
        newer = records.read(db, verdict.target_id)
        records.supersede(db, row["id"], newer["id"], at_ms=newer["valid_from"], **how)
        return
    for old_id in (verdict.target_id, *verdict.also):
        if old_id is not None:
            records.supersede(db, old_id, row["id"], at_ms=row["valid_from"], **how)


def _merge(db: Connection, row: Mapping[str, Any], verdict: Verdict, *, actor: str, now_ms: int) -> None:
    """Let a record go into the one that says it already, which gets its words where it has others."""
    target_id = int(verdict.target_id or 0)
    fold(db, row["id"], target_id, reason=verdict.reason, now_ms=now_ms, actor=actor)
    if verdict.action == "update":
        target = records.read(db, target_id)
        detail = "\n".join(part for part in (target["detail"], ALSO_SAID + row["summary"]) if part)
        records.update(
            db,
            target_id,
            {"detail": detail},
            now_ms=now_ms,
            actor=actor,
            reason=f"takes in {row['id']}",
            action="merge",
        )


def _hold_back(db: Connection, row: Mapping[str, Any], verdict: Verdict, *, actor: str, now_ms: int) -> None:
    records.set_status(db, row["id"], "needs_review", now_ms=now_ms, actor=actor, reason=verdict.reason)
    for old_id in (verdict.target_id, *verdict.also):
        if old_id is not None:
            disputes.mark(db, old_id, short_id(row["kind"], row["id"]), now_ms=now_ms, actor=actor)
