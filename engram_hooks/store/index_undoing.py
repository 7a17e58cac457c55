"""Tie reverts to the commits they undid, and re-lands to those they brought back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite3 import Connection

MIN_PREFIX = 7  # digits
MAX_FILES = 20


def open_references(db: Connection) -> list[tuple[int, int, str]]:
    """(id, committed at, what the message names as JSON) of commits in sight to be resolved, oldest first."""
    return list(
        db.execute(
            "SELECT id, committed_at, undoes FROM commits WHERE undoes <> '' AND is_in_head"
            " ORDER BY committed_at, id DESC"
        )
    )


def find_by_hash(db: Connection, name: str) -> int | None:
    """The commit of a full hash or of the start of one; None where there is none or several are."""
    if len(name) < MIN_PREFIX:
        return None
    even = name if len(name) % 2 == 0 else name[:-1]
    low = bytes.fromhex(even)
    rows = db.execute(
        "SELECT id, hash FROM commits WHERE hash >= ? AND hash < ? LIMIT 64", (low, low + b"\xff" * 33)
    ).fetchall()
    fitting = [commit_id for commit_id, found in rows if found.hex().startswith(name)]
    return fitting[0] if len(fitting) == 1 else None


def list_subjects(db: Connection) -> list[tuple[int, int, str]]:
    """(id, committed at, subject) of the commits in sight, newest first."""
    return list(
        db.execute(
            "SELECT id, committed_at, subject FROM commits WHERE is_in_head ORDER BY committed_at DESC, id"
        )
    )


def tie(db: Connection, commit_id: int, target_id: int, *, is_reland: bool) -> None:
    """Note that a commit undid (or brought back) another; undoing a revert brings back what that had undone."""
    if commit_id == target_id:
        return
    restored = target_id if is_reland else None
    if not is_reland:
        row = db.execute("SELECT reverts FROM commits WHERE id = ?", (target_id,)).fetchone()
        restored = row[0] if row else None
        db.execute("UPDATE commits SET reverts = coalesce(reverts, ?) WHERE id = ?", (target_id, commit_id))
        db.execute("UPDATE commits SET reverted_by = ? WHERE id = ?", (commit_id, target_id))
    if restored is not None and restored != commit_id:
        db.execute("UPDATE commits SET restores = ? WHERE id = ?", (restored, commit_id))
        db.execute("UPDATE commits SET restored_by = ? WHERE id = ?", (commit_id, restored))


def settle(db: Connection, commit_ids: Iterable[int]) -> None:
    """These commits need no looking after any more."""
    db.executemany("UPDATE commits SET undoes = '' WHERE id = ?", [(commit_id,) for commit_id in commit_ids])


def possible_inverses(db: Connection, commit_ids: Iterable[int], *, limit: int) -> list[int]:
    """Those of the commits that may take back an earlier one: few files, each there before and after."""
    out = []
    for commit_id in commit_ids:
        row = db.execute(
            "SELECT 1 FROM commits AS t WHERE id = ? AND is_in_head AND reverts IS NULL AND NOT is_bulk"
            " AND file_count BETWEEN 1 AND ? AND EXISTS (SELECT 1 FROM file_changes AS c JOIN files AS f"
            " ON f.id = c.file_id WHERE c.commit_id = t.id AND f.role = 'source')",
            (commit_id, MAX_FILES),
        ).fetchone()
        if row:
            out.append(commit_id)
            if len(out) >= limit:
                break
    return out


def list_swapped(db: Connection) -> set[int]:
    """The commits that put some file back to what it was before another commit; `n log n` in all changes."""
    rows = db.execute(
        "WITH swapped (file_id, old_blob, blob) AS (SELECT file_id, old_blob, blob FROM file_changes"
        " INTERSECT SELECT file_id, blob, old_blob FROM file_changes)"
        " SELECT DISTINCT c.commit_id FROM swapped AS s JOIN file_changes AS c"
        " ON c.file_id = s.file_id AND c.blob = s.blob AND c.old_blob = s.old_blob"
    )
    return {commit_id for (commit_id,) in rows}


def find_inverse(db: Connection, commit_id: int) -> int | None:
    """The newest commit before this one whose change of files this one takes back exactly, None for none."""
    own = _blobs_of(db, commit_id)
    if not own or len(own) > MAX_FILES or any(None in pair for pair in own.values()):
        return None
    file_id, (old, new) = next(iter(own.items()))
    candidates = db.execute(
        "SELECT c.commit_id FROM file_changes AS c JOIN commits AS t ON t.id = c.commit_id"
        " WHERE c.file_id = ? AND c.blob = ? AND c.old_blob = ? AND t.is_in_head AND NOT t.is_bulk"
        " AND t.committed_at < (SELECT committed_at FROM commits WHERE id = ?) AND t.id <> ?"
        " ORDER BY t.committed_at DESC LIMIT 8",
        (file_id, old, new, commit_id, commit_id),
    ).fetchall()
    inverse = {file: (new, old) for file, (old, new) in own.items()}
    return next((int(found) for (found,) in candidates if _blobs_of(db, found) == inverse), None)


def _blobs_of(db: Connection, commit_id: int) -> dict[int, tuple[bytes | None, bytes | None]]:
    rows = db.execute("SELECT file_id, old_blob, blob FROM file_changes WHERE commit_id = ?", (commit_id,))
    return {file_id: (old, new) for file_id, old, new in rows}
