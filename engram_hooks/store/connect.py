"""Open the store: the one place that knows the driver, the schema version and what its errors mean."""

from __future__ import annotations

import os
import sys

from engram_hooks.errors import (
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreMissing,
    StoreNewer,
    StoreOutdated,
    StoreReadOnly,
)
from engram_hooks.store.packing import unpack_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from sqlite3 import Connection
    from types import ModuleType
    from typing import TypeVar

    Result = TypeVar("Result")


def _import_driver() -> ModuleType:
    """The C driver without `functools`, of which it wants `lru_cache` alone; the public package where that fails.

    `functools` brings `collections` and costs a hook a quarter of a bare interpreter's start.
    """
    if "functools" in sys.modules:
        import sqlite3

        return sqlite3
    try:
        from _functools import _lru_cache_wrapper  # type: ignore[import-not-found]

        stand_in = type(sys)("functools")
        stand_in.__dict__["lru_cache"] = lambda maxsize: (
            lambda call: _lru_cache_wrapper(call, maxsize, False, tuple)
        )
        sys.modules["functools"] = stand_in
        try:
            import _sqlite3
        finally:
            del sys.modules["functools"]
    except ImportError:
        import sqlite3

        return sqlite3
    return _sqlite3


driver = _import_driver()

SCHEMA_VERSION = 6
READ_BUSY_MS = 50
# single pages can be given back, without a rewrite of the file; holds from a store's first table or a full VACUUM on
FREEING = "PRAGMA auto_vacuum = INCREMENTAL"
CHECKPOINT_PAGES = 200  # short ones: a hook pays for them
HEADER = b"SQLite format 3\x00"

DatabaseError = driver.DatabaseError
IntegrityError = driver.IntegrityError


def open_store(path: str, *, busy_ms: int = READ_BUSY_MS, version: int = SCHEMA_VERSION) -> Connection:
    """Open an existing store of exactly `version` in autocommit mode; waits at most `busy_ms` for a lock.

    In a folder that cannot be written the store is opened for reading only. Raises a child of
    `StoreError` that says what is wrong; never creates or changes a file.
    """
    check_header(path)
    try:
        db = connect_file(path, "mode=rw", busy_ms)
    except DatabaseError as error:
        db = _open_read_only(path, busy_ms, error)
    check_version(db, version)
    db.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}")
    return db


def open_reader(path: str, *, version: int) -> Connection:
    """Open a database that is only asked, at the least cost; raises and waits as `open_store`."""
    check_header(path)
    db: Connection | None = None
    try:
        db = driver.connect(
            _address(path, "mode=ro"), timeout=READ_BUSY_MS / 1000, isolation_level=None, uri=True
        )
        found = db.execute("PRAGMA user_version").fetchone()[0]
    except DatabaseError:
        if db is not None:
            db.close()
        return open_store(path, version=version)
    _compare_version(found, version)
    return db


def check_header(path: str) -> None:
    """Raise `StoreMissing` or `StoreDamaged` where the file is absent or is no SQLite database."""
    try:
        fd = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        raise StoreMissing(f"there is no store at {path}") from None
    except NotADirectoryError:
        raise StoreMissing(f"there is no store at {path}") from None
    except OSError as error:
        raise StoreError(f"the store at {path} cannot be read: {error.strerror}") from None
    try:
        head = os.read(fd, len(HEADER))
    except OSError as error:  # a folder stands in its place
        raise StoreDamaged(f"the store at {path} is not a file: {error.strerror}") from None
    finally:
        os.close(fd)
    if head != HEADER:
        raise StoreDamaged(f"the store at {path} is not an SQLite database")


def check_version(db: Connection, version: int) -> None:
    """Raise where the schema is not `version`: `StoreOutdated`, `StoreNewer`."""
    _compare_version(run(lambda: int(db.execute("PRAGMA user_version").fetchone()[0])), version)


def _compare_version(found: int, version: int) -> None:
    if found < version:
        raise StoreOutdated(f"the store has schema {found}, this engram needs {version}")
    if found > version:
        raise StoreNewer(
            f"the store was written by a newer engram (schema {found}, this one knows {version})",
            hint="pip install --upgrade engram-hooks",
        )


def run(action: Callable[[], Result]) -> Result:
    """Call `action` and turn the driver's errors into a `StoreError` or a child of it."""
    try:
        return action()
    except DatabaseError as error:
        raise explain(error) from error


def explain(error: Exception) -> StoreError:
    """The `StoreError` that says in our words what the driver reported."""
    text = str(error)
    if "locked" in text or "busy" in text:
        return StoreBusy("the store is in use by another process")
    if "malformed" in text or "not a database" in text or "disk image" in text:
        return StoreDamaged(f"the store is damaged: {text}", hint="engram doctor --fix")
    if "full" in text:
        return StoreError("the disk is full", hint="free some space, then run the command again")
    if "disk I/O" in text:  # also what the driver says of a disk without room for its shared memory
        return StoreError(
            "the disk refuses to read or write, as a full one does",
            hint="free some space, then run the command again",
        )
    if "readonly" in text or "read-only" in text:
        return StoreReadOnly(
            "the store can only be read: its folder or file is write-protected",
            hint="change its rights, or set ENGRAM_HOME to another folder",
        )
    return StoreError(f"the store does not work: {text}", hint="engram doctor")


def begin(db: Connection) -> None:
    """Start a write transaction now. Raises `StoreBusy` where another writer holds the store."""
    run(lambda: db.execute("BEGIN IMMEDIATE"))


def connect_file(path: str, mode: str, busy_ms: int = READ_BUSY_MS) -> Connection:
    """Connect in autocommit mode with the query of an SQLite file name (`mode=rw`) and read the schema.

    Raises the driver's errors.
    """
    db: Connection = driver.connect(
        _address(path, mode), timeout=busy_ms / 1000, isolation_level=None, uri=True
    )
    db.create_function("plain", 1, unpack_text, deterministic=True)
    try:
        db.execute("PRAGMA synchronous=NORMAL")
        db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
    except DatabaseError:
        db.close()
        raise
    return db


def _address(path: str, mode: str) -> str:
    name = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return f"file:{name}?{mode}"


def _open_read_only(path: str, busy_ms: int, error: Exception) -> Connection:
    """A store whose folder takes no `-shm` file can still be read while nobody writes."""
    if "locked" in str(error) or os.access(os.path.dirname(path), os.W_OK):
        raise explain(error) from error
    try:
        return connect_file(path, "mode=ro&immutable=1", busy_ms)
    except DatabaseError as second:
        raise explain(second) from second
