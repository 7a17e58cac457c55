"""What the brain's opinion on a new record may change: never what a person has to decide."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any

from engram_hooks.curate.brain.asking import Brain, Rehearsal, open_brain
from engram_hooks.curate.changes.candidates import PASSING, find_similar
from engram_hooks.curate.changes.claims import read_claims
from engram_hooks.curate.changes.judging import Verdict, find_restatements
from engram_hooks.curate.changes.risks import find_risk
from engram_hooks.curate.protection import is_protected
from engram_hooks.curate.record import short_id
from engram_hooks.store import lookup, records

if TYPE_CHECKING:
    from engram_hooks.curate.brain.answers import Ruling

ACTOR = "brain"
MIN_CONFIDENCE = 0.7
MAX_OLDS = 6
_REASONS = {
    "update": "says more of the same than",
    "merge": "says the same as",
    "supersede": "contradicts and replaces",
    "discard": "says nothing worth keeping",
    "needs_review": "is for a person to decide",
}

Adviser = Callable[[Mapping[str, Any], Verdict], Verdict]
"""From a row of `records` and the verdict that was found without a model, to the one that counts."""


def open_adviser(
    db: Connection,
    environ: Mapping[str, str],
    *,
    now_ms: int,
    data: str = "",
    rehearse: Rehearsal | None = None,
) -> Adviser | None:
    """The brain as an adviser; None where it is not to be asked now (see `open_brain`)."""
    brain = open_brain(db, environ, now_ms=now_ms, data=data, rehearse=rehearse)
    if brain is None:
        return None

    def give_advice(row: Mapping[str, Any], verdict: Verdict) -> Verdict:
        return advise(brain, row, verdict)

    return give_advice


def advise(brain: Brain, row: Mapping[str, Any], verdict: Verdict) -> Verdict:
    """The verdict about a record that has a row, after the brain was asked; the same where it has nothing to add.

    It is asked only where the rules found neither a repeat nor a contradiction though something like it is kept.
    """
    if verdict.action != "create" or row["kind"] in PASSING:
        return verdict
    claims = read_claims(row["summary"], row["kind"])
    olds = find_similar(brain.db, row, claims, statuses=records.TOLD, data=brain.data, environ=brain.environ)[
        :MAX_OLDS
    ]
    ruling = brain.resolve(row, olds) if olds else None
    if ruling is None or ruling.confidence < MIN_CONFIDENCE:
        return verdict
    olds = [
        old
        for old in lookup.read_many(brain.db, [old["id"] for old in olds])
        if old["status"] in records.TOLD
    ]
    if ruling.target_id is not None and all(old["id"] != ruling.target_id for old in olds):
        return verdict  # it is no longer told: the answer took a while
    also: Sequence[Mapping[str, Any]] = ()
    if ruling.action == "supersede":
        target = next(old for old in olds if old["id"] == ruling.target_id)
        told = set(find_restatements(brain.db, target)) - {row["id"]}
        also = [old for old in olds if old["id"] in told]
    return adopt(row, verdict, ruling, olds=olds, also=also)


def adopt(
    row: Mapping[str, Any],
    verdict: Verdict,
    ruling: Ruling,
    *,
    olds: Sequence[Mapping[str, Any]],
    also: Sequence[Mapping[str, Any]] = (),
) -> Verdict:
    """A ruling as a verdict: held back where it is about protected records or risky subjects.

    The reason is in words of our own: what the brain wrote may quote records.
    """
    target = next((old for old in olds if old["id"] == ruling.target_id), None)
    if ruling.action == "create" or (target and not _may_touch(row, target, ruling.action)):
        return verdict
    touched = [one for one in (target, *also) if one is not None]
    ids = tuple(one["id"] for one in also)
    name = f" {short_id(target['kind'], target['id'])}" if target and ruling.action != "discard" else ""
    reason = f"brain.command thinks it {_REASONS[ruling.action]}{name}"
    if ruling.action == "needs_review":
        return Verdict("needs_review", ruling.target_id, (), ruling.confidence, reason, held="create")
    why = forbid((row, *touched))
    if why:
        return Verdict(
            "needs_review",
            ruling.target_id,
            ids,
            ruling.confidence,
            f"{reason}; {why}",
            held=ruling.action,
        )
    return Verdict(ruling.action, ruling.target_id, ids, ruling.confidence, reason)


def forbid(rows: Sequence[Mapping[str, Any]]) -> str:
    """Why the brain changes none of these (kind, tags, is_pinned, summary) without a person; '' where it may."""
    risk = find_risk(" ".join(str(row["summary"]) for row in rows))
    if risk:
        return f"it is about {risk}"
    return "only a person changes such records" if any(map(is_protected, rows)) else ""


def _may_touch(row: Mapping[str, Any], target: Mapping[str, Any], action: str) -> bool:
    """Whether a record can go into another one, or in its place: of one sort for the one, not older for the other."""
    if action in ("update", "merge"):
        return bool(row["kind"] == target["kind"] and row["paths"] == target["paths"])
    return bool(action != "supersede" or row["valid_from"] >= target["valid_from"])
