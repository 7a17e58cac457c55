"""Duplicates become one: told records that say the same, found by their words and by their meaning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engram_hooks.curate.consolidation.work import ACTOR, Change, StepReport
from engram_hooks.curate.lineage import fold
from engram_hooks.curate.protection import is_protected
from engram_hooks.curate.sameness import Sense, read_sense, says_same
from engram_hooks.store import meta, records, upkeep
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from engram_hooks.curate.consolidation.work import Work

NAME = "merge"
UNTIL_FACT = "consolidate:merged_until"
MAX_NEW = 4_000  # records a run compares with all others
MIN_COSINE = 0.8
_PER_ROW = 8
_PLACE = "kind", "project_id", "scope", "branch", "paths"
_MAX_COMMON = 200  # a word that more records have than this finds no duplicate by itself


def run(work: Work) -> StepReport:
    """Merge what says the same: the weaker record is archived with its parent. Protected ones are proposed only."""
    rows = upkeep.list_rows(work.db, records.TOLD, project_id=work.project_id)
    rows = [row for row in rows if row["id"] not in work.touched]
    since = int(meta.get_fact(work.db, UNTIL_FACT) or -1)
    fresh = sorted((row for row in rows if row["updated_at"] > since), key=lambda row: row["updated_at"])
    part = fresh[:MAX_NEW]
    pairs = find_same(rows, {row["id"] for row in part}, near=_find_near(work, rows, part))
    kept_apart = upkeep.restored_ids(work.db)
    plan, proposed = _plan(pairs, kept_apart)
    done, is_complete = work.write(plan, lambda change: _fold(work, change))
    is_complete = is_complete and len(part) == len(fresh)
    if is_complete and not work.is_dry and work.project_id is None:
        _remember(work, part)
    counts = {"merged": len(done), "for you to decide": len(proposed)}
    return StepReport(NAME, counts, (*done, *proposed), is_complete=is_complete)


def find_same(
    rows: Sequence[Mapping[str, Any]], fresh: set[int], *, near: Iterable[tuple[int, int]] = ()
) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Pairs of records of one kind and place that say the same, one of them fresh: (the stronger, the weaker).

    `near` are pairs of ids that are near in meaning; others are found by the words they share.
    """
    by_id = {row["id"]: row for row in rows}
    senses = {row["id"]: read_sense(row["summary"]) for row in rows}
    found = {
        (min(pair), max(pair))
        for pair in (*near, *_share_words(rows, senses, fresh))
        if pair[0] != pair[1] and pair[0] in by_id and pair[1] in by_id
    }
    out = []
    for first, second in sorted(found):
        own, other = by_id[first], by_id[second]
        if all(own[name] == other[name] for name in _PLACE) and says_same(senses[first], senses[second]):
            out.append((own, other) if _rank(own) >= _rank(other) else (other, own))
    return out


def _share_words(
    rows: Sequence[Mapping[str, Any]], senses: Mapping[int, Sense], fresh: set[int]
) -> Iterable[tuple[int, int]]:
    """Pairs that share their rarest words, of records of one project and kind."""
    places: dict[tuple[int, str, str], list[int]] = {}
    for row in rows:
        for term in senses[row["id"]].terms:
            places.setdefault((row["project_id"], row["kind"], term), []).append(row["id"])
    for row in rows:
        if row["id"] not in fresh:
            continue
        lists = sorted(
            (places[row["project_id"], row["kind"], term] for term in senses[row["id"]].terms), key=len
        )
        for ids in lists[:3]:
            if len(ids) <= _MAX_COMMON:
                yield from ((row["id"], other) for other in ids)


def _rank(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """What makes one of two records the one that stays: a person's word, use, evidence, fullness, age."""
    is_said = row["source"] in ("person", "import")
    return (
        row["is_pinned"],
        is_said,
        row["use_count"],
        row["evidence_count"],
        len(row["summary"]),
        -row["id"],
    )


def _plan(
    pairs: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]], kept_apart: frozenset[int]
) -> tuple[list[Change], list[Change]]:
    """(merges, proposals): a record goes into one other at most, and one that goes takes in none."""
    plan: list[Change] = []
    proposed: list[Change] = []
    gone: set[int] = set()
    staying: set[int] = set()
    for parent, child in pairs:
        if kept_apart & {parent["id"], child["id"]}:
            continue
        if is_protected(parent) or is_protected(child):
            reason = "says the same; a person decides"
            proposed.append(Change(child["id"], "proposed", reason, target_id=parent["id"]))
        elif child["id"] not in gone | staying and parent["id"] not in gone:
            gone.add(child["id"])
            staying.add(parent["id"])
            reason = f"says the same as {parent['id']}"
            plan.append(Change(child["id"], "merged", reason, target_id=parent["id"]))
    return plan, proposed


def _fold(work: Work, change: Change) -> bool:
    assert change.target_id is not None
    return fold(
        work.db,
        change.record_id,
        change.target_id,
        reason=change.reason,
        now_ms=work.now_ms,
        actor=ACTOR,
    )


def _find_near(
    work: Work, rows: Sequence[Mapping[str, Any]], fresh: Sequence[Mapping[str, Any]]
) -> list[tuple[int, int]]:
    """Pairs that are near in meaning, one of them fresh; none where vectors are off or not made yet."""
    from engram_hooks.embed.nearest import is_off

    if is_off(work.environ) or not fresh:
        return []
    from engram_hooks.curate.consolidation.meaning import read_vectors
    from engram_hooks.embed.pairs import find_pairs

    out: list[tuple[int, int]] = []
    projects: dict[tuple[int, str], list[int]] = {}
    for row in rows:
        projects.setdefault((row["project_id"], row["kind"]), []).append(row["id"])
    stored = read_vectors(work, sorted({row["project_id"] for row in fresh}))
    wanted = {row["id"] for row in fresh}
    for ids in projects.values():
        own = {record_id: stored[record_id] for record_id in ids if record_id in stored}
        found = find_pairs(own, [i for i in own if i in wanted], floor=MIN_COSINE, per_row=_PER_ROW)
        out += [(first, second) for first, second, _ in found]
    return out


def _remember(work: Work, part: Sequence[Mapping[str, Any]]) -> None:
    if part:
        with Transaction(work.db):
            meta.set_fact(work.db, UNTIL_FACT, str(max(row["updated_at"] for row in part)))
