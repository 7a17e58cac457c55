"""Who changed records of some kinds, and which records are put away: for checks of what curation may do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Connection


def count_of_kinds(db: Connection, kinds: Sequence[str]) -> int:
    """How many records of these kinds there are, whatever became of them."""
    row = db.execute(f"SELECT count(*) FROM records WHERE kind IN ({_marks(kinds)})", tuple(kinds))  # noqa: S608
    return int(row.fetchone()[0])


def count_changed(
    db: Connection, kinds: Sequence[str], *, but_by: Sequence[str], but_for: Sequence[str]
) -> int:
    """How many records of these kinds somebody changed, actors and actions that do not count left out."""
    row = db.execute(
        "SELECT count(DISTINCT a.record_id) FROM audit a JOIN records r ON r.id = a.record_id"  # noqa: S608
        f" WHERE r.kind IN ({_marks(kinds)}) AND a.actor NOT IN ({_marks(but_by)})"
        f" AND a.action NOT IN ({_marks(but_for)})",
        (*kinds, *but_by, *but_for),
    ).fetchone()
    return int(row[0])


def list_put_away(db: Connection) -> list[tuple[int, str]]:
    """(id, summary) of the records that were told once and are put away; proposals are none of them."""
    return db.execute(
        "SELECT id, summary FROM records WHERE status IN ('archived', 'expired', 'stale') AND source <> 'log'"
    ).fetchall()


def _marks(values: Sequence[str]) -> str:
    return ", ".join("?" * len(values))
