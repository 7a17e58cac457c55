"""What becomes of a new text: create, update, merge, supersede, discard or needs_review, with a reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from sqlite3 import Connection
from typing import Any

from engram_hooks.curate.changes.candidates import PASSING, find_similar
from engram_hooks.curate.changes.claims import Claim, read_claims
from engram_hooks.curate.changes.likeness import open_measure
from engram_hooks.curate.changes.resolve import CHANGE, MAYBE, SAME, Relation, relate
from engram_hooks.curate.changes.risks import find_risk
from engram_hooks.curate.changes.subjects import Measure, liken
from engram_hooks.curate.nearness import find_near
from engram_hooks.curate.protection import is_protected
from engram_hooks.curate.record import short_id
from engram_hooks.store import lookup, records
from engram_hooks.store.tombstones import normalise

# whose word is a person's: what they bring replaces at once, whatever it is about
PEOPLE = "person", "import", "review"
MIN_CONFIDENCE = 0.7
# how alike the subjects of two records of one value are that go together
MIN_COMPANION = 0.3
_MAX_FOLLOWING = 8


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to do with a text, how sure that is (0 to 1) and why.

    action: create, update (the target gets its words), merge (the target says it already), supersede, discard,
    needs_review (`held` says what it would be). `also` are restatements of the target that retire with it. With
    `is_late` the text is older than the target, which closes it.
    """

    action: str
    target_id: int | None = None
    also: tuple[int, ...] = ()
    confidence: float = 1.0
    reason: str = ""
    is_late: bool = False
    held: str = ""
    near: tuple[int, ...] = field(default=())


CREATE = Verdict("create", reason="nothing like it is kept")


def judge(
    db: Connection,
    fields: Mapping[str, Any],
    *,
    actor: str,
    now_ms: int,
    project_ids: Sequence[int] = (),
    data: str = "",
    environ: Mapping[str, str] | None = None,
    measure: Measure | None = None,
) -> Verdict:
    """Decide about a text (columns of `records`: kind, project_id, summary, tags, valid_from, id where it has one).

    Only records of its own project, branch and scope are replaced; `project_ids` are looked at for exact repeats, too.
    `measure` spares opening one for each of many texts. Nothing is written.
    """
    claims = read_claims(fields["summary"], fields["kind"])
    rows = find_similar(db, fields, claims, statuses=records.TOLD, data=data, environ=environ)
    same = _find_repeat(db, fields, rows, project_ids)
    if same:
        return Verdict("discard", same["id"], reason=f"{_name(same)} says exactly this")
    if fields["kind"] in PASSING:
        return CREATE
    with nullcontext(measure) if measure else open_measure(environ) as likeness:
        found = _relate_all(fields, claims, rows, likeness, now_ms=now_ms)
        verdict = _decide(db, fields, found, rows=rows, measure=likeness)
    return verdict if actor in PEOPLE else _hold(verdict, fields, rows)


def _find_repeat(
    db: Connection, fields: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], project_ids: Sequence[int]
) -> Mapping[str, Any] | None:
    """The record of the same kind that says exactly this, in its own project or in others that are looked at."""
    others = [one for one in project_ids if one != fields["project_id"]]
    near = find_near(db, fields["summary"], project_ids=others) if others else []
    text = normalise(fields["summary"])
    return next(
        (
            row
            for row in (*rows, *(row for _, row in near))
            if normalise(row["summary"]) == text
            and row["kind"] == fields["kind"]
            and row["id"] != fields.get("id")
        ),
        None,
    )


@dataclass(frozen=True, slots=True)
class _Found:
    row: Mapping[str, Any]
    relation: Relation
    is_late: bool


def _relate_all(
    fields: Mapping[str, Any],
    claims: Sequence[Claim],
    rows: Sequence[Mapping[str, Any]],
    measure: Measure | None,
    *,
    now_ms: int,
) -> list[_Found]:
    """How the text stands to each row, strongest first; the later one of two is taken for the new one."""
    since = fields.get("valid_from") or now_ms
    subject = _subject_of(fields)
    found = []
    for row in rows:
        theirs = read_claims(row["summary"], row["kind"])
        is_late = row["valid_from"] > since
        later, earlier = (theirs, claims) if is_late else (claims, theirs)
        is_same = bool(subject and subject & _subject_of(row))
        relation = relate(later, earlier, measure, same_subject=is_same)
        if relation.kind:
            found.append(_Found(row, relation, is_late))
    return sorted(found, key=lambda one: (-one.relation.confidence, -one.row["valid_from"], -one.row["id"]))


def _subject_of(fields: Mapping[str, Any]) -> frozenset[str]:
    """The tags of more than one word: those that an import makes of a subject."""
    return frozenset(tag for tag in str(fields.get("tags") or "").split() if "-" in tag)


