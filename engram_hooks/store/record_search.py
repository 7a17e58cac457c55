"""Full-text search over memories, now or as of a date."""

from __future__ import annotations

from engram_hooks.store.matching import quote_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from sqlite3 import Connection
    from typing import Any

    # (id, kind, scope, branch, summary, detail, tags, importance, looked_by, valid_from, bm25, status,
    #  valid_to, external_id, project_id): the columns of `recall.fields` and four more
    FoundRecord = tuple[Any, ...]  # Any: columns of one SQL row, each of its own type

STATUS, VALID_TO, EXTERNAL_ID, PROJECT_ID = range(11, 15)
WEIGHTS = 3.0, 1.0, 2.0
NOW = "active", "compacted"
# What was true once; candidates, quarantined and retracted records never were.
ONCE = "active", "compacted", "stale", "archived", "superseded", "expired"
_COLUMNS = (
    "r.id, r.kind, r.scope, r.branch, r.summary, r.detail, r.tags, r.importance, r.looked_by, r.valid_from,"
    " {} AS score, r.status, r.valid_to, r.external_id, r.project_id"
)


def search_records(
    db: Connection,
    terms: Sequence[str],
    *,
    project_ids: Iterable[int],
    limit: int,
    statuses: Sequence[str] = NOW,
    as_of_ms: int | None = None,
) -> list[FoundRecord]:
    """Records that hold at least one of `terms`, best by bm25 first.

    With `as_of_ms` those whose validity covers that moment, superseded since or not. bm25 is SQLite's:
    the lower, the better.
    """
    if not terms:
        return []
    where, values = _restrict(project_ids, statuses, as_of_ms)
    sql = (
        f"SELECT {_COLUMNS.format('bm25(records_fts, ?, ?, ?)')}"  # noqa: S608 (own column names)
        " FROM records_fts JOIN records r ON r.id = records_fts.rowid"
        f" WHERE records_fts MATCH ? AND {where} ORDER BY score, r.id DESC LIMIT ?"
    )
    return db.execute(sql, [*WEIGHTS, quote_terms(terms), *values, limit]).fetchall()


def read_records(
    db: Connection,
    record_ids: Sequence[int],
    *,
    project_ids: Iterable[int],
    statuses: Sequence[str] = NOW,
    as_of_ms: int | None = None,
) -> list[FoundRecord]:
    """Those of these records that `search_records` would find with the right words; their bm25 is 0."""
    if not record_ids:
        return []
    where, values = _restrict(project_ids, statuses, as_of_ms)
    sql = f"SELECT {_COLUMNS.format('0.0')} FROM records r WHERE r.id IN ({_marks(record_ids)}) AND {where}"  # noqa: S608
    return db.execute(sql, [*record_ids, *values]).fetchall()


def _restrict(
    project_ids: Iterable[int], statuses: Sequence[str], as_of_ms: int | None
) -> tuple[str, list[object]]:
    """The condition on `records r` and its values."""
    projects = list(project_ids)
    wanted = list(ONCE if as_of_ms is not None else statuses)
    where = f"r.project_id IN ({_marks(projects)}) AND r.status IN ({_marks(wanted)})"
    values: list[object] = [*projects, *wanted]
    if as_of_ms is not None:
        where += " AND r.valid_from <= ? AND (r.valid_to IS NULL OR r.valid_to > ?)"
        values += [as_of_ms, as_of_ms]
    return where, values


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
