"""The records that are told as true: those a session starts with, those that a prompt may need."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Connection
    from typing import Any

    Row = tuple[Any, ...]  # Any: the columns of one SQL row, in the order of recall.fields

# In the order of `recall.fields`.
RECORD_COLUMNS = "id, kind, scope, branch, summary, detail, tags, importance, looked_by, valid_from"
MIN_IMPORTANCE = 0.2
TOLD = "status IN ('active', 'compacted')"
# A hit in the summary says more than one in the tags, and that more than one in the detail.
WEIGHTS = "4.0, 1.0, 2.0"
_NAMED_COLUMNS = ", ".join("r." + name for name in RECORD_COLUMNS.split(", "))


def foremost_records(db: Connection, project_id: int, kinds: tuple[str, ...], *, per_kind: int) -> list[Row]:
    """At most `per_kind` records told as true of each kind, from the project and the global layer.

    Pinned ones come first, then by importance, then the newest; the index `records_told` gives this order. What is
    of less importance than `MIN_IMPORTANCE` is told when it is asked for, not at a start.
    """
    query = (
        f"SELECT {RECORD_COLUMNS} FROM records WHERE project_id = ? AND kind = ? AND {TOLD}"  # noqa: S608
        f" AND (importance >= {MIN_IMPORTANCE} OR is_pinned)"
        " ORDER BY is_pinned DESC, importance DESC, valid_from DESC LIMIT ?"
    )
    found: list[Row] = []
    for owner in dict.fromkeys((project_id, 0)):
        for kind in kinds:
            found += db.execute(query, (owner, kind, per_kind)).fetchall()
    return found


def branch_records(db: Connection, project_id: int, branch: str, *, limit: int) -> list[Row]:
    """At most `limit` records told as true that were made on a branch, the most important and newest first."""
    return db.execute(
        f"SELECT {RECORD_COLUMNS} FROM records WHERE project_id = ? AND branch = ? AND branch <> '' AND {TOLD}"  # noqa: S608
        " ORDER BY importance DESC, valid_from DESC LIMIT ?",
        (project_id, branch, limit),
    ).fetchall()


def count_told(db: Connection, project_id: int) -> int:
    """How many records of the project and the global layer are told as true."""
    row = db.execute(f"SELECT count(*) FROM records WHERE project_id IN (?, 0) AND {TOLD}", (project_id,))  # noqa: S608
    return int(row.fetchone()[0])


def project_name(db: Connection, project_id: int) -> str:
    """The name people gave the project, '' for the global layer."""
    row = db.execute("SELECT name FROM projects WHERE id = ?", (project_id,)).fetchone()
    return str(row[0]) if row else ""


def core_texts(db: Connection) -> list[tuple[str, str, int, int]]:
    """(name, entries one a line, size and mtime in ns of its file when looked at last), the user's block first."""
    return db.execute(
        "SELECT block, text, mirror_bytes, mirror_mtime_ns FROM core WHERE block IN ('user', 'agent')"
        " ORDER BY block DESC"
    ).fetchall()


def open_candidates(db: Connection, project_id: int, *, limit: int) -> list[str]:
    """Summaries of what was noticed in recent sessions and not captured yet, newest first."""
    rows = db.execute(
        "SELECT summary FROM records WHERE project_id = ? AND status = 'candidate'"
        " ORDER BY created_at DESC, id DESC LIMIT ?",
        (project_id, limit),
    )
    return [row[0] for row in rows]


def known_summaries(db: Connection, project_id: int, *, limit: int) -> list[str]:
    """Summaries of what is told as true here or was noticed in this project already, newest first."""
    rows = db.execute(
        "SELECT summary FROM records WHERE project_id IN (?1, 0) AND (status IN ('active', 'compacted')"
        " OR (project_id = ?1 AND status IN ('candidate', 'needs_review', 'retracted')))"
        " ORDER BY id DESC LIMIT ?2",
        (project_id, limit),
    )
    return [row[0] for row in rows]


def matching_records(db: Connection, terms: list[str], *, project_id: int, limit: int) -> list[Row]:
    """Records told as true that hold any of the terms, best first; the last column is bm25 (lower is better)."""
    if not terms:
        return []
    from engram_hooks.store.matching import quote_terms  # loaded already by whoever chose the terms

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
