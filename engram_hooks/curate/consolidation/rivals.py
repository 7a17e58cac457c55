"""Notes that seem to be about one thing: nothing is changed, a person is asked which of two holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engram_hooks.curate.changes.claims import read_claims
from engram_hooks.curate.changes.likeness import open_measure
from engram_hooks.curate.changes.resolve import SAME, relate
from engram_hooks.curate.consolidation.meaning import find_near
from engram_hooks.curate.consolidation.work import Change, StepReport
from engram_hooks.curate.protection import is_protected
from engram_hooks.store import meta, records, rivals, upkeep
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from engram_hooks.curate.consolidation.work import Work

    Row = Mapping[str, Any]

NAME = "rivals"
UNTIL_FACT = "consolidate:rivals_until"
# kinds whose text says what something is, and so may be out of date
KINDS = "fact", "decision", "architecture"
# of two notes on different things of one project hardly any are as alike as this
MIN_COSINE = 0.4
MIN_IMPORTANCE = 0.3
MAX_ASKED = 20
MAX_EACH = 2


def run(work: Work) -> StepReport:
    """Find for each note that is new since the last run those that are most like it, and ask which of them holds."""
    rows = upkeep.list_rows(work.db, records.TOLD, project_id=work.project_id)
    rows = [row for row in rows if row["kind"] in KINDS and row["importance"] >= MIN_IMPORTANCE]
    since = int(meta.get_fact(work.db, UNTIL_FACT) or -1)
    fresh = [row for row in rows if row["updated_at"] > since and row["id"] not in work.touched]
    pairs = list(_find_rivals(work, rows, fresh))[:MAX_ASKED]
    if not work.is_dry and fresh:
        with Transaction(work.db):
            rivals.put_rivals(work.db, pairs, now_ms=work.now_ms)
            if work.project_id is None:
                meta.set_fact(work.db, UNTIL_FACT, str(max(row["updated_at"] for row in fresh)))
    changes = tuple(
        Change(older, "asked about", f"may be out of date since {newer}", target_id=newer)
        for newer, older, _ in pairs
    )
    return StepReport(NAME, {"for you to decide": len(pairs)}, changes)


def _find_rivals(work: Work, rows: Sequence[Row], fresh: Sequence[Row]) -> Iterator[tuple[int, int, float]]:
    """(newer, older, cosine) of what is most alike, and not one note for it already, the most alike first."""
    by_id = {row["id"]: row for row in rows}
    with open_measure(work.environ) as measure:
        near = find_near(work, rows, fresh, within=("project_id",), floor=MIN_COSINE, per_row=MAX_EACH)
        pairs = {(min(first, second), max(first, second)): cosine for first, second, cosine in near}
        for (first, second), cosine in pairs.items():
            older, newer = sorted(
                (by_id[first], by_id[second]), key=lambda row: (row["valid_from"], row["id"])
            )
            claims = [read_claims(row["summary"], row["kind"]) for row in (newer, older)]
            is_same = relate(claims[0], claims[1], measure).kind == SAME
            # the same twice is merged elsewhere, where nothing protects it
            is_asked = not is_same or is_protected(newer) or is_protected(older)
            if older["branch"] == newer["branch"] and is_asked:
                yield newer["id"], older["id"], cosine
