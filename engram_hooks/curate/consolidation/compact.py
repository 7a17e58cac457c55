"""Many weak records on one subject become one: the strongest sentence first, the others as its detail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engram_hooks.curate.consolidation.decay import find_weak
from engram_hooks.curate.consolidation.work import ACTOR, Change, StepReport
from engram_hooks.curate.excerpt import cut_text
from engram_hooks.curate.lineage import put_under
from engram_hooks.curate.record import short_id
from engram_hooks.curate.strength import FLOOR
from engram_hooks.guard.firewall import name_order
from engram_hooks.guard.redact import redact
from engram_hooks.recall.fields import format_day
from engram_hooks.store import lookup, records, upkeep
from engram_hooks.terms import identifiers

if TYPE_CHECKING:
    from engram_hooks.curate.consolidation.work import Work

NAME = "compact"
MIN_RECORDS = 4
MAX_RECORDS = 12
CEILING = 2 * FLOOR  # what is weaker than this, but not yet forgotten
KINDS = "fact", "incident", "module", "reference", "insight"
_MAX_SUMMARY_CHARS = 240
_MAX_ITEM_CHARS = 300


def run(work: Work) -> StepReport:
    """Put groups of weak records of one kind, place and subject together; the parts are archived with their parent."""
    rows = upkeep.list_rows(work.db, ("active",), project_id=work.project_id)
    kept_apart = upkeep.restored_ids(work.db) | work.touched
    free = [row for row in rows if row["kind"] in KINDS and row["id"] not in kept_apart]
    groups = group_by_subject(find_weak(work, free, ceiling=CEILING))
    plan = [
        Change(ids[0], "compacted", f"{len(ids)} weak records on one subject: {', '.join(map(str, ids))}")
        for _, ids in groups
    ]
    if not work.is_dry:
        _look_ahead(work, groups)
    by_first = {ids[0]: (subject, ids) for subject, ids in groups}
    done, is_complete = work.write(plan, lambda change: _compact(work, *by_first[change.record_id]))
    for change in done:
        work.touched.update(by_first[change.record_id][1])
    parts = sum(len(by_first[change.record_id][1]) for change in done)
    return StepReport(NAME, {"compacted": len(done), "archived": parts}, done, is_complete=is_complete)


def group_by_subject(rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[int]]]:
    """(subject, record ids) of groups of at least `MIN_RECORDS`, the largest first; a record is in one group.

    Records of one kind, project, scope and branch share a subject where they have a tag, a path or an identifier
    in common.
    """
    members: dict[tuple[object, ...], list[int]] = {}
    for row in rows:
        place = (row["kind"], row["project_id"], row["scope"], row["branch"])
        for subject in dict.fromkeys(
            (*row["tags"].split(), *row["paths"].split("\n"), *identifiers(row["summary"]))
        ):
            if subject:
                members.setdefault((*place, subject), []).append(row["id"])
    out: list[tuple[str, list[int]]] = []
    taken: set[int] = set()
    for key, ids in sorted(members.items(), key=lambda item: (-len(item[1]), str(item[0]))):
        left = sorted(record_id for record_id in ids if record_id not in taken)[:MAX_RECORDS]
        if len(left) >= MIN_RECORDS:
            taken.update(left)
            out.append((str(key[-1]), left))
    return out


def _look_ahead(work: Work, groups: Sequence[tuple[str, list[int]]]) -> None:
    """Check the texts to come before the store is locked: the first time loads what the check needs."""
    for subject, ids in groups[: work.max_changes]:
        if not work.may_go_on():
            return
        fields = _put_together(subject, lookup.read_many(work.db, ids))
        name_order(redact(f"{fields['summary']}\n\n{fields['detail']}"))


def _compact(work: Work, subject: str, ids: Sequence[int]) -> bool:
    rows = [row for row in lookup.read_many(work.db, ids) if row["status"] == "active"]
    if len(rows) < MIN_RECORDS:
        return False
    reason = f"takes in {', '.join(str(row['id']) for row in rows)}"
    fields = _put_together(subject, rows)
    parent_id = records.insert(work.db, fields, now_ms=work.now_ms, actor=ACTOR, reason=reason)
    for row in rows:
        put_under(
            work.db,
            row["id"],
            parent_id,
            reason=f"went into {parent_id}",
            now_ms=work.now_ms,
            actor=ACTOR,
        )
    return True


def _put_together(subject: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The columns of the record that several go into: the strongest says what it is about, all are its detail."""
    first = min(rows, key=lambda row: (-row["importance"], -row["use_count"], -row["valid_from"]))
    lines = [
        f"- {format_day(row['valid_from'], 0)}: {cut_text(row['summary'], _MAX_ITEM_CHARS)}"
        f" [{short_id(row['kind'], row['id'])}]"
        for row in sorted(rows, key=lambda row: (row["valid_from"], row["id"]))
    ]
    return {
        **{name: first[name] for name in ("kind", "project_id", "scope", "branch", "paths", "importance")},
        "summary": cut_text(f"{subject}: {first['summary']}", _MAX_SUMMARY_CHARS),
        "detail": "\n".join(lines),
        "tags": " ".join(dict.fromkeys(tag for row in rows for tag in row["tags"].split())),
        "status": "compacted",
        "trust": min(row["trust"] for row in rows),
        "confidence": min(row["confidence"] for row in rows),
        "valid_from": min(row["valid_from"] for row in rows),
        "use_count": sum(row["use_count"] for row in rows),
        "source": ACTOR,
    }
