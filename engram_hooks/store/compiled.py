"""Compiled settings: the rows that a TOML file became, and the state of the file then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_hooks.guard.redact import redact
from engram_hooks.jsontext import dumps, loads
from engram_hooks.store.audit import add_entry
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Connection

    from engram_hooks.store.settings import Value

# settings that change what is kept, what is told, or who judges it: a change of them is written down
_WEIGHTY = "brain.", "consolidate.", "core.", "log.", "branch.", "boot.max_chars", "embed.model"


def replace_rows(
    db: Connection,
    path: str,
    project_id: int,
    rows: Mapping[str, tuple[Value, str]],
    *,
    stamp: tuple[int, int],
    now_ms: int = 0,
) -> None:
    """Put what a file says now (key -> (value, `file:line`)) in the place of what it said before.

    `stamp` is the file's size and mtime before it was read; a size below 0 says that it is gone. Changes of weighty
    settings go into the book of changes.
    """
    with Transaction(db):
        _note_changes(db, path, project_id, rows, now_ms=now_ms)
        db.execute("DELETE FROM settings WHERE project_id = ?", (project_id,))
        db.executemany(
            "INSERT INTO settings VALUES (?, ?, ?, ?)",
            [(project_id, key, dumps(value), source) for key, (value, source) in rows.items()],
        )
        mark_read(db, path, project_id, stamp=stamp)


def mark_read(db: Connection, path: str, project_id: int, *, stamp: tuple[int, int]) -> None:
    """Note the state in which a file was read."""
    if stamp[0] < 0:
        db.execute("DELETE FROM settings_files WHERE path = ?", (path,))
        return
    db.execute(
        "INSERT INTO settings_files VALUES (?, ?, ?, ?) ON CONFLICT (path) DO UPDATE SET"
        " project_id = excluded.project_id, size_bytes = excluded.size_bytes, mtime_ns = excluded.mtime_ns",
        (path, project_id, *stamp),
    )


def list_files(db: Connection) -> list[str]:
    """The settings files that were compiled or wait for it."""
    return [str(path) for (path,) in db.execute("SELECT path FROM settings_files ORDER BY path")]


def _note_changes(
    db: Connection, path: str, project_id: int, rows: Mapping[str, tuple[Value, str]], *, now_ms: int
) -> None:
    known = db.execute("SELECT key, value FROM settings WHERE project_id = ?", (project_id,)).fetchall()
    old = {key: loads(value) for key, value in known if key.startswith(_WEIGHTY)}
    new = {key: value for key, (value, _) in rows.items() if key.startswith(_WEIGHTY)}
    for key in sorted({*old, *new}):
        before, after = old.get(key), new.get(key)
        if before != after:
            add_entry(
                db,
                None,
                "setting",
                actor="person",
                now_ms=now_ms,
                before={key: _show(before)} if key in old else None,
                after={key: _show(after)} if key in new else None,
                reason=path,
            )


def _show(value: object) -> object:
    return redact(value) if isinstance(value, str) else value
