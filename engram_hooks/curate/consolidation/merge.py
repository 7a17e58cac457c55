"""Duplicates become one: told records that say the same, found by their words and by their meaning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engram_hooks.curate.brain.rulings import forbid
from engram_hooks.curate.changes.claims import read_claims
from engram_hooks.curate.changes.likeness import open_measure
from engram_hooks.curate.changes.resolve import SAME, relate
from engram_hooks.curate.consolidation import brain
from engram_hooks.curate.consolidation.meaning import find_near
from engram_hooks.curate.consolidation.work import ACTOR, Change, StepReport
from engram_hooks.curate.lineage import fold
from engram_hooks.curate.protection import is_protected
from engram_hooks.curate.sameness import Reader, WordIndex, is_at_odds, says_same
from engram_hooks.store import meta, records, upkeep
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from engram_hooks.curate.consolidation.work import Work

    Row = Mapping[str, Any]

NAME = "merge"
UNTIL_FACT = "consolidate:merged_until"
MAX_NEW = 4_000  # records a run compares with all others
MIN_COSINE = 0.7
MAX_PAIRS = 2_000  # near in meaning, of which a run compares the claims
MAX_ASKED = 5  # pairs that a brain is asked about
_PER_ROW = 5
_PLACE = "kind", "project_id", "scope", "branch", "paths"


def run(work: Work) -> StepReport:
    """Merge what says the same: the weaker record is archived with its parent. Protected ones are proposed only."""
    rows = upkeep.list_rows(work.db, records.TOLD, project_id=work.project_id)
    rows = [row for row in rows if row["id"] not in work.touched]
    since = tuple(map(int, (meta.get_fact(work.db, UNTIL_FACT) or "-1 0").split()))
    fresh = sorted((row for row in rows if _moment_of(row) > since), key=_moment_of)
    part = fresh[:MAX_NEW]
    # what a person has to decide is named until they did
    wanted = {row["id"] for row in rows if is_protected(row)} | {row["id"] for row in part}
    near = [
        pair[:2]
        for pair in find_near(
            work, rows, part, within=("project_id", "kind"), floor=MIN_COSINE, per_row=_PER_ROW
        )[:MAX_PAIRS]
    ]
    pairs = [*find_same(rows, wanted, reader=work.reader, near=near), *_ask_brain(work, rows, near)]
    plan, proposed = _plan(pairs, upkeep.restored_ids(work.db))
    done, is_written = work.write(plan, lambda change: _fold(work, change))
    if is_written and part and not work.is_dry and work.project_id is None:
        with Transaction(work.db):
            meta.set_fact(work.db, UNTIL_FACT, " ".join(map(str, _moment_of(part[-1]))))
    counts = {"merged": len(done), "for you to decide": len(proposed)}
    is_complete = is_written and len(part) == len(fresh)
    return StepReport(NAME, counts, (*done, *proposed), is_complete=is_complete)


def find_same(
    rows: Sequence[Row], fresh: set[int], *, reader: Reader, near: Iterable[tuple[int, int]] = ()
) -> list[tuple[Row, Row]]:
    """Pairs of records of one kind and place that say the same, one of them fresh: (the stronger, the weaker).

    They are found by the words that they share; of those that only mean the same, `near` has the ids.
    """
    by_id = {row["id"]: row for row in rows}
    index = WordIndex()
    for row in rows:
        index.add(_place_of(row), row["id"], reader.read(row["summary"]))
    found: set[tuple[int, int]] = set()
    for record_id in fresh & by_id.keys():
        row = by_id[record_id]
        sense = reader.read(row["summary"])
        for other in index.find(_place_of(row), sense):
            if other != record_id and says_same(sense, reader.read(by_id[other]["summary"])):
                found.add((min(record_id, other), max(record_id, other)))
    found.update(_compare_claims(by_id, near, reader))
    return [_order(by_id[first], by_id[second]) for first, second in sorted(found)]


def _compare_claims(
    by_id: Mapping[int, Row], near: Iterable[tuple[int, int]], reader: Reader
) -> Iterator[tuple[int, int]]:
    """Those pairs that are near in meaning and claim the same of the same subject, with the same figures."""
    with open_measure() as measure:
        for pair in sorted({(min(pair), max(pair)) for pair in near}):
            if pair[0] not in by_id or pair[1] not in by_id:
                continue
            own, other = (by_id[record_id] for record_id in pair)
            if _place_of(own) != _place_of(other) or is_at_odds(
                reader.read(own["summary"]), reader.read(other["summary"])
            ):
                continue
            earlier, later = sorted((own, other), key=lambda row: (row["valid_from"], row["id"]))
            claims = [read_claims(row["summary"], row["kind"]) for row in (later, earlier)]
            if relate(claims[0], claims[1], measure).kind == SAME:
                yield pair


def _ask_brain(work: Work, rows: Sequence[Row], near: Sequence[tuple[int, int]]) -> Iterator[tuple[Row, Row]]:
    """Those of the nearest pairs that the user's own model calls a repetition; none without one."""
    by_id = {row["id"]: row for row in rows}
    asked = 0
    for pair in sorted({(min(pair), max(pair)) for pair in near}):
        own, other = (by_id[record_id] for record_id in pair)
        is_open = not forbid((own, other)) and _place_of(own) == _place_of(other)
        if not is_open or asked == MAX_ASKED:
            continue
        asked += 1
        later, earlier = sorted((own, other), key=lambda row: (-row["valid_from"], -row["id"]))
        answer = brain.is_repetition(work, later, earlier)
        if answer is None:
            return
        if answer:
            yield _order(own, other)


def _order(own: Row, other: Row) -> tuple[Row, Row]:
    """(the stronger, the weaker) of two."""
    return (own, other) if _rank(own) >= _rank(other) else (other, own)


def _moment_of(row: Row) -> tuple[int, int]:
    return row["updated_at"], row["id"]


def _place_of(row: Row) -> tuple[object, ...]:
    return tuple(row[name] for name in _PLACE)


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
