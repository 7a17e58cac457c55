"""What an index holds to say whose a line is, and what it found: the guards of each file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sqlite3 import Connection

_CHUNK = 500
_MAKERS = (
    "SELECT id, intent, is_bulk, authored_at, subject, file_count, added_count + removed_count,"
    " reverts, restores, reverted_by, restored_by FROM commits"
)


class Maker(NamedTuple):
    """What is known of a commit that owns lines; ties are ids, None for none."""

    id: int
    intent: str
    is_bulk: bool
    authored_at: int
    subject: str
    file_count: int
    line_count: int
    reverts: int | None
    restores: int | None
    reverted_by: int | None
    restored_by: int | None


class GuardRow(NamedTuple):
    """A commit that a file rests on; lines and keys packed as `index_briefs` reads them."""

    commit_id: int
    weight: float
    lines: bytes
    gone: bytes


def has_sources(db: Connection, file_id: int) -> bool:
    """Whether a load-bearing commit changed a file, or it was renamed, and what it was before is not looked at."""
    row = db.execute(
        "SELECT 1 FROM file_changes AS c JOIN commits AS t ON t.id = c.commit_id WHERE c.file_id = ?"
        " AND (c.old_file_id IS NOT NULL OR t.intent IN ('bugfix', 'security', 'revert')) LIMIT 1",
        (file_id,),
    ).fetchone()
    return row is not None


def read_moves(db: Connection, file_id: int) -> dict[int, list[tuple[int, bytes, bytes]]]:
    """commit id -> (source file, its content before, runs) of the lines that moved into a file."""
    found: dict[int, list[tuple[int, bytes, bytes]]] = {}
    for commit_id, source_id, blob, runs in db.execute(
        "SELECT commit_id, source_id, source_blob, runs FROM moved_lines WHERE file_id = ?", (file_id,)
    ):
        found.setdefault(commit_id, []).append((source_id, blob, runs))
    return found


def read_removed(db: Connection, file_id: int) -> dict[int, bytes]:
    """commit id -> keys of the lines that a commit took out of a file."""
    return dict(db.execute("SELECT commit_id, keys FROM removed_lines WHERE file_id = ?", (file_id,)))


def read_parents(db: Connection) -> list[tuple[int, bytes, bytes]]:
    """(id, name, names of the parents) of the commits in sight."""
    return list(db.execute("SELECT id, hash, parents FROM commits WHERE is_in_head"))


def read_makers(db: Connection, commit_ids: Iterable[int]) -> dict[int, Maker]:
    """What is known of some commits."""
    wanted = list(commit_ids)
    found: dict[int, Maker] = {}
    for at in range(0, len(wanted), _CHUNK):
        part = wanted[at : at + _CHUNK]
        rows = db.execute(f"{_MAKERS} WHERE id IN ({','.join('?' * len(part))})", part)
        found.update((row[0], Maker(*row)) for row in rows)
    return found


def put_guards(db: Connection, guards: Sequence[tuple[int, Sequence[GuardRow]]]) -> None:
    """Replace the guards of files; the caller holds the transaction."""
    db.executemany("DELETE FROM guards WHERE file_id = ?", [(file_id,) for file_id, _ in guards])
    db.executemany(
        "INSERT INTO guards (file_id, commit_id, weight, lines, gone) VALUES (?, ?, ?, ?, ?)",
        [(file_id, *row) for file_id, rows in guards for row in rows],
    )
