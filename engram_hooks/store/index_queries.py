"""What commands ask of an index: files, symbols, and commits by what they touched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from engram_hooks.store.index_files import path_key, read_path
from engram_hooks.store.packing import unpack_text

if TYPE_CHECKING:
    from sqlite3 import Connection

_COLUMNS = (
    "t.id, t.hash, t.authored_at, t.committed_at, t.author, t.subject, t.body, t.excerpt, t.intent, t.is_bulk,"
    " r.hash, u.hash, b.hash, e.hash"
)
_FROM = (
    " FROM commits AS t LEFT JOIN commits AS r ON r.id = t.reverts LEFT JOIN commits AS u ON u.id = t.reverted_by"
    " LEFT JOIN commits AS b ON b.id = t.restores LEFT JOIN commits AS e ON e.id = t.restored_by"
)
_CHUNK = 500
CACHE_KIB = 16 << 10


class CommitEntry(NamedTuple):
    """A commit as it is shown; hashes in hexadecimal, '' for none."""

    id: int
    hash: str
    authored_at: int
    committed_at: int
    author: str
    subject: str
    body: str
    excerpt: str
    intent: str
    is_bulk: bool
    reverts: str
    reverted_by: str
    restores: str
    restored_by: str


class SymbolEntry(NamedTuple):
    """A symbol of the head; lines from 1, both ends inside."""

    id: int
    name: str
    qualified: str
    kind: str
    start_line: int
    line: int
    end_line: int


def keep_pages(db: Connection) -> None:
    """Let a connection that answers many questions hold more of the index in memory."""
    db.execute(f"PRAGMA cache_size = -{CACHE_KIB}")


def count_in_head(db: Connection) -> tuple[int, int, int]:
    """How many commits, files and symbols the head has."""
    row = db.execute(
        "SELECT (SELECT count(*) FROM commits WHERE is_in_head),"
        " (SELECT count(*) FROM files WHERE blob IS NOT NULL), (SELECT count(*) FROM symbols)"
    ).fetchone()
    return row[0], row[1], row[2]


def find_file(db: Connection, paths: Iterable[str]) -> tuple[int, bytes | None] | None:
    """(file id, blob in the head) of the first of some spellings of a path that the index knows."""
    for path in paths:
        row = db.execute("SELECT id, blob FROM files WHERE path = ?", (path_key(path),)).fetchone()
        if row:
            return int(row[0]), row[1]
    return None


def list_paths(db: Connection) -> list[str]:
    """The paths of the head in order."""
    return sorted(read_path(key) for (key,) in db.execute("SELECT path FROM files WHERE blob IS NOT NULL"))


def find_declaring(db: Connection, name: str, *, limit: int) -> list[str]:
    """The paths of at most `limit` files of the head that declare a symbol of this bare name."""
    rows = db.execute(
        "SELECT DISTINCT f.path FROM symbols AS s JOIN files AS f ON f.id = s.file_id"
        " WHERE s.name = ? AND f.blob IS NOT NULL ORDER BY f.path LIMIT ?",
        (name, limit),
    )
    return [read_path(key) for (key,) in rows]


def last_blob(db: Connection, file_id: int) -> bytes | None:
    """What a file held before it was deleted or renamed away, None where it never was in sight."""
    row = db.execute(
        "SELECT c.old_blob FROM file_changes AS c JOIN commits AS t ON t.id = c.commit_id"
        " WHERE t.is_in_head AND c.old_blob IS NOT NULL"
        " AND ((c.file_id = ?1 AND c.status = 'D') OR (c.old_file_id = ?1 AND c.status = 'R'))"
        " ORDER BY t.committed_at DESC, t.id LIMIT 1",
        (file_id,),
    ).fetchone()
    return row[0] if row else None


def list_symbols(db: Connection, file_id: int) -> list[SymbolEntry]:
    """The symbols of a file in order."""
    rows = db.execute(
        "SELECT id, name, qualified, kind, start_line, line, end_line FROM symbols WHERE file_id = ?"
        " ORDER BY start_line, end_line DESC",
        (file_id,),
    )
    return [SymbolEntry(*row) for row in rows]


def match_symbols(symbols: Sequence[SymbolEntry], name: str) -> list[SymbolEntry]:
    """The symbols that a name means: by the whole qualified name, by its end, by the name alone."""
    wanted = name.strip().removesuffix("()").replace("::", ".").replace("#", ".")
    exact = [symbol for symbol in symbols if symbol.qualified == wanted]
    ending = [symbol for symbol in symbols if symbol.qualified.endswith("." + wanted)]
    return exact or ending or [symbol for symbol in symbols if symbol.name == wanted]


def changes_of_symbols(db: Connection, symbol_ids: Iterable[int]) -> dict[int, tuple[int, int]]:
    """commit id -> (lines added, lines removed) within any of the symbols."""
    found: dict[int, tuple[int, int]] = {}
    for symbol_id in symbol_ids:
        for commit_id, added, removed in db.execute(
            "SELECT commit_id, added_count, removed_count FROM symbol_changes WHERE symbol_id = ?",
            (symbol_id,),
        ):
            known = found.get(commit_id, (0, 0))
            found[commit_id] = known[0] + added, known[1] + removed
    return found


def read_commits(db: Connection, commit_ids: Iterable[int]) -> list[CommitEntry]:
    """Commits in sight, newest first."""
    wanted = list(commit_ids)
    found: list[CommitEntry] = []
    for at in range(0, len(wanted), _CHUNK):
        part = wanted[at : at + _CHUNK]
        marks = ",".join("?" * len(part))
        rows = db.execute(f"SELECT {_COLUMNS}{_FROM} WHERE t.id IN ({marks}) AND t.is_in_head", part)
        found += [_read(row) for row in rows]
    return sorted(found, key=lambda entry: (-entry.committed_at, entry.id))


def _read(row: Sequence[object]) -> CommitEntry:
    number, name, authored, committed, author, subject, body, excerpt, intent, is_bulk, *ties = row
    return CommitEntry(
        number,  # type: ignore[arg-type]
        name.hex(),  # type: ignore[attr-defined]
        authored,  # type: ignore[arg-type]
        committed,  # type: ignore[arg-type]
        str(author),
        str(subject),
        unpack_text(body),  # type: ignore[arg-type]
        unpack_text(excerpt),  # type: ignore[arg-type]
        str(intent),
        bool(is_bulk),
        *(tie.hex() if isinstance(tie, bytes) else "" for tie in ties),
    )
