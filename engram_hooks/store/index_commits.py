"""Commits of an index: written in batches, put in and out of sight as the head moves, tied to what they undo."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from engram_hooks.store.connect import run
from engram_hooks.store.index_files import path_key
from engram_hooks.store.packing import pack_text
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from sqlite3 import Connection

BLOB_BYTES = 8  # of a blob's name that are kept
MAX_ASKED_SINGLY = 500  # commits that are looked up one by one, without reading all that are known


class CommitRow(NamedTuple):
    """A commit as it is written; hashes in hexadecimal, texts redacted, `terms` of the full text's four columns."""

    hash: str
    parents: tuple[str, ...]
    authored_at: int
    committed_at: int
    author: str
    subject: str
    body: str
    excerpt: str
    intent: str
    is_bulk: bool
    is_boundary: bool
    undoes: str
    terms: tuple[str, str, str, str]


class ChangeRow(NamedTuple):
    """What a commit did to a file; `old_path` is '' unless it was renamed, `hunks` None where there are no lines.

    `moved`: (path, role, blob before, runs) of each file whose lines went into this one unchanged.
    """

    path: str
    role: str
    old_path: str
    old_role: str
    status: str
    old_blob: str
    blob: str
    added_count: int
    removed_count: int
    hunks: bytes | None
    moved: Sequence[tuple[str, str, str, bytes]] = ()
    removed_keys: bytes = b""


class MergedRow(NamedTuple):
    """A file that a merge made its own; `sides`: blob and hunks for each parent, packed."""

    path: str
    role: str
    blob: str
    sides: bytes


Batch = Sequence[tuple[CommitRow, Sequence[ChangeRow], Sequence[MergedRow]]]


def pack_blob(name: str) -> bytes | None:
    """What is kept of a blob's name: its first bytes, None for no blob."""
    return bytes.fromhex(name[: 2 * BLOB_BYTES]) if name else None


def read_fact(db: Connection, key: str) -> str:
    """What the index knows about itself, '' where it does not."""
    row = db.execute("SELECT value FROM facts WHERE key = ?", (key,)).fetchone()
    return str(row[0]) if row else ""


def read_facts(db: Connection) -> dict[str, str]:
    """All that the index knows about itself."""
    return dict(db.execute("SELECT key, value FROM facts"))


def set_facts(db: Connection, facts: dict[str, str]) -> None:
    """Keep facts about the index; the caller holds the transaction."""
    db.executemany("INSERT OR REPLACE INTO facts (key, value) VALUES (?, ?)", list(facts.items()))


def known_hashes(db: Connection, listed: Sequence[str]) -> set[str]:
    """Of some commits, and it may be of others, those that need no reading: their changes are known."""
    if len(listed) <= MAX_ASKED_SINGLY:
        query = "SELECT 1 FROM commits WHERE hash = ? AND NOT is_boundary"
        return {name for name in listed if db.execute(query, (bytes.fromhex(name),)).fetchone()}
    return {
        name.hex() for (name,) in run(lambda: db.execute("SELECT hash FROM commits WHERE NOT is_boundary"))
    }


def add_batch(db: Connection, batch: Batch) -> None:
    """Write commits with what they changed, all or none; one of unknown changes may be there already.

    Raises a `StoreError`.
    """
    with Transaction(db):
        files: dict[str | bytes, int] = {}
        ids = _put_commits(db, batch)
        db.executemany(
            "INSERT OR REPLACE INTO file_changes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    _file_id(db, files, row.path, row.role),
                    commit_id,
                    _file_id(db, files, row.old_path, row.old_role) if row.old_path else None,
                    row.status,
                    pack_blob(row.old_blob),
                    pack_blob(row.blob),
                    row.added_count,
                    row.removed_count,
                    row.hunks,
                )
                for commit_id, (_, changes, _) in zip(ids, batch, strict=True)
                for row in changes
            ],
        )
        _put_lines(
            db,
            files,
            [(commit_id, row) for commit_id, (_, rows, _) in zip(ids, batch, strict=True) for row in rows],
        )
        db.executemany(
            "INSERT OR REPLACE INTO merged_files VALUES (?, ?, ?, ?)",
            [
                (_file_id(db, files, row.path, row.role), commit_id, pack_blob(row.blob), row.sides)
                for commit_id, (_, _, merged) in zip(ids, batch, strict=True)
                for row in merged
            ],
        )


