"""Full-text candidates among the records that are told as true."""

from __future__ import annotations

from engram_hooks.store.boot import RECORD_COLUMNS, TOLD
from engram_hooks.store.matching import quote_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Connection
    from typing import Any

    Row = tuple[Any, ...]  # Any: the columns of one SQL row, in the order of recall.fields

# A hit in the summary says more than one in the tags, and that more than one in the detail.
WEIGHTS = "4.0, 1.0, 2.0"
_NAMED_COLUMNS = ", ".join("r." + name for name in RECORD_COLUMNS.split(", "))


def matching_records(db: Connection, terms: list[str], *, project_id: int, limit: int) -> list[Row]:
    """Records told as true that hold any of the terms, best first; the last column is bm25 (lower is better)."""
    if not terms:
        return []
    return db.execute(
        f"SELECT {_NAMED_COLUMNS}, bm25(records_fts, {WEIGHTS}) AS score"  # noqa: S608
        " FROM records_fts JOIN records r ON r.id = records_fts.rowid"
        f" WHERE records_fts MATCH ? AND r.project_id IN (?, 0) AND r.{TOLD} ORDER BY score LIMIT ?",
        (quote_terms(terms), project_id, limit),
    ).fetchall()


def told_records(db: Connection, record_ids: Sequence[int]) -> list[Row]:
    """The records of these ids that are told as true, in no order; the last column, bm25, is 0."""
    marks = ", ".join("?" * len(record_ids))
    return db.execute(
        f"SELECT {RECORD_COLUMNS}, 0.0 FROM records WHERE id IN ({marks}) AND {TOLD}",  # noqa: S608 (own names)
        tuple(record_ids),
    ).fetchall()
