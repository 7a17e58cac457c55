"""What an index holds to say whose a line is, and what it found: the guards of each file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from sqlite3 import Connection

    from engram_hooks.store.index_briefs import Guard

_CHUNK = 500
MAX_MOMENT_MS = 1 << 62
_GUARD = "SELECT t.id, t.hash, t.authored_at, t.intent, t.author, t.subject"
_WEIGHTED = (
    f"{_GUARD}, g.lines, g.gone, g.weight FROM guards AS g JOIN commits AS t ON t.id = g.commit_id"
    " WHERE g.file_id = ? ORDER BY g.weight DESC, t.authored_at DESC, t.id"
)
_TOUCHING = (
    f"{_GUARD}, sum(c.added_count), sum(c.removed_count),"
    " (t.intent = 'revert' OR t.reverts IS NOT NULL) AND NOT t.is_bulk, u.hash, u.subject"
    " FROM symbol_changes AS c JOIN commits AS t ON t.id = c.commit_id LEFT JOIN commits AS u ON u.id = t.reverts"
    " WHERE t.is_in_head AND c.symbol_id IN"
)
_NEWEST = "GROUP BY t.id ORDER BY t.committed_at DESC, t.id"
_CHANGING = (
    f"{_GUARD}, c.added_count, c.removed_count, t.committed_at, c.old_file_id FROM file_changes AS c"
    " JOIN commits AS t ON t.id = c.commit_id WHERE c.file_id = ? AND t.is_in_head AND t.committed_at <= ?"
    " ORDER BY t.committed_at DESC, t.id LIMIT ?"
)
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
    """Whether a file may rest on a load-bearing commit: one changed it, it was renamed, or lines moved into it."""
    row = db.execute(
        "SELECT 1 FROM file_changes AS c JOIN commits AS t ON t.id = c.commit_id WHERE c.file_id = ?1"
        " AND (c.old_file_id IS NOT NULL OR t.intent IN ('bugfix', 'security', 'revert'))"
        " UNION ALL SELECT 1 FROM moved_lines WHERE file_id = ?1 LIMIT 1",
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
        rows = db.execute(f"{_MAKERS} WHERE id IN ({_marks(part)})", part)
        found.update((row[0], Maker(*row)) for row in rows)
    return found


def list_weighted(db: Connection, file_id: int) -> list[tuple[float, Guard]]:
    """The guards of a file as `index_briefs.list_guards` gives them, each with its weight."""
    rows = db.execute(_WEIGHTED, (file_id,))
    return [(row[8], (row[0], row[1].hex(), *row[2:8])) for row in rows]


class Touch(NamedTuple):
    """A commit that touched symbols, with the lines it added and removed there.

    `undid` is the name and the subject of the commit that it undid (both '' where it names none), None where it
    undid nothing, or is none to conclude from.
    """

    commit: Guard
    added: int
    removed: int
    undid: tuple[str, str] | None


def list_touching(db: Connection, symbol_ids: Sequence[int]) -> list[Touch]:
    """The commits that touched symbols, newest first."""
    rows = db.execute(f"{_TOUCHING} ({_marks(symbol_ids)}) {_NEWEST}", symbol_ids)
    return [
        Touch(
            _read_guard(row),
            row[6],
            row[7],
            (row[9].hex() if row[9] else "", row[10] or "") if row[8] else None,
        )
        for row in rows
    ]


def list_changing(db: Connection, file_id: int, *, limit: int) -> list[Touch]:
    """The last commits that changed a file, under any of its names, newest first, each with its counts of lines."""
    found: dict[int, Touch] = {}
    place: int | None = file_id
    until_ms = MAX_MOMENT_MS
    while place is not None and len(found) < limit:
        rows = db.execute(_CHANGING, (place, until_ms, limit)).fetchall()
        place = None
        for row in rows:
            if row[0] in found:
                continue
            found[row[0]] = Touch(_read_guard(row), row[6], row[7], None)
            if row[9] is not None:  # renamed from there
                place, until_ms = row[9], row[8]
                break
    return list(found.values())[:limit]


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


def _read_guard(row: Sequence[Any]) -> Guard:
    """A commit in the form of `index_briefs.Guard`, of no lines."""
    return (row[0], row[1].hex(), row[2], row[3], row[4], row[5], b"", b"")


def put_guards(db: Connection, guards: Sequence[tuple[int, Sequence[GuardRow]]]) -> None:
    """Replace the guards of files; the caller holds the transaction."""
    db.executemany("DELETE FROM guards WHERE file_id = ?", [(file_id,) for file_id, _ in guards])
    db.executemany(
        "INSERT INTO guards (file_id, commit_id, weight, lines, gone) VALUES (?, ?, ?, ?, ?)",
        [(file_id, *row) for file_id, rows in guards for row in rows],
    )