def _decide(
    db: Connection,
    fields: Mapping[str, Any],
    found: Sequence[_Found],
    *,
    rows: Sequence[Mapping[str, Any]],
    measure: Measure | None,
) -> Verdict:
    near = tuple(one.row["id"] for one in found)[:3]
    changes = [
        one for one in found if one.relation.kind == CHANGE and one.relation.confidence >= MIN_CONFIDENCE
    ]
    if changes:
        best = changes[0]
        also = [one.row["id"] for one in changes[1:]]
        if any(one.is_late for one in changes):
            return _close_late(db, fields, changes, measure)
        taken = {best.row["id"], *also}
        followers = find_followers(best.row, rows, measure)
        also += [row["id"] for row in followers if row["id"] not in taken]
        also += [row["id"] for row in _find_companions(found, changes, measure) if row["id"] not in also]
        return Verdict(
            "supersede",
            best.row["id"],
            tuple(also[:_MAX_FOLLOWING]),
            best.relation.confidence,
            best.relation.reason,
        )
    same = next((one for one in found if one.relation.kind == SAME and not one.is_late), None)
    if same and _may_merge(fields, same.row):
        action = "update" if _adds(fields["summary"], same.row) else "merge"
        reason = f"{same.relation.reason} as {_name(same.row)}"
        return Verdict(action, same.row["id"], (), same.relation.confidence, reason)
    return Verdict("create", near=near, reason="nothing that it repeats or replaces is kept")


def find_restatements(db: Connection, row: Mapping[str, Any]) -> tuple[int, ...]:
    """The told records that say the same as this one in other words."""
    claims = read_claims(row["summary"], row["kind"])
    rows = find_similar(db, row, claims, statuses=records.TOLD)
    with open_measure() as measure:
        return tuple(other["id"] for other in find_followers(row, rows, measure))[:_MAX_FOLLOWING]


def find_followers(
    target: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], measure: Measure | None
) -> list[Mapping[str, Any]]:
    """Those of some records that say the same as one that is replaced, and go with it."""
    claims, subject = read_claims(target["summary"], target["kind"]), _subject_of(target)
    out = []
    for row in rows:
        is_same = bool(subject and subject & _subject_of(row))
        theirs = read_claims(row["summary"], row["kind"])
        if row["id"] != target["id"] and relate(theirs, claims, measure, same_subject=is_same).kind == SAME:
            out.append(row)
    return out


def _find_companions(
    found: Sequence[_Found], changes: Sequence[_Found], measure: Measure | None
) -> list[Mapping[str, Any]]:
    """Records of the value that is gone whose subject is that of one that is replaced, in other words."""
    targets = [read_claims(one.row["summary"]) for one in changes]
    out = []
    for one in found:
        if one.relation.kind != MAYBE or one.is_late:
            continue
        claims = read_claims(one.row["summary"])
        names = [word for claim in claims for word in claim.names]
        if any(liken(claims, target, names, measure) >= MIN_COMPANION for target in targets):
            out.append(one.row)
    return out


def _close_late(
    db: Connection, fields: Mapping[str, Any], changes: Sequence[_Found], measure: Measure | None
) -> Verdict:
    """A text about the past: what came next closes it, and it closes what held until it began."""
    since = fields["valid_from"]
    best = min((one for one in changes if one.is_late), key=lambda one: one.row["valid_from"])
    chain = lookup.read_chain(db, best.row["id"])
    after = next((row for row in chain if row["valid_from"] > since), best.row)
    claims = read_claims(fields["summary"], fields["kind"])
    overtaken = [one.row["id"] for one in changes if not one.is_late]
    overtaken += [
        row["id"]
        for row in chain
        if row["superseded_by"] == after["id"]
        and row["valid_from"] < since < (row["valid_to"] or 0)
        and relate(claims, read_claims(row["summary"], row["kind"]), measure).kind != SAME
    ]
    reason = best.relation.reason
    return Verdict("supersede", after["id"], tuple(overtaken), best.relation.confidence, reason, is_late=True)


def _may_merge(fields: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    """Whether two records are of one sort, so that one may go into the other without a loss."""
    if fields.get("detail") or set(str(fields.get("tags") or "").split()) - set(row["tags"].split()):
        return False
    return bool(fields["kind"] == row["kind"] and (fields.get("paths") or "") == row["paths"])


def _adds(summary: str, row: Mapping[str, Any]) -> bool:
    """Whether a text has words that a record does not have."""
    known = {stem for part in (row["summary"], row["detail"]) for stem in _stems(part)}
    return bool(_stems(summary) - known)


def _stems(text: str) -> frozenset[str]:
    return frozenset().union(*(claim.subject for claim in read_claims(text)))


def _hold(verdict: Verdict, fields: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> Verdict:
    """What was only heard or worked out changes nothing that is protected or risky: a person decides."""
    if verdict.action not in ("supersede", "update"):
        return verdict
    touched = [row for row in rows if row["id"] in (verdict.target_id, *verdict.also)]
    risk = find_risk(" ".join([fields["summary"], *(row["summary"] for row in touched)]))
    guarded = next((row for row in touched if is_protected(row)), None)
    if verdict.action == "update":
        if not guarded:
            return verdict
        return Verdict("merge", verdict.target_id, (), verdict.confidence, verdict.reason)
    if not guarded and not risk:
        return verdict
    why = f"{_name(guarded)} changes by a person's word alone" if guarded else f"it is about {risk}"
    return Verdict(
        "needs_review",
        verdict.target_id,
        verdict.also,
        verdict.confidence,
        f"{verdict.reason}; {why}",
        is_late=verdict.is_late,
        held=verdict.action,
    )


def _name(row: Mapping[str, Any]) -> str:
    return short_id(row["kind"], row["id"])