def _put_lines(db: Connection, files: dict[str | bytes, int], rows: Sequence[tuple[int, ChangeRow]]) -> None:
    """Write the lines that commits moved or took out."""
    db.executemany(
        "INSERT OR REPLACE INTO moved_lines VALUES (?, ?, ?, ?, ?)",
        [
            (
                _file_id(db, files, row.path, row.role),
                commit_id,
                _file_id(db, files, path, role),
                pack_blob(blob),
                runs,
            )
            for commit_id, row in rows
            for path, role, blob, runs in row.moved
        ],
    )
    db.executemany(
        "INSERT OR REPLACE INTO removed_lines VALUES (?, ?, ?)",
        [
            (_file_id(db, files, row.path, row.role), commit_id, row.removed_keys)
            for commit_id, row in rows
            if row.removed_keys
        ],
    )


def _put_commits(db: Connection, batch: Batch) -> list[int]:
    """Write the commits themselves; returns their ids in order. A known one keeps its id and its terms."""
    known = dict(db.execute("SELECT hash, id FROM commits WHERE is_boundary"))
    free = db.execute("SELECT coalesce(max(id), 0) + 1 FROM commits").fetchone()[0]
    ids: list[int] = []
    terms = []
    for row, _, _ in batch:
        commit_id = known.get(bytes.fromhex(row.hash))
        if commit_id is None:
            commit_id, free = free, free + 1
            terms.append((commit_id, *row.terms))
        ids.append(commit_id)
    db.executemany(
        "INSERT OR REPLACE INTO commits (id, hash, parents, authored_at, committed_at, author, subject, body, excerpt,"
        " intent, is_bulk, is_boundary, file_count, added_count, removed_count, undoes, is_in_head)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
        [
            _make_values(commit_id, row, changes)
            for commit_id, (row, changes, _) in zip(ids, batch, strict=True)
        ],
    )
    db.executemany(
        "INSERT INTO commits_fts (rowid, subject, body, names, code) VALUES (?, ?, ?, ?, ?)", terms
    )
    return ids


def _make_values(commit_id: int, row: CommitRow, changes: Sequence[ChangeRow]) -> tuple[object, ...]:
    return (
        commit_id,
        bytes.fromhex(row.hash),
        bytes.fromhex("".join(row.parents)),
        row.authored_at,
        row.committed_at,
        row.author,
        row.subject,
        pack_text(row.body),
        pack_text(row.excerpt),
        row.intent,
        row.is_bulk,
        row.is_boundary,
        len(changes),
        sum(change.added_count for change in changes),
        sum(change.removed_count for change in changes),
        row.undoes,
    )


def _file_id(db: Connection, files: dict[str | bytes, int], path: str, role: str) -> int:
    key = path_key(path)
    if (known := files.get(key)) is not None:
        return known
    found = db.execute("SELECT id FROM files WHERE path = ?", (key,)).fetchone()
    if found is None:
        found = (db.execute("INSERT INTO files (path, role) VALUES (?, ?)", (key, role)).lastrowid,)
    files[key] = int(found[0])
    return files[key]


def show(db: Connection, hashes: Iterable[str], *, is_all: bool) -> list[int]:
    """Put commits in sight, and where `is_all` every other one out of it; returns those that were not as they are now.

    The caller holds the transaction.
    """
    wanted = {bytes.fromhex(name) for name in hashes}
    if is_all:
        rows = db.execute("SELECT id, hash, is_in_head FROM commits").fetchall()
        flips = [
            (name in wanted, number)
            for number, name, is_in_head in rows
            if bool(is_in_head) != (name in wanted)
        ]
    else:
        found = (db.execute("SELECT id FROM commits WHERE hash = ?", (name,)).fetchone() for name in wanted)
        flips = [(True, row[0]) for row in found if row]
    db.executemany("UPDATE commits SET is_in_head = ? WHERE id = ?", flips)
    return [number for _, number in flips]
