"""Files of an index, how each came to be what it is in the head, and the history of its symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from engram_hooks.store.index_commits import pack_blob
from engram_hooks.store.index_files import path_key, read_path
from engram_hooks.store.index_ownership import GuardRow, put_guards
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from sqlite3 import Connection

_RENAME_DEPTH = 8


class ChangeLink(NamedTuple):
    """One change of a file: the commit, what the file was before (None: nothing) and after, and the hunks between."""

    commit_id: int
    old_file_id: int
    old_blob: bytes | None
    blob: bytes | None
    hunks: bytes | None


class SymbolRow(NamedTuple):
    """A symbol of the head and what touched it: `changes` holds (commit id, lines added, lines removed)."""

    name: str
    qualified: str
    kind: str
    start_line: int
    line: int
    end_line: int
    changes: Sequence[tuple[int, int, int]]


def read_links(db: Connection, file_id: int) -> list[ChangeLink]:
    """The changes of a file by commits in sight."""
    rows = db.execute(
        "SELECT c.commit_id, coalesce(c.old_file_id, c.file_id), c.old_blob, c.blob, c.hunks FROM file_changes AS c"
        " JOIN commits AS t ON t.id = c.commit_id WHERE c.file_id = ? AND t.is_in_head",
        (file_id,),
    )
    return [ChangeLink(*row) for row in rows]


def read_merges(db: Connection, file_id: int) -> list[tuple[int, bytes | None, bytes]]:
    """(commit id, blob, sides) of a file for each merge in sight that made it its own."""
    return list(
        db.execute(
            "SELECT m.commit_id, m.blob, m.sides FROM merged_files AS m JOIN commits AS t ON t.id = m.commit_id"
            " WHERE m.file_id = ? AND t.is_in_head",
            (file_id,),
        )
    )


def renamed_to(db: Connection, path: str) -> str:
    """Where a file of the past stands in the head; '' where it still is there, or was not renamed."""
    row = db.execute("SELECT id, blob FROM files WHERE path = ?", (path_key(path),)).fetchone()
    for _ in range(_RENAME_DEPTH):
        if row is None or row[1] is not None:
            break
        row = db.execute(
            "SELECT f.id, f.blob, f.path FROM file_changes AS c JOIN files AS f ON f.id = c.file_id"
            " JOIN commits AS t ON t.id = c.commit_id WHERE c.old_file_id = ? AND c.status = 'R' AND t.is_in_head"
            " ORDER BY t.committed_at DESC, t.id LIMIT 1",
            (row[0],),
        ).fetchone()
    return read_path(row[2]) if row and row[1] is not None and len(row) > 2 else ""


def set_tree(db: Connection, tree: Mapping[str, str], role_of: Callable[[str], str]) -> None:
    """Say what the head's files are: path -> blob in hexadecimal; `role_of` is asked for paths that are new.

    The caller holds the transaction.
    """
    wanted = {path_key(path): pack_blob(blob) for path, blob in tree.items()}
    known = {}
    stale = []
    for file_id, key, blob in db.execute("SELECT id, path, blob FROM files"):
        known[key] = file_id
        if wanted.get(key) != blob:
            stale.append((wanted.get(key), file_id))
    db.executemany("UPDATE files SET blob = ? WHERE id = ?", stale)
    db.executemany(
        "INSERT INTO files (path, role, blob) VALUES (?, ?, ?)",
        [(key, role_of(read_path(key)), blob) for key, blob in wanted.items() if key not in known],
    )


def mark_touched(db: Connection, commit_ids: Iterable[int], *, is_forward: bool) -> None:
    """Have the symbols of all files read again that these commits touched, or whose former selves they touched.

    `is_forward`: commits were only added on top, what was known of the versions below still holds. The caller
    holds the transaction.
    """
    db.execute("CREATE TEMP TABLE IF NOT EXISTS touched (file_id INTEGER PRIMARY KEY)")
    db.execute("DELETE FROM touched")
    db.executemany(
        "INSERT OR IGNORE INTO touched SELECT file_id FROM file_changes WHERE commit_id = ?",
        [(commit_id,) for commit_id in commit_ids],
    )
    for _ in range(_RENAME_DEPTH):
        done = db.execute(
            "INSERT OR IGNORE INTO touched SELECT file_id FROM file_changes"
            " WHERE old_file_id IN (SELECT file_id FROM touched) AND old_file_id IS NOT NULL"
        )
        if not done.rowcount:
            break
    db.execute("UPDATE files SET is_stale = 1 WHERE id IN (SELECT file_id FROM touched)")
    if not is_forward:
        db.execute("UPDATE files SET parsed_blob = NULL WHERE id IN (SELECT file_id FROM touched)")


def list_unparsed(db: Connection) -> list[tuple[int, str, bytes | None]]:
    """(file id, path, blob) of files whose symbols are not those of the head."""
    rows = db.execute(
        "SELECT id, path, blob FROM files WHERE is_stale OR blob IS NOT parsed_blob ORDER BY path"
    )
    return [(file_id, read_path(key), blob) for file_id, key, blob in rows]


def read_parsed(db: Connection) -> dict[int, bytes]:
    """file id -> the content that its symbols were read from."""
    return dict(db.execute("SELECT id, parsed_blob FROM files WHERE parsed_blob IS NOT NULL"))


def read_known(
    db: Connection, file_id: int, blob: bytes
) -> dict[tuple[int, int], dict[int, tuple[int, int]]]:
    """What is known of a version of a file whose symbols were read: (first line from 0, line behind the last) ->
    commit id -> (lines added, lines removed); empty for any other version."""
    row = db.execute("SELECT 1 FROM files WHERE id = ? AND parsed_blob = ?", (file_id, blob)).fetchone()
    if row is None:
        return {}
    known: dict[tuple[int, int], dict[int, tuple[int, int]]] = {}
    for line, end_line, commit_id, added, removed in db.execute(
        "SELECT s.line, s.end_line, c.commit_id, c.added_count, c.removed_count FROM symbols AS s"
        " JOIN symbol_changes AS c ON c.symbol_id = s.id WHERE s.file_id = ?",
        (file_id,),
    ):
        known.setdefault((line - 1, end_line), {})[commit_id] = added, removed
    return known


def put_symbols(
    db: Connection,
    parsed: Sequence[tuple[int, Sequence[SymbolRow]]],
    guards: Mapping[int, Sequence[GuardRow]] | None = None,
) -> None:
    """Replace the symbols of files and the guards of their lines by those of their present blob, all or none.

    Raises a `StoreError`.
    """
    with Transaction(db):
        put_guards(db, [(file_id, (guards or {}).get(file_id, ())) for file_id, _ in parsed])
        for file_id, symbols in parsed:
            db.execute(
                "DELETE FROM symbol_changes WHERE symbol_id IN (SELECT id FROM symbols WHERE file_id = ?)",
                (file_id,),
            )
            db.execute("DELETE FROM symbols WHERE file_id = ?", (file_id,))
            for row in symbols:
                done = db.execute(
                    "INSERT INTO symbols (file_id, name, qualified, kind, start_line, line, end_line)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (file_id, *row[:6]),
                )
                db.executemany(
                    "INSERT INTO symbol_changes VALUES (?, ?, ?, ?)",
                    [(done.lastrowid, *change) for change in row.changes],
                )
            db.execute("UPDATE files SET parsed_blob = blob, is_stale = 0 WHERE id = ?", (file_id,))
