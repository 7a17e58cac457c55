"""Which memories say the same, or nearly the same, as a new text."""

from __future__ import annotations

from collections.abc import Sequence
from sqlite3 import Connection
from typing import Any

from engram_hooks.store.lookup import read_many
from engram_hooks.store.matching import choose_terms
from engram_hooks.store.record_search import search_records
from engram_hooks.store.tombstones import normalise
from engram_hooks.terms import index_terms, query_terms

NEAR_SHARE = 0.5
MAX_NEAR = 3
_MAX_CANDIDATES = 24


def find_near(
    db: Connection,
    summary: str,
    *,
    project_ids: Sequence[int],
    statuses: Sequence[str] = ("active", "compacted"),
) -> list[tuple[float, dict[str, Any]]]:
    """Records nearest to `summary`: (share of equal words, row), nearest first; 1.0 says the same.

    Only those above `NEAR_SHARE`, at most `MAX_NEAR`.
    """
    terms = choose_terms(db, "records", query_terms(summary))
    found = search_records(db, terms, project_ids=project_ids, limit=_MAX_CANDIDATES, statuses=statuses)
    rows = {row["id"]: row for row in read_many(db, [item[0] for item in found])}
    shared = [(share_words(summary, row["summary"]), row) for row in rows.values()]
    near = [item for item in shared if item[0] >= NEAR_SHARE]
    return sorted(near, key=lambda item: (-item[0], -item[1]["id"]))[:MAX_NEAR]


def share_words(text: str, other: str) -> float:
    """The share of their words that both texts have, from 0 to 1; 1.0 only for the same text."""
    if normalise(text) == normalise(other):
        return 1.0
    own, others = set(index_terms(text).split()), set(index_terms(other).split())
    union = len(own | others)
    return min(0.99, len(own & others) / union) if union else 0.0
