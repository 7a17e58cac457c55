"""What of the code records speak of: rows as they are kept, and the records that are still to be read for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engram_hooks.guard.redact import redact
from engram_hooks.jsontext import mend

if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Connection
    from typing import Any

FILE, GLOB, SYMBOL, LINES, COMMIT = "file", "glob", "symbol", "lines", "commit"
THERE, GONE, WAIVED, NEW = "there", "gone", "waived", "new"
GIVEN, PATHS, SUMMARY, DETAIL = "given", "paths", "summary", "detail"
_COLUMNS = "kind, ref, place, source, blob, content, state, reason"
_KEPT = "r.status IN ('active', 'compacted', 'stale')"


@dataclass(frozen=True, slots=True)
class Anchor:
    """One thing that a record speaks of: as it was named (`ref`), where it is now (`place`), and whether it is there.

    `source` says where the record names it, `blob` what its file was when it was last found, `content` what the
    lines or the commit were.
    """

    kind: str
    ref: str
    place: str
    source: str
    blob: str = ""
    content: str = ""
    state: str = THERE
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Anchored:
    """A record that is to be read for anchors, or checked by them: its columns as far as these decide."""

    id: int
    kind: str
    branch: str
    status: str
    summary: str
    detail: str
    paths: str
    tags: str
    is_pinned: int
    created_at: int


_RECORD = "r.id, r.kind, r.branch, r.status, r.summary, r.detail, r.paths, r.tags, r.is_pinned, r.created_at"


def list_unread(
    db: Connection, project_id: int, *, after: int, limit: int, with_waiting: bool
) -> list[Anchored]:
    """Records of a project that are still to be read, in the order of their ids from `after` on.

    With `with_waiting` also those that were read and name a file that was not there then.
    """
    rows = db.execute(
        f"SELECT {_RECORD} FROM anchor_todo t JOIN records r ON r.id = t.record_id"  # noqa: S608 (own names)
        " WHERE r.project_id = ? AND t.record_id > ? AND t.is_waiting <= ? ORDER BY r.id LIMIT ?",
        (project_id, after, int(with_waiting), limit),
    )
    return [Anchored(*row) for row in rows]


def list_waiting(db: Connection, record_ids: Sequence[int]) -> set[int]:
    """Those of some records that were read and name a file that was not there then."""
    found = "SELECT 1 FROM anchor_todo WHERE record_id = ? AND is_waiting"
    return {number for number in record_ids if db.execute(found, (number,)).fetchone()}


def has_any(db: Connection, project_id: int) -> bool:
    """Whether a project has records with anchors, or some that are still to be read."""
    found = "SELECT 1 FROM {} a JOIN records r ON r.id = a.record_id WHERE r.project_id = ? LIMIT 1"
    tables = "anchors", "anchor_todo"
    return any(db.execute(found.format(table), (project_id,)).fetchone() for table in tables)


def list_anchored(db: Connection, project_id: int, *, after: int, limit: int) -> list[Anchored]:
    """Records of a project with anchors that are told, or stale, in the order of their ids from `after` on."""
    rows = db.execute(
        f"SELECT {_RECORD} FROM records r WHERE r.project_id = ? AND r.id > ? AND {_KEPT}"  # noqa: S608 (own names)
        " AND EXISTS (SELECT 1 FROM anchors a WHERE a.record_id = r.id) ORDER BY r.id LIMIT ?",
        (project_id, after, limit),
    )
    return [Anchored(*row) for row in rows]


def read_records(db: Connection, record_ids: Sequence[int]) -> list[Anchored]:
    """Records as they are read for anchors, those that there are."""
    found = (
        db.execute(f"SELECT {_RECORD} FROM records r WHERE r.id = ?", (number,)).fetchone()  # noqa: S608 (own names)
        for number in record_ids
    )
    return [Anchored(*row) for row in found if row]


def list_commits(db: Connection, project_id: int) -> list[Anchor]:
    """The anchors of a project's records that are commits."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM anchors a WHERE a.kind = 'commit' AND EXISTS"  # noqa: S608 (own names)
        " (SELECT 1 FROM records r WHERE r.id = a.record_id AND r.project_id = ?)",
        (project_id,),
    )
    return [Anchor(*row) for row in rows]


