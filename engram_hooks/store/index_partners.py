"""What an index holds to say which files change together, and what it found: the partners of each file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from engram_hooks.guard.redact import redact
from engram_hooks.store.index_files import read_path

if TYPE_CHECKING:
    from sqlite3 import Connection

_MARK_FILES = (
    "INSERT INTO unpaired SELECT file_id, status <> 'M' OR ? FROM file_changes WHERE commit_id = ?"
    " ON CONFLICT (file_id) DO UPDATE SET is_reshaped = max(is_reshaped, excluded.is_reshaped)"
)
_MARK_ORIGINS = (
    "INSERT INTO unpaired SELECT old_file_id, 1 OR ? FROM file_changes"
    " WHERE commit_id = ? AND old_file_id IS NOT NULL GROUP BY old_file_id"
    " ON CONFLICT (file_id) DO UPDATE SET is_reshaped = 1"
)


class FileEntry(NamedTuple):
    """A file that the index knows; `blob` is the start of its blob's name in the head, None where it is not there."""

    id: int
    path: str
    role: str
    blob: bytes | None


class PartnerRow(NamedTuple):
    """A file that changes together with another one."""

    other_id: int
    score: float
    support: int
    total: int
    is_hidden: bool
    speaks: bool


class SymbolPlace(NamedTuple):
    """Where a symbol of the head stands; lines from 1, both ends inside."""

    id: int
    file_id: int
    qualified: str
    start_line: int
    end_line: int


def list_files(db: Connection) -> list[FileEntry]:
    """Every file that the index knows."""
    rows = db.execute("SELECT id, path, role, blob FROM files")
    return [FileEntry(number, read_path(key), role, blob) for number, key, role, blob in rows]


def list_evidence(db: Connection, *, max_files: int) -> list[int]:
    """The commits from which something may be concluded, oldest first: in sight, no bulk, not too large."""
    rows = db.execute(
        "SELECT id FROM commits WHERE is_in_head AND NOT is_bulk AND NOT is_boundary"
        " AND file_count BETWEEN 1 AND ? ORDER BY committed_at, hash",
        (max_files,),
    )
    return [number for (number,) in rows]


def list_renames(db: Connection) -> list[tuple[int, int]]:
    """(former file, later file) of each rename by a commit in sight, oldest first."""
    return list(
        db.execute(
            "SELECT c.old_file_id, c.file_id FROM file_changes AS c JOIN commits AS t ON t.id = c.commit_id"
            " WHERE c.old_file_id IS NOT NULL AND t.is_in_head ORDER BY t.committed_at, t.hash, c.file_id"
        )
    )


def list_changes(db: Connection) -> Iterator[tuple[int, int]]:
    """(commit, file) of every change."""
    return iter(db.execute("SELECT commit_id, file_id FROM file_changes INDEXED BY file_changes_by_commit"))


def list_commits_of(db: Connection, file_id: int) -> list[int]:
    """The commits that changed a file under this name."""
    return [row[0] for row in db.execute("SELECT commit_id FROM file_changes WHERE file_id = ?", (file_id,))]


def list_files_of(db: Connection, commit_id: int) -> list[int]:
    """The files that a commit changed."""
    return [
        row[0] for row in db.execute("SELECT file_id FROM file_changes WHERE commit_id = ?", (commit_id,))
    ]


def mark_unpaired(db: Connection, commit_ids: Iterable[int], *, is_forward: bool) -> None:
    """Have the partners of all files found anew that these commits touched; the caller holds the transaction.

    `is_forward`: commits were only added on top, so where a file was merely modified its neighbours stay as they are.
    """
    marks = [(not is_forward, commit_id) for commit_id in commit_ids]
    db.executemany(_MARK_FILES, marks)
    db.executemany(_MARK_ORIGINS, marks)


