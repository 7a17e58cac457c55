"""Sealing vectors into segments, in short transactions: begin, (write the file), finish, and sweep up.

Nothing a scan reads changes before `finish_segment`, which changes all at once. Whatever a crash leaves
behind (a segment that was never finished, a file that nothing names) `sweep` removes.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from engram_hooks.store.segments import FOLDER, Segment, file_path
from engram_hooks.store.transactions import Transaction
from engram_hooks.store.vector_queue import requeue

if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Connection

    # (segment id, uid, row count, model id, project id, dims)
    SealedRow = tuple[int, str, int, int, int, int]

# how long another process may take to build a segment, and a reader to open one
BUILD_MS = 600_000
_READY = (
    "SELECT s.id, s.uid, s.row_count, s.model_id, s.project_id, m.dims"
    " FROM vector_segments s JOIN vector_models m ON m.id = s.model_id WHERE s.is_ready"
)


def begin_segment(db: Connection, model_id: int, project_id: int, *, now_ms: int) -> tuple[int, str] | None:
    """(id, uid) of a new segment to be built; None while another process builds one for the same project."""
    with Transaction(db):
        db.execute("DELETE FROM vector_segments WHERE NOT is_ready AND created_at < ?", (now_ms - BUILD_MS,))
        other = "SELECT 1 FROM vector_segments WHERE NOT is_ready AND model_id = ? AND project_id = ?"
        if db.execute(other, (model_id, project_id)).fetchone():
            return None
        uid = os.urandom(16).hex()
        done = db.execute(
            "INSERT INTO vector_segments (uid, model_id, project_id, created_at) VALUES (?, ?, ?, ?)",
            (uid, model_id, project_id, now_ms),
        )
        return int(done.lastrowid or 0), uid


def finish_segment(
    db: Connection, segment_id: int, *, row_count: int, tail_ids: Sequence[int], merged_ids: Sequence[int]
) -> bool:
    """Let a segment whose file is written answer from now on, in place of what it was made of.

    `tail_ids` are rows of `vectors`, `merged_ids` segments. False, and nothing is changed, where another
    process took the segment for dead, or one that it was made of is gone.
    """
    with Transaction(db):
        project = db.execute("SELECT project_id FROM vector_segments WHERE id = ?", (segment_id,)).fetchone()
        if project is None or not all(_is_ready(db, merged) for merged in merged_ids):
            db.execute("DELETE FROM vector_segments WHERE id = ?", (segment_id,))
            return False
        db.execute(
            "UPDATE vector_segments SET is_ready = 1, row_count = ? WHERE id = ?", (row_count, segment_id)
        )
        db.executemany("DELETE FROM vectors WHERE id = ?", ((row_id,) for row_id in tail_ids))
        db.executemany("DELETE FROM vector_segments WHERE id = ?", ((merged,) for merged in merged_ids))
        if not row_count:
            db.execute("DELETE FROM vector_segments WHERE id = ?", (segment_id,))
        _forget_gone(db, project[0])
    return True


def abandon_segment(db: Connection, segment_id: int) -> None:
    """Give up a segment that is being built."""
    db.execute("DELETE FROM vector_segments WHERE id = ? AND NOT is_ready", (segment_id,))


def read_tail(db: Connection, model_id: int, project_id: int) -> list[tuple[int, int, bytes]]:
    """(row id, record id, stored vector) of what is not in a segment, oldest first."""
    return db.execute(
        "SELECT id, record_id, stored FROM vectors WHERE model_id = ? AND project_id = ? ORDER BY id",
        (model_id, project_id),
    ).fetchall()


def list_segments(db: Connection, model_id: int, project_id: int) -> list[SealedRow]:
    """The segments of a project that answer, oldest first."""
    return db.execute(
        _READY + " AND s.model_id = ? AND s.project_id = ? ORDER BY s.id", (model_id, project_id)
    ).fetchall()


def list_tails(db: Connection, model_id: int, *, min_rows: int) -> list[tuple[int, int]]:
    """(project id, rows) of projects with at least so many vectors outside of segments."""
    return db.execute(
        "SELECT project_id, count(*) FROM vectors WHERE model_id = ? GROUP BY project_id HAVING count(*) >= ?",
        (model_id, min_rows),
    ).fetchall()


def count_gone(db: Connection, model_id: int) -> list[tuple[int, int, int]]:
    """(project id, vectors in segments, those among them that may be out of date) of each project."""
    return db.execute(
        "SELECT s.project_id, sum(s.row_count),"
        " (SELECT count(*) FROM vector_gone g WHERE g.project_id = s.project_id)"
        " FROM vector_segments s WHERE s.model_id = ? AND s.is_ready GROUP BY s.project_id",
        (model_id,),
    ).fetchall()


def list_void(db: Connection, project_id: int) -> dict[int, int]:
    """Record id -> the newest segment whose vector of it is out of date, for records that left the project or changed.

    Records in segments that are not told any more are among them.
    """
    rows = db.execute(
        "SELECT record_id, max(segment_id) FROM vector_gone WHERE record_id IN"
        " (SELECT record_id FROM vector_gone WHERE project_id = ?) GROUP BY record_id",
        (project_id,),
    )
    return dict(rows.fetchall())


def sweep(db: Connection, data: str, *, now_ms: int) -> int:
    """Remove files that nothing names, and let the records of segments whose file is gone wait again.

    Returns how many segments were lost. A file younger than `BUILD_MS` may be under way or still be read.
    """
    names = {f"{uid}.seg" for (uid,) in db.execute("SELECT uid FROM vector_segments")}
    folder = os.path.join(data, FOLDER)
    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        path = os.path.join(folder, name)
        if name not in names and os.stat(path).st_mtime * 1000 < now_ms - BUILD_MS:
            os.unlink(path)
    lost = [row for row in db.execute(_READY).fetchall() if not _is_whole(data, row)]
    if lost:
        with Transaction(db):
            for model_id, project_id in sorted({(row[3], row[4]) for row in lost}):
                _start_over(db, model_id, project_id)
    return len(lost)


def erase_sealed(db: Connection, data: str, record_id: int) -> int:
    """Overwrite a record's vectors in all segments' files; returns how many there were."""
    erased = 0
    for segment_id, uid, row_count, _, _, dims in db.execute(_READY).fetchall():
        path = file_path(data, uid)
        if not os.path.exists(path):
            continue
        segment = Segment(path, segment_id=segment_id, row_count=row_count, dims=dims, can_write=True)
        try:
            erased += segment.erase(record_id)
        finally:
            segment.close()
    return erased


def _is_ready(db: Connection, segment_id: int) -> bool:
    found = db.execute("SELECT 1 FROM vector_segments WHERE id = ? AND is_ready", (segment_id,)).fetchone()
    return found is not None


def _is_whole(data: str, row: SealedRow) -> bool:
    segment_id, uid, row_count, _, _, dims = row
    try:
        Segment(file_path(data, uid), segment_id=segment_id, row_count=row_count, dims=dims).close()
    except (OSError, ValueError):
        return False
    return True


def _start_over(db: Connection, model_id: int, project_id: int) -> None:
    """Forget all vectors of a project and let its records wait for new ones."""
    for table in ("vectors", "vector_segments"):
        db.execute(
            f"DELETE FROM {table} WHERE model_id = ? AND project_id = ?",  # noqa: S608 (own names)
            (model_id, project_id),
        )
    requeue(db, model_id, project_id=project_id)
    _forget_gone(db, project_id)


def _forget_gone(db: Connection, project_id: int) -> None:
    """Drop the marks that no segment is left for."""
    db.execute(
        "DELETE FROM vector_gone WHERE project_id = ?1 AND segment_id <"
        " coalesce((SELECT min(id) FROM vector_segments WHERE project_id = ?1), segment_id + 1)",
        (project_id,),
    )
