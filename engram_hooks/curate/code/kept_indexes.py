"""What a facade keeps from one question to the next: open indexes, and how files of the work tree differ from them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from sqlite3 import Connection
from typing import NamedTuple

from engram_hooks.store import index_queries
from engram_hooks.store.index_files import index_path, open_index

MAX_KEPT = 8
MAX_COMPARED = 256
SETTLED_NS = 2_000_000_000  # a file that was written later may be written again within one tick of its clock
_LOG = "-wal"

# (device, inode, mode, mtime and ctime in ns, size); zeros for a file that is not there
Stamp = tuple[int, ...]
# lines of the indexed head -> where they stand now, None where they stand as they are
Mapped = Callable[[], Mapping[int, int]] | None


class _Kept(NamedTuple):
    db: Connection
    stamps: tuple[Stamp, Stamp]  # of the file and of its log


class KeptIndexes:
    """Connections for reading, by file; one whose file is not what it was is opened anew.

    What a connection remembers of a file is thrown away as soon as somebody has written, deleted or replaced it.
    """

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}
        self._compared: dict[tuple[str, bytes], tuple[Stamp, Mapped]] = {}

    def open(self, data: str, project_uid: str) -> Connection:
        """The index of a project, open until it changes; not to be closed. Raises as `open_index`."""
        path = index_path(data, project_uid)
        stamps = _stamp(path), _stamp(path + _LOG)
        kept = self._kept.get(path)
        if kept is not None:
            if kept.stamps == stamps:
                return kept.db
            self._drop(path)
        while len(self._kept) >= MAX_KEPT:
            self._drop(next(iter(self._kept)))
        db = open_index(data, project_uid)
        index_queries.keep_pages(db)
        opened = _stamp(path), _stamp(path + _LOG)  # opening may make the log
        self._kept[path] = _Kept(db, opened if opened[0] == stamps[0] else stamps)
        return db

    def compare(self, path: str, blob: bytes, compare: Callable[[], Mapped]) -> Mapped:
        """How a file of the work tree differs from its content `blob` in the head, compared again where it changed."""
        stamp = _stamp(path)
        known = self._compared.get((path, blob))
        if known is not None and known[0] == stamp:
            return known[1]
        found = compare()
        if max(stamp[3:5]) + SETTLED_NS < time.time_ns():
            if len(self._compared) >= MAX_COMPARED:
                del self._compared[next(iter(self._compared))]
            self._compared[path, blob] = stamp, found
        return found

    def close(self) -> None:
        """Close and forget all; an index opens again when it is asked."""
        self._compared.clear()
        for path in list(self._kept):
            self._drop(path)

    def _drop(self, path: str) -> None:
        self._kept.pop(path).db.close()


def _stamp(path: str) -> Stamp:
    try:
        found = os.lstat(path)
    except OSError:
        return (0, 0, 0, 0, 0, 0)
    return found.st_dev, found.st_ino, found.st_mode, found.st_mtime_ns, found.st_ctime_ns, found.st_size