def read_anchors(db: Connection, record_ids: Sequence[int]) -> dict[int, list[Anchor]]:
    """Record -> its anchors in the order in which they were found."""
    found: dict[int, list[Anchor]] = {number: [] for number in record_ids}
    for start in range(0, len(record_ids), 500):
        part = record_ids[start : start + 500]
        marks = ", ".join("?" * len(part))
        rows = db.execute(
            f"SELECT record_id, {_COLUMNS} FROM anchors WHERE record_id IN ({marks}) ORDER BY id",  # noqa: S608
            tuple(part),
        )
        for record_id, *values in rows:
            found[record_id].append(Anchor(*values))
    return found


def put_anchors(db: Connection, record_id: int, anchors: Sequence[Anchor], *, now_ms: int) -> None:
    """Let these be all anchors that a record's own words make; those that were given stay.

    The caller holds the transaction.
    """
    db.execute("DELETE FROM anchors WHERE record_id = ? AND source <> ?", (record_id, GIVEN))
    add_anchors(db, record_id, anchors, now_ms=now_ms)


def note_read(db: Connection, record_id: int, *, is_waiting: bool) -> None:
    """A record was read for anchors; `is_waiting` lets it be read again. The caller holds the transaction."""
    db.execute("DELETE FROM anchor_todo WHERE record_id = ?", (record_id,))
    if is_waiting:
        db.execute("INSERT INTO anchor_todo VALUES (?, 1)", (record_id,))


def add_anchors(db: Connection, record_id: int, anchors: Sequence[Anchor], *, now_ms: int) -> None:
    """Add anchors of a record; one that it has already stays as it is. The caller holds the transaction."""
    db.executemany(
        f"INSERT OR IGNORE INTO anchors (record_id, {_COLUMNS}, checked_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
        [
            (
                *(record_id, one.kind, _safe(one.ref), _safe(one.place), one.source, one.blob, one.content),
                *(one.state, _safe(one.reason), now_ms),
            )
            for one in anchors
        ],
    )


def move_anchor(db: Connection, record_id: int, anchor: Anchor, *, now_ms: int) -> None:
    """Write where something is now and whether it is there, by its kind and ref. The caller holds the transaction."""
    db.execute(
        "UPDATE anchors SET place = ?, blob = ?, content = ?, state = ?, reason = ?, checked_at = ?"
        " WHERE record_id = ? AND kind = ? AND ref = ?",
        (
            *(_safe(anchor.place), anchor.blob, anchor.content, anchor.state, _safe(anchor.reason), now_ms),
            *(record_id, anchor.kind, _safe(anchor.ref)),
        ),
    )


def waive(db: Connection, record_id: int) -> int:
    """Let a record stand although things it speaks of are gone; returns how many. The caller holds the transaction."""
    done = db.execute(
        "UPDATE anchors SET state = ? WHERE record_id = ? AND state = ?", (WAIVED, record_id, GONE)
    )
    return int(done.rowcount)


def list_touched(db: Connection, project_id: int) -> list[Anchored]:
    """Records told as true although something they speak of is gone and nobody has answered to it, newest first."""
    rows = db.execute(
        f"SELECT {_RECORD} FROM records r WHERE r.project_id = ? AND r.status IN ('active', 'compacted')"  # noqa: S608
        " AND r.id IN (SELECT record_id FROM anchors WHERE state = 'gone') ORDER BY r.id DESC",
        (project_id,),
    )
    return [Anchored(*row) for row in rows]


def _safe(text: str) -> Any:
    return mend(redact(text))
