"""Open an index for writing: built where missing, thrown away where it is damaged or of another version."""

from __future__ import annotations

import contextlib
import hashlib
import os
from typing import TYPE_CHECKING

from engram_hooks.errors import StoreDamaged, StoreMissing
from engram_hooks.store import files, migrate, mounts
from engram_hooks.store.connect import DatabaseError, check_header, connect_file, explain, run
from engram_hooks.store.index_files import FOLDER, index_path
from engram_hooks.store.index_schema import STEPS
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from sqlite3 import Connection

BUSY_MS = 5000
# a writer keeps what it builds in memory and writes pages once: a sixth of the time of a first index
CHECKPOINT_PAGES = 20_000
CACHE_KIB = 64 << 10


def ensure_index(data: str, project_uid: str, *, steps: Sequence[str] = STEPS) -> Connection:
    """Open a project's index in autocommit mode; the caller holds its lock. Raises a `StoreError`."""
    path = index_path(data, project_uid)
    files.make_folder(data)
    files.make_folder(os.path.join(data, FOLDER))
    try:
        check_header(path)
        return _open(path, data, steps)
    except (StoreMissing, StoreDamaged):
        delete_index(data, project_uid)
    with _explained(path):
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    return _open(path, data, steps)


def settle(db: Connection) -> None:
    """Move what was written from the log into the file, as far as readers let it."""
    run(lambda: db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone())


def delete_index(data: str, project_uid: str) -> None:
    """Delete a project's index; nothing is lost but the time to build it. Raises a `StoreError`."""
    path = index_path(data, project_uid)
    for name in (path, *(path + side for side in files.SIDE_FILES)):
        with _explained(path), contextlib.suppress(FileNotFoundError):
            os.unlink(name)


@contextlib.contextmanager
def hold_index(data: str, project_uid: str) -> Iterator[None]:
    """Let no other process index this project meanwhile; the lock ends with the process.

    Raises `StoreBusy` at once where another one does.
    """
    files.make_folder(data)
    folder = os.path.join(data, FOLDER)
    files.make_folder(folder)
    taken = "another engram is indexing this repository"
    with files.hold_lock(folder, max_wait_ms=0, name=f"{project_uid}.lock", taken=taken):
        yield


def _open(path: str, data: str, steps: Sequence[str]) -> Connection:
    try:
        db = connect_file(path, "mode=rw", BUSY_MS)
    except DatabaseError as error:
        raise explain(error) from error
    try:
        journal = "truncate" if mounts.find_shared_type(data) else "wal"
        run(lambda: db.execute(f"PRAGMA journal_mode = {journal}").fetchone())
        db.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        db.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        _build(db, steps)
    except BaseException:
        db.close()
        raise
    return db


def _build(db: Connection, steps: Sequence[str]) -> None:
    """Make the tables. What another version of the steps made is thrown away: it can be learnt again."""
    wanted = hashlib.sha256("\n".join(steps).encode()).hexdigest()
    if migrate.read_version(db):
        try:
            found = db.execute("SELECT value FROM facts WHERE key = 'schema'").fetchone()
        except DatabaseError:
            found = None
        if found != (wanted,):
            raise StoreDamaged("the index is of another version")
        return
    with Transaction(db):
        for step in steps:
            for statement in migrate.split_statements(step):
                db.execute(statement)
        db.execute("INSERT INTO facts (key, value) VALUES ('schema', ?)", (wanted,))
        db.execute(f"PRAGMA user_version = {len(steps)}")


@contextlib.contextmanager
def _explained(path: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        raise files.explain_os(error, f"the index {path} cannot be written") from error
