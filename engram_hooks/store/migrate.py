"""Bring the schema of a store up to date, one step and its version in one transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from sqlite3 import complete_statement
from typing import TYPE_CHECKING

from engram_hooks.errors import StoreDamaged
from engram_hooks.store.connect import run
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from sqlite3 import Connection


def read_version(db: Connection) -> int:
    """The number of steps that the store has had; 0 is an empty file. Raises a `StoreError`."""
    return run(lambda: int(db.execute("PRAGMA user_version").fetchone()[0]))


def migrate(db: Connection, steps: Sequence[str]) -> int:
    """Apply the steps that are missing; returns how many this process applied.

    Safe beside other migrating processes and when killed at any moment. Raises a `StoreError`.
    """
    done = 0
    while (version := read_version(db)) < len(steps):
        with Transaction(db):
            if read_version(db) != version:
                continue  # another process was faster
            if not version:
                _require_empty(db)
            for statement in split_statements(steps[version]):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {version + 1}")
        done += 1
    return done


def _require_empty(db: Connection) -> None:
    if db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
        raise StoreDamaged("this SQLite database belongs to another program")


def split_statements(script: str) -> Iterator[str]:
    """The statements of an SQL script one by one, since running a script as a whole would commit first."""
    rest = ""
    for part in script.split(";"):
        rest += part + ";"
        if complete_statement(rest):
            yield rest.strip()
            rest = ""
