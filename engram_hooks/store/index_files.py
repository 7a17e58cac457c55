"""Where a project's index is, and how it is opened for reading."""

from __future__ import annotations

import os

from engram_hooks.store.connect import open_reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

INDEX_VERSION = 4
FOLDER = "index"


def index_path(data: str, project_uid: str) -> str:
    """The file of a project's index inside the data folder."""
    return os.path.join(data, FOLDER, f"{project_uid}.db")


def has_indexes(data: str) -> bool:
    """Whether there may be an index of any project: one look at the folder."""
    return os.path.isdir(os.path.join(data, FOLDER))


def find_index(db: Connection, data: str, project_id: int) -> str:
    """The uid of a project of the store `db` that has an index, '' where it has none."""
    row = db.execute("SELECT uid FROM projects WHERE id = ?", (project_id,)).fetchone()
    return str(row[0]) if row and os.path.exists(index_path(data, row[0])) else ""


def open_index(data: str, project_uid: str) -> Connection:
    """Open a project's index for reading. Raises `StoreMissing` where there is none, else as `open_store`."""
    return open_reader(index_path(data, project_uid), version=INDEX_VERSION)


def path_key(path: str) -> str | bytes:
    """The form a path (with `surrogateescape`) is stored in: text, or its bytes where they are not UTF-8."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return path.encode("utf-8", "surrogateescape")
    return path


def read_path(key: str | bytes) -> str:
    """The path of a stored form."""
    return key if isinstance(key, str) else key.decode("utf-8", "surrogateescape")
