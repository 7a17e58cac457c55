"""Open the store for commands and the worker: create it when missing, upgrade it when older."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engram_hooks.errors import StoreBusy, StoreDamaged, StoreError, StoreMissing
from engram_hooks.paths import store_path
from engram_hooks.store import backup, files, indexes, meta, migrate, mounts, schema
from engram_hooks.store.connect import (
    FREEING,
    DatabaseError,
    check_header,
    check_version,
    connect_file,
    explain,
    open_store,
    run,
)

if TYPE_CHECKING:
    from sqlite3 import Connection

BUSY_MS = 5000
STEPS = schema.STEPS
NOTICE_SLUG = "store-journal"


def ensure_store(
    data: str, *, now_ms: int, busy_ms: int = BUSY_MS, steps: Sequence[str] = STEPS
) -> Connection:
    """Open the store in the folder `data` in autocommit mode: created where missing, migrated where older.

    Rows are plain tuples; `busy_ms` is how long locks are waited for. In a folder that cannot be written
    an up-to-date store is opened for reading. Raises a child of `StoreError` with one sentence that names
    the file and a hint.
    """
    path = store_path(data)
    try:
        return _ensure(data, path, now_ms=now_ms, busy_ms=busy_ms, steps=steps)
    except StoreError as error:
        raise name_file(error, path) from error


def name_file(error: StoreError, path: str) -> StoreError:
    """The same error with the store's file in its sentence and a hint that leads out."""
    message = error.message if path in error.message else f"{error.message} ({path})"
    hint = error.hint
    if isinstance(error, StoreDamaged):
        hint = "engram doctor --fix sets it aside (nothing is deleted); engram restore brings a backup back"
    elif isinstance(error, StoreBusy) and not hint:
        hint = "run the command again"
    return type(error)(message, hint=hint)


def _ensure(data: str, path: str, *, now_ms: int, busy_ms: int, steps: Sequence[str]) -> Connection:
    version = len(steps)
    try:
        check_header(path)
    except StoreMissing:
        files.make_folder(data)
        _create(data, path, now_ms=now_ms, busy_ms=busy_ms, steps=steps)
        check_header(path)
    if not os.access(data, os.W_OK):
        return open_store(path, busy_ms=busy_ms, version=version)
    try:
        db = connect_file(path, "mode=rw", busy_ms)
    except DatabaseError as error:
        raise explain(error) from error
    try:
        run(lambda: _prepare(db, data, now_ms=now_ms, busy_ms=busy_ms, steps=steps))
        check_version(db, version)
    except BaseException:
        db.close()
        raise
    return db


def _prepare(db: Connection, data: str, *, now_ms: int, busy_ms: int, steps: Sequence[str]) -> None:
    """What must be true of an existing store before anybody works with it."""
    found = migrate.read_version(db)
    if found > len(steps):
        return  # a newer engram's: not touched, the caller says so
    _settle_journal(db, data)
    if found < len(steps):
        with files.hold_lock(data, max_wait_ms=busy_ms):
            if 0 < migrate.read_version(db) < len(steps):
                backup.back_up_here(db, data, reason=f"before-schema-{len(steps)}", now_ms=now_ms)
            migrate.migrate(db, steps)
    indexes.rebuild_outdated(db)


def _settle_journal(db: Connection, data: str) -> None:
    """Choose the journal after the file system: looked up first, since the wrong one fails silently."""
    shared = mounts.find_shared_type(data)
    wanted = "truncate" if shared else "wal"
    current = str(run(lambda: db.execute("PRAGMA journal_mode").fetchone()[0])).lower()
    if wanted == current:
        return
    try:
        # changing to or from the write-ahead log needs the store for itself: a busy one waits
        db.execute(f"PRAGMA journal_mode = {wanted}")
    except DatabaseError:
        return
    if shared and migrate.read_version(db) and not meta.has_notice(db, NOTICE_SLUG):
        meta.post_notice(db, NOTICE_SLUG, describe_journal(data, shared))


def describe_journal(data: str, shared: str) -> str:
    """The notice for a store on a file system of another system's kernel or a network."""
    return (
        f"the store is on a file system of type {shared} ({data}): engram uses a slower journal there."
        " A local folder is better: set ENGRAM_HOME"
    )


def _create(data: str, path: str, *, now_ms: int, busy_ms: int, steps: Sequence[str]) -> None:
    """Build a store aside and move it into place; where another process was faster, its store stays."""
    with files.hold_lock(data, max_wait_ms=busy_ms):
        if os.path.lexists(path):
            return
        try:
            _move_orphans(path)
            files.delete_leftovers(path, now_ms=now_ms)
            temporary = files.make_file_beside(path)
            try:
                _build(temporary, data, steps)
            except BaseException:
                _unlink_all(temporary)
                raise
            files.move_into_place(temporary, path)
        except OSError as error:
            raise files.explain_os(error, f"the store {path} cannot be created") from error


def _build(temporary: str, data: str, steps: Sequence[str]) -> None:
    try:
        db = connect_file(temporary, "mode=rw", BUSY_MS)
    except DatabaseError as error:
        raise explain(error) from error
    try:
        run(lambda: db.execute(FREEING))
        migrate.migrate(db, steps)
        run(lambda: indexes.rebuild_outdated(db))
        _settle_journal(db, data)
    finally:
        db.close()


def _move_orphans(path: str) -> None:
    """Journals of a store that is gone would be replayed into the new one: give them another name."""
    for side in files.SIDE_FILES:
        if os.path.lexists(path + side):
            os.rename(path + side, files.find_free_name(f"{path}.orphan{side}"))


def _unlink_all(temporary: str) -> None:
    for name in (temporary, *(temporary + side for side in files.SIDE_FILES)):
        try:
            os.unlink(name)
        except FileNotFoundError:
            continue