def read_unpaired(db: Connection) -> dict[int, bool]:
    """Files to look at again -> whether also what changed together with them."""
    return {number: bool(reshaped) for number, reshaped in db.execute("SELECT * FROM unpaired")}


def has_unpaired(db: Connection) -> bool:
    """Whether some files' partners are not those of the head."""
    return db.execute("SELECT 1 FROM unpaired LIMIT 1").fetchone() is not None


def forget_unpaired(db: Connection) -> None:
    """Every file's partners are those of the head; the caller holds the transaction."""
    db.execute("DELETE FROM unpaired")


def put_partners(db: Connection, found: Mapping[int, Sequence[PartnerRow]]) -> None:
    """Replace the partners of files; the caller holds the transaction."""
    db.executemany("DELETE FROM partners WHERE file_id = ?", [(file_id,) for file_id in found])
    db.executemany(
        "INSERT INTO partners (file_id, other_id, score, support, total, is_hidden, speaks)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(file_id, *row) for file_id, rows in found.items() for row in rows],
    )


def drop_partners(db: Connection, *, is_all: bool) -> None:
    """Forget the partners of files that the head does not have, or of all; the caller holds the transaction."""
    if is_all:
        db.execute("DELETE FROM partners")
    else:
        db.execute("DELETE FROM partners WHERE file_id IN (SELECT id FROM files WHERE blob IS NULL)")


def read_imports(db: Connection) -> dict[int, tuple[bytes, str]]:
    """file -> (the content that was read, the names it imports, one a line)."""
    return {number: (blob, names) for number, blob, names in db.execute("SELECT * FROM imports")}


def put_imports(db: Connection, found: Iterable[tuple[int, bytes, str]], gone: Iterable[int]) -> None:
    """Keep what files import, and forget files; the caller holds the transaction."""
    db.executemany("DELETE FROM imports WHERE file_id = ?", [(file_id,) for file_id in gone])
    db.executemany(
        "INSERT OR REPLACE INTO imports (file_id, blob, names) VALUES (?, ?, ?)",
        [(file_id, blob, redact(names)) for file_id, blob, names in found],
    )


def read_links(db: Connection) -> dict[int, set[int]]:
    """file -> the files that it imports."""
    links: dict[int, set[int]] = {}
    for file_id, other_id in db.execute("SELECT file_id, other_id FROM links"):
        links.setdefault(file_id, set()).add(other_id)
    return links


def put_links(db: Connection, found: Mapping[int, Iterable[int]]) -> None:
    """Replace the links of files; the caller holds the transaction."""
    db.executemany("DELETE FROM links WHERE file_id = ?", [(file_id,) for file_id in found])
    db.executemany(
        "INSERT INTO links (file_id, other_id) VALUES (?, ?)",
        [(file_id, other_id) for file_id, others in found.items() for other_id in others],
    )


def set_hidden(db: Connection, pairs: Iterable[tuple[int, int, bool]]) -> None:
    """Say of (file, file) whether they are tied by no import, in both directions; the caller holds the transaction."""
    rows = [(hidden, one, other) for a, b, hidden in pairs for one, other in ((a, b), (b, a))]
    db.executemany("UPDATE partners SET is_hidden = ? WHERE file_id = ? AND other_id = ?", rows)


def list_symbols_of(db: Connection, commit_id: int) -> list[SymbolPlace]:
    """The symbols of the head that a commit touched."""
    rows = db.execute(
        "SELECT s.id, s.file_id, s.qualified, s.start_line, s.end_line FROM symbol_changes AS c"
        " JOIN symbols AS s ON s.id = c.symbol_id WHERE c.commit_id = ?",
        (commit_id,),
    )
    return [SymbolPlace(*row) for row in rows]


def list_commits_of_symbol(db: Connection, symbol_id: int) -> list[int]:
    """The commits that touched a symbol of the head."""
    rows = db.execute("SELECT commit_id FROM symbol_changes WHERE symbol_id = ?", (symbol_id,))
    return [number for (number,) in rows]
