"""Branches on which records were made, and what became of them."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite3 import Connection
    from typing import Any

OPEN, MERGED, GONE = "open", "merged", "gone"
_COLUMNS = "name, tip, state, has_own, merged_as, merged_how, merged_at, is_kept, seen_at"


@dataclass(frozen=True, slots=True)
class Branch:
    """One branch: where it was seen last, open, merged (by which commit, how, when in ms UTC) or gone unmerged.

    `has_own` says that it had commits which the mainline had not, `is_kept` that a person wants its records to
    stay on it after the merge.
    """

    name: str
    tip: str = ""
    state: str = OPEN
    has_own: bool = False
    merged_as: str = ""
    merged_how: str = ""
    merged_at: int | None = None
    is_kept: bool = False
    seen_at: int = 0


def read_branches(db: Connection, project_id: int) -> dict[str, Branch]:
    """What is known of a project's branches, by name."""
    rows = db.execute(f"SELECT {_COLUMNS} FROM branches WHERE project_id = ?", (project_id,))  # noqa: S608
    return {row[0]: _read(row) for row in rows}


def _read(row: tuple[Any, ...]) -> Branch:
    name, tip, state, has_own, merged_as, merged_how, merged_at, is_kept, seen_at = row
    return Branch(name, tip, state, bool(has_own), merged_as, merged_how, merged_at, bool(is_kept), seen_at)


def put_branch(db: Connection, project_id: int, branch: Branch) -> None:
    """Write what is known of a branch, whatever that was. The caller holds the transaction."""
    db.execute(
        f"INSERT OR REPLACE INTO branches (project_id, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
        (project_id, *astuple(branch)),
    )


def count_records(db: Connection, project_id: int) -> dict[str, tuple[int, int]]:
    """Branch -> (records that were made on it and wait there, the moment of the first) by name."""
    rows = db.execute(
        "SELECT branch, count(*), min(created_at) FROM records WHERE project_id = ? AND branch <> ''"
        " AND status NOT IN ('retracted', 'quarantined') GROUP BY branch ORDER BY branch",
        (project_id,),
    )
    return {str(name): (int(count), int(first)) for name, count, first in rows}


def list_ids(db: Connection, project_id: int, branch: str) -> list[int]:
    """The records that were made on a branch and wait there, oldest first."""
    rows = db.execute(
        "SELECT id FROM records WHERE project_id = ? AND branch = ? ORDER BY id", (project_id, branch)
    )
    return [int(number) for (number,) in rows]
