"""What an older store, its index and its files still hold of secrets, and how that is cleaned."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from sqlite3 import Connection
from typing import TYPE_CHECKING

from engram_hooks.curate.code.repository import lacks_index
from engram_hooks.curate.forget import own_files
from engram_hooks.store import backup, connect, erase, indexes
from engram_hooks.store.index_files import FOLDER as INDEX_FOLDER
from engram_hooks.store.secret_rows import clean_row, find_held, redact_value
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from engram_hooks.memory import Engram

_MAX_FILE_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class Held:
    """So many texts of one place hold secrets of these kinds. `place` is a table or the path of a file."""

    place: str
    texts: int
    kinds: tuple[str, ...]
    is_cleaned: bool = False


def scan(memory: Engram, *, is_fixing: bool = False) -> list[Held]:
    """Look through the store, the indexes, the files of the data folder and the backups; clean all but the backups.

    A secret itself is nowhere in the answer. An index that holds one is removed, and made anew where it is that of
    the project here. Raises `StoreBusy` where another process keeps the store open.
    """
    found = _scan_store(memory.db, is_fixing=is_fixing)
    files = _scan_files(memory.data, is_fixing=is_fixing)
    indexed = list(_scan_indexes(memory, is_fixing=is_fixing))
    copies = [item for path in _list_copies(memory.data) if (item := _scan_copy(path))]
    return [*found, *indexed, *files, *copies]


def _scan_store(db: Connection, *, is_fixing: bool) -> list[Held]:
    held = list(find_held(db))
    if not held:
        return []
    left: Counter[str] = Counter()
    if is_fixing:
        with Transaction(db):
            for item in held:
                left[item.table] += not clean_row(db, item)
                if item.table == "records":
                    erase.erase_vectors(db, int(str(item.row[0])))
        indexes.rebuild_indexes(db)
        erase.compact(db)
    texts = Counter(item.table for item in held)
    kinds = {table: {kind for item in held if item.table == table for kind in item.kinds} for table in texts}
    return [
        Held(table, count, tuple(sorted(kinds[table])), is_cleaned=is_fixing and not left[table])
        for table, count in sorted(texts.items())
    ]


def _scan_indexes(memory: Engram, *, is_fixing: bool) -> Iterator[Held]:
    """What indexes hold; one that is cleaned is removed, and made anew where it is that of the project here."""
    folder = os.path.join(memory.data, INDEX_FOLDER)
    had_index = not lacks_index(memory)
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        path = os.path.join(folder, name)
        found = _scan_copy(path) if name.endswith(".db") else None
        if found is None:
            continue
        if is_fixing:
            for end in ("", "-wal", "-shm", "-journal"):
                if os.path.exists(path + end):
                    os.unlink(path + end)
        yield Held(found.place, found.texts, found.kinds, is_cleaned=is_fixing)
    if is_fixing and had_index and lacks_index(memory):
        memory.index()


def _scan_copy(path: str) -> Held | None:
    """What another database holds, None for nothing or where it cannot be read."""
    try:
        copy = connect.connect_file(path, "mode=ro")
    except connect.DatabaseError:
        return None
    try:
        held = list(find_held(copy))
    except connect.DatabaseError:
        return None
    finally:
        copy.close()
    kinds = sorted({kind for item in held for kind in item.kinds})
    return Held(path, len(held), tuple(kinds)) if held else None


def _list_copies(data: str) -> list[str]:
    return [item.path for item in backup.list_backups(data)]


def _scan_files(data: str, *, is_fixing: bool) -> list[Held]:
    """Spool, hook log, ready lines and the like; each is rewritten in one step."""
    found: list[Held] = []
    for path in own_files(data):
        try:
            if os.stat(path).st_size > _MAX_FILE_BYTES:
                continue
            with open(path, encoding="utf-8", newline="") as file:
                lines = file.read().split("\n")
        except (OSError, UnicodeDecodeError):
            continue
        clean = [redact_value(line) for line in lines]
        changed = sum(a != b for a, b in zip(lines, clean, strict=True))
        if not changed:
            continue
        if is_fixing:
            _rewrite(path, "\n".join(clean))
        found.append(Held(path, changed, (), is_cleaned=is_fixing))
    return found


def _rewrite(path: str, text: str) -> None:
    part = f"{path}.clean"
    fd = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, os.stat(path).st_mode & 0o777)
    with os.fdopen(fd, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    os.replace(part, path)
