"""What an index holds as a whole: its couplings, load-bearing files, how often files changed, what it stands at."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engram_hooks.store.index_briefs import unpack_lines
from engram_hooks.store.index_files import read_path

if TYPE_CHECKING:
    from sqlite3 import Connection

_PAIRS = (
    "SELECT f.path, g.path, p.score, p.support, p.total, p.is_hidden, p.speaks FROM partners AS p"
    " JOIN files AS f ON f.id = p.file_id JOIN files AS g ON g.id = p.other_id"
    " WHERE f.blob IS NOT NULL AND g.blob IS NOT NULL AND p.support >= ? AND p.is_hidden >= ?"
    " ORDER BY p.score DESC, f.path, g.path LIMIT ?"
)
_CHURN = (
    "SELECT f.path, count(*) AS commits, sum(c.added_count), sum(c.removed_count), max(t.committed_at)"
    " FROM file_changes AS c JOIN commits AS t ON t.id = c.commit_id JOIN files AS f ON f.id = c.file_id"
    " WHERE t.is_in_head AND NOT t.is_bulk AND f.blob IS NOT NULL"
    " AND f.role NOT IN ('lock', 'generated', 'vendored')"
    " GROUP BY f.id ORDER BY commits DESC, f.path LIMIT ?"
)


class Pair(NamedTuple):
    """Two files that change together, seen from `path`."""

    path: str
    other: str
    score: float
    support: int
    total: int
    is_hidden: bool
    speaks: bool


class Bearing(NamedTuple):
    """A file with lines that fixes wrote: how many lines, of how many commits."""

    path: str
    lines: int
    commits: int


class Churn(NamedTuple):
    """How often a file of the head changed under its present name; the last time in ms UTC."""

    path: str
    commits: int
    added: int
    removed: int
    last_at: int


def list_pairs(db: Connection, *, min_support: int, hidden_only: bool, limit: int) -> list[Pair]:
    """The strongest pairs; both directions of one may be there."""
    rows = db.execute(_PAIRS, (min_support, hidden_only, limit))
    return [
        Pair(read_path(path), read_path(other), score, support, total, bool(is_hidden), bool(speaks))
        for path, other, score, support, total, is_hidden, speaks in rows
    ]


def list_bearing(db: Connection, *, limit: int) -> list[Bearing]:
    """The files with most lines that fixes wrote."""
    lines: dict[str, set[int]] = {}
    commits: dict[str, int] = {}
    for key, packed in db.execute(
        "SELECT f.path, g.lines FROM guards AS g JOIN files AS f ON f.id = g.file_id"
        " WHERE f.blob IS NOT NULL AND length(g.lines) > 0"
    ):
        path = read_path(key)
        lines.setdefault(path, set()).update(line for line, _ in unpack_lines(packed))
        commits[path] = commits.get(path, 0) + 1
    found = [Bearing(path, len(own), commits[path]) for path, own in lines.items()]
    return sorted(found, key=lambda one: (-one.lines, one.path))[:limit]


def list_churn(db: Connection, *, limit: int) -> list[Churn]:
    """The files that changed in most commits, bulk changes left out."""
    return [Churn(read_path(row[0]), *row[1:]) for row in db.execute(_CHURN, (limit,))]
