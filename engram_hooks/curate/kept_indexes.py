"""Indexes that stay open while a facade asks them again and again: opening one costs more than most answers."""

from __future__ import annotations

import os
from sqlite3 import Connection
from typing import NamedTuple

from engram_hooks.store.index_files import index_path, open_index

MAX_KEPT = 8
_LOG = "-wal"

# (device, inode, mtime in ns, size) of the file and of its log; zeros for one that is not there
Stamp = tuple[tuple[int, ...], tuple[int, ...]]


class _Kept(NamedTuple):
    db: Connection
    stamp: Stamp


class KeptIndexes:
    """Connections for reading, by file; one whose file is not what it was is opened anew.

    What a connection remembers of a file is thrown away as soon as somebody has written, deleted or replaced it.
    """

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}

    def open(self, data: str, project_uid: str) -> Connection:
        """The index of a project, open until it changes; not to be closed. Raises as `open_index`."""
        path = index_path(data, project_uid)
        stamp = _stamp_of(path)
        kept = self._kept.get(path)
        if kept is not None:
            if kept.stamp == stamp:
                return kept.db
            self._drop(path)
        while len(self._kept) >= MAX_KEPT:
            self._drop(next(iter(self._kept)))
        db = open_index(data, project_uid)
        opened = _stamp_of(path)  # opening may make the log
        if opened[0] == stamp[0]:
            stamp = opened
        self._kept[path] = _Kept(db, stamp)
        return db

    def close(self) -> None:
        """Close all of them; they open again when asked."""
        for path in list(self._kept):
            self._drop(path)

    def _drop(self, path: str) -> None:
        self._kept.pop(path).db.close()


def _stamp_of(path: str) -> Stamp:
    return _stat(path), _stat(path + _LOG)


def _stat(path: str) -> tuple[int, ...]:
    try:
        found = os.stat(path)
    except OSError:
        return (0, 0, 0, 0)
    return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size
