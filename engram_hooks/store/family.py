"""How records stand to each other: what went into what, who said so, and the things that a record speaks of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from sqlite3 import Connection

_MAX_IDS = 500
# what a person has not accepted yet, or never will, stands in no tree
_HIDDEN = "('candidate', 'needs_review', 'quarantined')"


@dataclass(frozen=True, slots=True)
class Member:
    """One record in a tree; moments are in ms UTC.

    `after` is the record that it went into, `is_merged` whether as a part of it (else that one replaced it).
    """

    id: int
    kind: str
    summary: str
    status: str
    reason: str
    valid_from: int
    valid_to: int | None
    created_at: int
    after: int | None
    is_merged: bool


def list_members(db: Connection, project_ids: Iterable[int]) -> list[Member]:
    """All records of these projects that were taken, newest first."""
    projects = list(project_ids)
    rows = db.execute(
        "SELECT id, kind, summary, status, status_reason, valid_from, valid_to, created_at,"  # noqa: S608 (only marks)
        " coalesce(superseded_by, parent_id), superseded_by IS NULL AND parent_id IS NOT NULL FROM records"
        f" WHERE project_id IN ({_marks(projects)}) AND status NOT IN {_HIDDEN} ORDER BY valid_from DESC, id DESC",
        projects,
    )
    return [Member(*row) for row in rows]


def count_kinds(db: Connection, project_ids: Iterable[int]) -> list[tuple[str, str, int]]:
    """(kind, status, number of records) in these projects."""
    projects = list(project_ids)
    return db.execute(
        "SELECT kind, status, count(*) FROM records"  # noqa: S608 (only marks)
        f" WHERE project_id IN ({_marks(projects)}) AND status NOT IN {_HIDDEN} GROUP BY kind, status",
        projects,
    ).fetchall()


def read_actors(db: Connection, record_ids: Sequence[int]) -> dict[int, tuple[str, int]]:
    """Record -> (who put it out of force or into another one, when that was done), by its last such change."""
    found: dict[int, tuple[str, int]] = {}
    for start in range(0, len(record_ids), _MAX_IDS):
        part = record_ids[start : start + _MAX_IDS]
        rows = db.execute(
            "SELECT record_id, actor, created_at FROM audit"  # noqa: S608 (only marks)
            f" WHERE record_id IN ({_marks(part)}) AND action NOT IN ('add', 'edit', 'reinstate') ORDER BY id",
            part,
        )
        found.update((row[0], (row[1], row[2])) for row in rows)
    return found


def list_things(db: Connection, record_id: int) -> tuple[list[tuple[str, str]], list[tuple[str, str, str]]]:
    """((kind, name) of the things that a record speaks of, (thing, relation, thing) that it says of them)."""
    things = db.execute(
        "SELECT kind, name FROM mentions WHERE record_id = ? ORDER BY kind, name", (record_id,)
    ).fetchall()
    links = db.execute(
        "SELECT s.name, l.kind, t.name FROM relations l"
        " JOIN mentions s ON s.entity_id = l.source_id AND s.record_id = l.record_id"
        " JOIN mentions t ON t.entity_id = l.target_id AND t.record_id = l.record_id"
        " WHERE l.record_id = ? ORDER BY s.name, l.kind, t.name",
        (record_id,),
    ).fetchall()
    return things, links


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
