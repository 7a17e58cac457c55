"""What a repository is like, by its index: hot couplings, load-bearing files, churn, and how old the index is."""

from __future__ import annotations

import os
from dataclasses import dataclass
from sqlite3 import Connection

from engram_hooks.store import index_commits, index_figures, index_queries
from engram_hooks.store.index_figures import Bearing, Churn, Pair

MIN_SUPPORT = 3
MIN_SCORE = 0.03
MAX_HIDDEN = 20
MAX_GRAPH = 120
MAX_LISTED = 15


@dataclass(frozen=True, slots=True)
class Inspection:
    """What was found; `hidden` are the strongest pairs without an import, `pairs` the strongest of all, each once.

    Moments are ms UTC, sizes bytes.
    """

    head: str
    is_shallow: bool
    indexed_at: int
    age_s: int
    size_bytes: int
    commits: int
    files: int
    symbols: int
    hidden: tuple[Pair, ...]
    pairs: tuple[Pair, ...]
    load_bearing: tuple[Bearing, ...]
    churn: tuple[Churn, ...]


def inspect(db: Connection, path: str, *, now_ms: int) -> Inspection:
    """Look at an index as a whole; `path` is its file."""
    commits, files, symbols = index_queries.count_in_head(db)
    indexed_at = int(index_commits.read_fact(db, "indexed_at") or 0)
    return Inspection(
        head=index_commits.read_fact(db, "symbols_head"),
        is_shallow=bool(index_commits.read_fact(db, "is_shallow")),
        indexed_at=indexed_at,
        age_s=max(0, (now_ms - indexed_at) // 1000),
        size_bytes=sum(os.stat(name).st_size for name in (path, f"{path}-wal") if os.path.exists(name)),
        commits=commits,
        files=files,
        symbols=symbols,
        hidden=_list_pairs(db, hidden_only=True, limit=MAX_HIDDEN),
        pairs=_list_pairs(db, hidden_only=False, limit=MAX_GRAPH),
        load_bearing=tuple(index_figures.list_bearing(db, limit=MAX_LISTED)),
        churn=tuple(index_figures.list_churn(db, limit=MAX_LISTED)),
    )


def _list_pairs(db: Connection, *, hidden_only: bool, limit: int) -> tuple[Pair, ...]:
    """The strongest pairs, each in its stronger direction."""
    found: dict[frozenset[str], Pair] = {}
    for pair in index_figures.list_pairs(
        db, min_support=MIN_SUPPORT, hidden_only=hidden_only, limit=2 * limit
    ):
        found.setdefault(frozenset((pair.path, pair.other)), pair)
    return tuple(pair for pair in found.values() if pair.score >= MIN_SCORE)[:limit]
