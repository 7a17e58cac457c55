"""Copies of the store: made while others work, kept in a folder of their own, put back."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from engram_hooks.errors import EngramError, StoreError, StoreMissing
from engram_hooks.paths import store_path
from engram_hooks.store import files
from engram_hooks.store.connect import (
    SCHEMA_VERSION,
    DatabaseError,
    check_header,
    connect_file,
    explain,
    run,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from sqlite3 import Connection

FOLDER = "backups"
KEEP = 5
_PAGES_A_STEP = 2048
_BUSY_MS = 5000


@dataclass(frozen=True, slots=True)
class Backup:
    """One automatic backup on disk."""

    path: str
    size_bytes: int
    made_at: int
    reason: str


def back_up(db: Connection, target: str, *, progress: Callable[[int, int], None] | None = None) -> int:
    """Copy the store as it is now to the new file `target` (one file, 0600); returns its size in bytes.

    Others may read and write meanwhile. `progress` is told pages done and pages in all. Raises
    `EngramError` where `target` exists, `StoreError` where it cannot be written.
    """
    if os.path.lexists(target):
        raise EngramError(f"{target} exists already", hint="name a file that does not exist yet")
    try:
        temporary = files.make_file_beside(os.path.abspath(target))
        try:
            _copy(db, temporary, progress)
            size = os.stat(temporary).st_size
        except BaseException:
            os.unlink(temporary)
            raise
        if not files.move_into_place(temporary, os.path.abspath(target)):
            raise EngramError(f"{target} exists already", hint="name a file that does not exist yet")
    except OSError as error:
        raise files.explain_os(error, f"the backup {target} cannot be written") from error
    return size


def _copy(db: Connection, path: str, progress: Callable[[int, int], None] | None) -> None:
    def tell(_: int, remaining: int, total: int) -> None:
        if progress:
            progress(total - remaining, total)

    own = not db.in_transaction
    try:
        copy = connect_file(path, "mode=rw", _BUSY_MS)
        try:
            if own:  # a read transaction holds one moment of the store, however long the copy takes
                db.execute("BEGIN")
                db.execute("SELECT 1 FROM sqlite_master").fetchone()
            db.backup(copy, pages=_PAGES_A_STEP, progress=tell, sleep=0.01)
            copy.execute("PRAGMA journal_mode = DELETE")
        finally:
            if own and db.in_transaction:
                db.execute("ROLLBACK")
            copy.close()
    except DatabaseError as error:
        raise explain(error) from error


def back_up_here(db: Connection, data: str, *, reason: str, now_ms: int, keep: int = KEEP) -> str:
    """Make an automatic backup in the data folder and delete the oldest beyond `keep`; returns its path."""
    folder = os.path.join(data, FOLDER)
    files.make_folder(folder)
    stamp = datetime.fromtimestamp(now_ms / 1000, UTC).strftime("%Y%m%d-%H%M%S")
    target = os.path.join(folder, f"engram-{stamp}-{reason}.db")
    number = 1
    while os.path.lexists(target):
        number += 1
        target = os.path.join(folder, f"engram-{stamp}-{reason}.{number}.db")
    back_up(db, target)
    for old in list_backups(data)[keep:]:
        os.unlink(old.path)
    return target


def list_backups(data: str) -> list[Backup]:
    """The automatic backups in the data folder, newest first."""
    folder = os.path.join(data, FOLDER)
    found = []
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        parts = name.removesuffix(".db").split("-", 3)
        if name.endswith(".db") and parts[0] == "engram" and len(parts) == 4:
            found.append(_describe(os.path.join(folder, name), parts))
    return sorted((item for item in found if item), key=lambda item: (item.made_at, item.path), reverse=True)


def _describe(path: str, parts: list[str]) -> Backup | None:
    try:
        moment = datetime.strptime(parts[1] + parts[2], "%Y%m%d%H%M%S").replace(tzinfo=UTC)
        size = os.stat(path).st_size
    except (ValueError, OSError):
        return None
    return Backup(path, size, int(moment.timestamp() * 1000), parts[3])


def restore(data: str, source: str, *, now_ms: int) -> str:
    """Make the store what the backup `source` holds; returns where its state before is kept ('' for none).

    A readable store is backed up and then overwritten in one transaction, so that processes that have it
    open see the change; a damaged one is set aside. Raises a `StoreError` where the backup is no good.
    """
    copy = _open_backup(source)
    path = store_path(data)
    try:
        try:
            check_header(path)
            current = connect_file(path, "mode=rw", _BUSY_MS)
        except (StoreError, DatabaseError) as error:
            kept = "" if isinstance(error, StoreMissing) else set_aside(data, now_ms=now_ms)
            files.make_folder(data)
            back_up(copy, path)
            return kept
        try:
            kept = back_up_here(current, data, reason="before-restore", now_ms=now_ms, keep=sys.maxsize)
            run(lambda: copy.backup(current))
        finally:
            current.close()
    finally:
        copy.close()
    return kept


def _open_backup(source: str) -> Connection:
    try:
        check_header(source)
        copy = connect_file(source, "mode=ro", _BUSY_MS)
    except DatabaseError as error:
        raise explain(error) from error
    try:
        version = run(lambda: int(copy.execute("PRAGMA user_version").fetchone()[0]))
        verdict = str(run(lambda: copy.execute("PRAGMA quick_check(1)").fetchone()[0]))
        if not 0 < version <= SCHEMA_VERSION or verdict != "ok":
            what = (
                verdict if verdict != "ok" else f"its schema is {version}, this engram knows {SCHEMA_VERSION}"
            )
            raise StoreError(f"{source} cannot be restored: {what}", hint="engram backup list")
    except BaseException:
        copy.close()
        raise
    return copy


def set_aside(data: str, *, now_ms: int) -> str:
    """Give a damaged store (and its journals) a name with the time, so that a new one can be made.

    Returns the new path; nothing is deleted or overwritten. Raises `StoreMissing` where there is none.
    """
    path = store_path(data)
    stamp = datetime.fromtimestamp(now_ms / 1000, UTC).strftime("%Y%m%d-%H%M%S")
    with files.hold_lock(data, max_wait_ms=_BUSY_MS):
        if not os.path.lexists(path):
            raise StoreMissing(f"there is no store at {path}")
        target = files.find_free_name(f"{path}.damaged-{stamp}")
        try:
            os.rename(path, target)
            for side in files.SIDE_FILES:
                if os.path.lexists(path + side):
                    os.rename(path + side, files.find_free_name(target + side))
        except OSError as error:
            raise files.explain_os(error, f"the store {path} cannot be moved aside") from error
    return target
