"""Copies of the store: whole, private, never over something else."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks.errors import EngramError, StoreError, StoreMissing
from engram_hooks.paths import store_path
from engram_hooks.store.backup import back_up, back_up_here, list_backups, restore, set_aside
from engram_hooks.store.check import check_store
from engram_hooks.store.connect import open_store
from engram_hooks.store.create import ensure_store
from tests.conftest import NOW_MS

HOUR_MS = 3_600_000


def put(db: Connection, value: str) -> None:
    db.execute(
        "INSERT INTO meta VALUES ('mark', ?) ON CONFLICT DO UPDATE SET value = excluded.value", (value,)
    )


def mark_of(db: Connection) -> str | None:
    row = db.execute("SELECT value FROM meta WHERE key = 'mark'").fetchone()
    return str(row[0]) if row else None


def test_copy_is_one_private_file_with_all_rows(tmp_path: Path, store: Connection) -> None:
    put(store, "kept")
    target = tmp_path / "copy.db"
    seen: list[tuple[int, int]] = []
    size = back_up(store, str(target), progress=lambda done, total: seen.append((done, total)))
    assert size == target.stat().st_size
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith("copy")] == ["copy.db"]
    assert seen[-1][0] == seen[-1][1] > 0
    copy = open_store(str(target))
    assert mark_of(copy) == "kept"
    assert check_store(copy) == []
    copy.close()


def test_copy_never_overwrites(tmp_path: Path, store: Connection) -> None:
    target = tmp_path / "copy.db"
    target.write_text("mine", encoding="utf-8")
    with pytest.raises(EngramError, match="exists already"):
        back_up(store, str(target))
    assert target.read_text(encoding="utf-8") == "mine"


def test_copy_into_a_missing_folder_is_refused(tmp_path: Path, store: Connection) -> None:
    with pytest.raises(StoreError, match="cannot be written"):
        back_up(store, str(tmp_path / "none" / "copy.db"))


def test_copy_holds_one_moment_while_others_write(data: str, tmp_path: Path, store: Connection) -> None:
    put(store, "before")
    store.execute("CREATE TABLE filler (text)")
    store.executemany("INSERT INTO filler VALUES (?)", [("x" * 4000,) for _ in range(3000)])
    writer = ensure_store(data, now_ms=NOW_MS)
    wrote: list[tuple[int, int]] = []

    def write(done: int, total: int) -> None:
        if not wrote:
            put(writer, "meanwhile")
            wrote.append((done, total))

    back_up(store, str(tmp_path / "copy.db"), progress=write)
    writer.close()
    copy = open_store(str(tmp_path / "copy.db"))
    assert wrote[0][0] < wrote[0][1]
    assert mark_of(copy) == "before"
    assert mark_of(store) == "meanwhile"
    copy.close()


def test_automatic_backups_are_listed_newest_first_and_rotated(data: str, store: Connection) -> None:
    made = [back_up_here(store, data, reason="daily", now_ms=NOW_MS + i * HOUR_MS, keep=3) for i in range(5)]
    assert [item.path for item in list_backups(data)] == made[:1:-1]
    assert {item.reason for item in list_backups(data)} == {"daily"}
    assert stat.S_IMODE(os.stat(os.path.dirname(made[0])).st_mode) == 0o700


def test_two_backups_of_one_second_are_two_files(data: str, store: Connection) -> None:
    first = back_up_here(store, data, reason="a-b", now_ms=NOW_MS)
    second = back_up_here(store, data, reason="a-b", now_ms=NOW_MS)
    assert first != second
    assert len(list_backups(data)) == 2


def test_foreign_files_are_no_backups(data: str, store: Connection) -> None:
    back_up_here(store, data, reason="daily", now_ms=NOW_MS)
    folder = Path(data, "backups")
    for name in ("notes.txt", "engram-notes.db", "engram-20261399-999999-x.db", "other-20260101-000000-x.db"):
        (folder / name).write_bytes(b"")
    assert len(list_backups(data)) == 1


def test_restore_is_seen_by_processes_that_have_the_store_open(data: str, store: Connection) -> None:
    put(store, "old")
    copy = back_up_here(store, data, reason="daily", now_ms=NOW_MS)
    put(store, "new")
    kept = restore(data, copy, now_ms=NOW_MS + HOUR_MS)
    assert mark_of(store) == "old"
    before = open_store(kept)
    assert mark_of(before) == "new"
    before.close()


def test_restore_over_a_damaged_store_keeps_the_damaged_file(data: str, store: Connection) -> None:
    put(store, "old")
    copy = back_up_here(store, data, reason="daily", now_ms=NOW_MS)
    store.close()
    Path(store_path(data)).write_bytes(b"rubbish" * 100)
    kept = restore(data, copy, now_ms=NOW_MS)
    assert Path(kept).read_bytes() == b"rubbish" * 100
    db = ensure_store(data, now_ms=NOW_MS)
    assert mark_of(db) == "old"
    db.close()


def test_restore_without_a_store(data: str, tmp_path: Path, store: Connection) -> None:
    put(store, "old")
    back_up(store, str(tmp_path / "copy.db"))
    other = str(tmp_path / "other")
    assert restore(other, str(tmp_path / "copy.db"), now_ms=NOW_MS) == ""
    db = ensure_store(other, now_ms=NOW_MS)
    assert mark_of(db) == "old"
    db.close()


@pytest.mark.parametrize("content", [b"", b"text", b"SQLite format 3\0" + b"\0" * 4080])
def test_useless_backup_is_refused_before_anything_changes(
    data: str, tmp_path: Path, store: Connection, content: bytes
) -> None:
    put(store, "kept")
    (tmp_path / "copy.db").write_bytes(content)
    with pytest.raises(StoreError):
        restore(data, str(tmp_path / "copy.db"), now_ms=NOW_MS)
    assert mark_of(store) == "kept"
    assert list_backups(data) == []


def test_store_of_a_newer_engram_is_not_restored(data: str, tmp_path: Path, store: Connection) -> None:
    store.execute("PRAGMA user_version = 999")
    back_up(store, str(tmp_path / "copy.db"))
    with pytest.raises(StoreError, match="schema is 999"):
        restore(str(tmp_path / "other"), str(tmp_path / "copy.db"), now_ms=NOW_MS)


def test_damaged_store_is_set_aside_with_its_journals(data: str, store: Connection) -> None:
    store.close()
    path = store_path(data)
    for side in ("", "-wal", "-shm"):
        Path(path + side).write_text("bytes of" + side, encoding="utf-8")
    kept = set_aside(data, now_ms=NOW_MS)
    again = ensure_store(data, now_ms=NOW_MS)
    again.close()
    second = set_aside(data, now_ms=NOW_MS)
    assert kept.startswith(path + ".damaged-")
    assert second != kept
    assert [Path(kept + side).read_text(encoding="utf-8") for side in ("", "-wal", "-shm")] == [
        "bytes of",
        "bytes of-wal",
        "bytes of-shm",
    ]


def test_nothing_to_set_aside(data: str) -> None:
    os.makedirs(data)
    with pytest.raises(StoreMissing):
        set_aside(data, now_ms=NOW_MS)
