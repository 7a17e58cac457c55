"""Opening the store for commands: created, upgraded, or refused with a way out."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from sqlite3 import Connection, connect

import pytest

from engram_hooks.errors import StoreBusy, StoreDamaged, StoreError, StoreNewer
from engram_hooks.paths import store_path
from engram_hooks.store import mounts
from engram_hooks.store.backup import list_backups
from engram_hooks.store.check import check_store
from engram_hooks.store.connect import SCHEMA_VERSION, open_store
from engram_hooks.store.create import STEPS, ensure_store
from engram_hooks.store.meta import take_notices
from tests.conftest import NOW_MS

LATER = (*STEPS, "CREATE TABLE later (id INTEGER PRIMARY KEY, text TEXT); -- a note; with a semicolon\n")


def journal_of(db: Connection) -> str:
    return str(db.execute("PRAGMA journal_mode").fetchone()[0])


def test_new_store_has_the_schema_and_is_whole(data: str) -> None:
    db = ensure_store(data, now_ms=NOW_MS)
    assert db.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
    assert db.isolation_level is None
    assert db.row_factory is None
    assert journal_of(db) == "wal"
    assert check_store(db) == []
    db.close()


def test_second_opening_finds_what_the_first_wrote(data: str, store: Connection) -> None:
    store.execute("INSERT INTO meta VALUES ('a', 'b')")
    again = ensure_store(data, now_ms=NOW_MS)
    assert again.execute("SELECT value FROM meta WHERE key = 'a'").fetchone() == ("b",)
    again.close()


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o277])
def test_files_are_private_whatever_the_umask(data: str, mask: int) -> None:
    before = os.umask(mask)
    try:
        db = ensure_store(data, now_ms=NOW_MS)
        db.execute("INSERT INTO meta VALUES ('a', 'b')")
    finally:
        os.umask(before)
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in Path(data).iterdir()}
    db.close()
    assert stat.S_IMODE(os.stat(data).st_mode) == 0o700
    assert {"engram.db", "engram.db-wal", "engram.db-shm"} <= modes.keys()
    assert {name: oct(mode) for name, mode in modes.items() if mode & 0o077} == {}


def test_empty_open_folder_is_closed_and_a_filled_one_left_alone(tmp_path: Path) -> None:
    for name in ("empty", "filled"):
        (tmp_path / name).mkdir()
        (tmp_path / name).chmod(0o755)
    (tmp_path / "filled" / "notes.txt").write_text("mine", encoding="utf-8")
    for name in ("empty", "filled"):
        ensure_store(str(tmp_path / name), now_ms=NOW_MS).close()
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("empty", "filled")]
    assert modes == [0o700, 0o755]


def test_shared_file_system_gets_a_rollback_journal_and_one_notice(
    data: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mounts, "find_shared_type", lambda _: "nfs4")
    db = ensure_store(data, now_ms=NOW_MS)
    assert journal_of(db) == "truncate"
    (notice,) = take_notices(db)
    assert notice[0] == "store-journal"
    assert "nfs4" in notice[1]
    db.close()
    db = ensure_store(data, now_ms=NOW_MS)
    assert journal_of(db) == "truncate"
    assert take_notices(db) == []
    db.close()


def test_store_that_moved_to_a_shared_file_system_leaves_the_write_ahead_log(
    data: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ensure_store(data, now_ms=NOW_MS).close()
    monkeypatch.setattr(mounts, "find_shared_type", lambda _: "virtiofs")
    db = ensure_store(data, now_ms=NOW_MS)
    assert journal_of(db) == "truncate"
    assert [slug for slug, _ in take_notices(db)] == ["store-journal"]
    db.close()
    monkeypatch.undo()
    db = ensure_store(data, now_ms=NOW_MS)
    assert journal_of(db) == "wal"
    db.close()


def test_local_store_has_no_notice(store: Connection) -> None:
    assert take_notices(store) == []


def test_older_store_is_upgraded_after_a_backup(data: str, store: Connection) -> None:
    store.execute("INSERT INTO meta VALUES ('a', 'b')")
    store.close()
    db = ensure_store(data, now_ms=NOW_MS, steps=LATER)
    assert db.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION + 1,)
    assert db.execute("SELECT count(*) FROM later").fetchone() == (0,)
    assert db.execute("SELECT value FROM meta WHERE key = 'a'").fetchone() == ("b",)
    db.close()
    (copy,) = list_backups(data)
    old = open_store(copy.path, version=SCHEMA_VERSION)
    assert old.execute("SELECT value FROM meta WHERE key = 'a'").fetchone() == ("b",)
    old.close()
    assert stat.S_IMODE(os.stat(copy.path).st_mode) == 0o600


def test_up_to_date_store_is_not_backed_up(data: str, store: Connection) -> None:
    ensure_store(data, now_ms=NOW_MS).close()
    assert list_backups(data) == []


def test_newer_store_is_left_alone(data: str) -> None:
    ensure_store(data, now_ms=NOW_MS, steps=LATER).close()
    before = Path(store_path(data)).read_bytes()
    with pytest.raises(StoreNewer) as caught:
        ensure_store(data, now_ms=NOW_MS)
    assert store_path(data) in caught.value.message
    assert "upgrade" in caught.value.hint
    assert Path(store_path(data)).read_bytes() == before


def test_step_that_fails_changes_nothing(data: str, store: Connection) -> None:
    store.close()
    broken = (*STEPS, "CREATE TABLE half (a); INSERT INTO nowhere VALUES (1);")
    with pytest.raises(StoreError):
        ensure_store(data, now_ms=NOW_MS, steps=broken)
    db = ensure_store(data, now_ms=NOW_MS)
    assert db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'half'").fetchone() == (0,)
    db.close()


def _zero_header(file: Path) -> None:
    file.write_bytes(b"\0" * 100 + file.read_bytes()[100:])


def _zero_version_page(file: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[:100] + b"\0" * 3996 + content[4096:])


def _make_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize(
    "hurt",
    [
        pytest.param(_zero_header, id="zeroed header"),
        pytest.param(_zero_version_page, id="zeroed first page"),
        pytest.param(lambda file: file.write_bytes(os.urandom(16384)), id="random bytes"),
        pytest.param(lambda file: file.write_bytes(b""), id="empty file"),
        pytest.param(lambda file: file.write_bytes(b"no database\n" * 50), id="text"),
        pytest.param(_make_folder, id="folder in its place"),
    ],
)
def test_damaged_store_is_named_with_a_way_out(data: str, hurt: Callable[[Path], object]) -> None:
    ensure_store(data, now_ms=NOW_MS).close()
    file = Path(store_path(data))
    hurt(file)
    before = file.read_bytes() if file.is_file() else None
    with pytest.raises(StoreDamaged) as caught:
        ensure_store(data, now_ms=NOW_MS)
    assert str(file) in caught.value.message
    assert "\n" not in caught.value.message
    assert "engram doctor --fix" in caught.value.hint
    assert (file.read_bytes() if file.is_file() else None) == before


def test_database_of_another_program_is_not_taken_over(data: str) -> None:
    os.makedirs(data)
    other = connect(store_path(data))
    other.execute("CREATE TABLE theirs (a)")
    other.close()
    with pytest.raises(StoreDamaged, match="another program"):
        ensure_store(data, now_ms=NOW_MS)


def test_journals_of_a_deleted_store_are_not_replayed(data: str, store: Connection) -> None:
    store.execute("INSERT INTO meta VALUES ('old', 'store')")
    wal = Path(store_path(data) + "-wal")
    kept = wal.read_bytes()
    store.close()
    Path(store_path(data)).unlink()
    wal.write_bytes(kept)
    db = ensure_store(data, now_ms=NOW_MS)
    assert check_store(db) == []
    assert db.execute("SELECT count(*) FROM meta WHERE key = 'old'").fetchone() == (0,)
    db.close()
    assert Path(store_path(data) + ".orphan-wal").read_bytes() == kept


def test_locked_store_is_busy(data: str, store: Connection) -> None:
    store.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy) as caught:
        ensure_store(data, now_ms=NOW_MS, busy_ms=20, steps=LATER)
    assert caught.value.hint
    store.execute("ROLLBACK")


def test_locked_store_that_needs_nothing_is_opened(data: str, store: Connection) -> None:
    store.execute("BEGIN IMMEDIATE")
    ensure_store(data, now_ms=NOW_MS, busy_ms=20).close()
    store.execute("ROLLBACK")


@pytest.mark.parametrize(
    ("folder", "word"),
    [
        pytest.param("", "HOME", id="no home"),
        pytest.param("/dev/null/home/.local/share/engram", "not a directory", id="a file in the way"),
    ],
)
def test_impossible_folder_is_explained(folder: str, word: str) -> None:
    with pytest.raises(StoreError) as caught:
        ensure_store(folder, now_ms=NOW_MS)
    assert word in caught.value.message
    assert "\n" not in caught.value.message
    assert "ENGRAM_HOME" in caught.value.hint
