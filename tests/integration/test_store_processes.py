"""Several processes on one store: first runs, upgrades, kills, folders that cannot be written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from sqlite3 import Connection, connect

import pytest

from engram_hooks.errors import StoreError
from engram_hooks.paths import store_path
from engram_hooks.store.backup import list_backups
from engram_hooks.store.check import check_store
from engram_hooks.store.create import STEPS, ensure_store
from tests.conftest import NOW_MS
from tests.support.repo_files import ROOT

PROCESSES = 24
NOBODY = 65534
LATER = (*STEPS, "CREATE TABLE later (id INTEGER PRIMARY KEY); INSERT INTO later VALUES (1);")

OPEN_AND_WRITE = """
import sys
from engram_hooks.store.create import STEPS, ensure_store
data, number, extra = sys.argv[1:]
sys.stdin.readline()
db = ensure_store(data, now_ms=1, busy_ms=30_000, steps=(*STEPS, extra) if extra else STEPS)
db.execute("INSERT INTO meta VALUES (?, 'x')", ("item" + number,))
db.close()
"""

DIE_INSIDE_A_STEP = """
import os, signal, sys
from engram_hooks.store.connect import connect_file
from engram_hooks.store.create import STEPS
from engram_hooks.store.migrate import migrate
db = connect_file(sys.argv[1], "mode=rw")
db.create_function("die", 0, lambda: os.kill(os.getpid(), signal.SIGKILL))
migrate(db, (*STEPS, "CREATE TABLE half (a); INSERT INTO half VALUES (1); SELECT die();"))
"""

DIE_WHILE_CREATING = """
import os, signal, sys
from engram_hooks.store import create, files
files.move_into_place = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
create.ensure_store(sys.argv[1], now_ms=1)
"""


def start(code: str, *arguments: str) -> subprocess.Popen[str]:
    """Start Python in the checkout; it waits for a line where the code does."""
    pipe = subprocess.PIPE
    argv = [sys.executable, "-c", code, *arguments]
    return subprocess.Popen(argv, cwd=ROOT, text=True, encoding="utf-8", stdin=pipe, stdout=pipe, stderr=pipe)


def run_at_once(data: str, extra: str, code: str = OPEN_AND_WRITE) -> list[str]:
    """Let many processes open the store at the same moment; return what those that failed said."""
    started = [start(code, data, str(number), extra) for number in range(PROCESSES)]
    for process in started:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    ended = [(process.communicate(timeout=120), process.returncode) for process in started]
    return [streams[1] for streams, code in ended if code]


def items_of(db: Connection) -> int:
    return int(db.execute("SELECT count(*) FROM meta WHERE key LIKE 'item%'").fetchone()[0])


def test_many_first_runs_end_with_one_store(data: str) -> None:
    assert run_at_once(data, "") == []
    db = ensure_store(data, now_ms=NOW_MS)
    assert items_of(db) == PROCESSES
    assert check_store(db) == []
    db.close()
    assert [name for name in os.listdir(data) if ".new-" in name] == []


def test_many_processes_upgrade_once(data: str, store: Connection) -> None:
    store.close()
    assert run_at_once(data, LATER[-1]) == []
    db = ensure_store(data, now_ms=NOW_MS, steps=LATER)
    assert items_of(db) == PROCESSES
    assert db.execute("SELECT count(*) FROM later").fetchone() == (1,)
    db.close()
    assert len(list_backups(data)) == 1


def test_many_first_runs_where_the_file_system_has_no_locks(data: str) -> None:
    unlocked = "from engram_hooks.store import files\nfiles.fcntl = None\n"
    assert run_at_once(data, "", unlocked + OPEN_AND_WRITE) == []
    db = ensure_store(data, now_ms=NOW_MS)
    assert items_of(db) == PROCESSES
    db.close()


def test_process_killed_inside_a_step_leaves_the_old_schema(data: str, store: Connection) -> None:
    store.execute("INSERT INTO meta VALUES ('a', 'b')")
    store.close()
    process = start(DIE_INSIDE_A_STEP, store_path(data))
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    db = ensure_store(data, now_ms=NOW_MS)
    assert db.execute("PRAGMA user_version").fetchone() == (len(STEPS),)
    assert db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'half'").fetchone() == (0,)
    assert db.execute("SELECT value FROM meta WHERE key = 'a'").fetchone() == ("b",)
    assert check_store(db) == []
    db.close()


def test_process_killed_while_creating_leaves_no_store_and_little_rubbish(data: str) -> None:
    process = start(DIE_WHILE_CREATING, data)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert not os.path.exists(store_path(data))
    later_ms = int(os.stat(data).st_mtime * 1000) + 2 * 3_600_000
    db = ensure_store(data, now_ms=later_ms)
    assert check_store(db) == []
    db.close()
    assert [name for name in os.listdir(data) if ".new-" in name] == []


@pytest.fixture
def plain_user() -> Iterator[Path]:
    """A folder of a user whom write protection stops (root is not stopped by it)."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if os.geteuid():
            yield folder
            return
        os.chown(folder, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, 0)
        try:
            yield folder
        finally:
            os.setresuid(0, 0, 0)


def test_store_in_a_read_only_folder_is_read_and_says_so_on_writing(plain_user: Path) -> None:
    data = str(plain_user / "data")
    db = ensure_store(data, now_ms=NOW_MS)
    db.execute("INSERT INTO meta VALUES ('a', 'b')")
    db.close()
    for file in (*Path(data).iterdir(), Path(data)):
        file.chmod(0o500 if file.is_dir() else 0o400)
    db = ensure_store(data, now_ms=NOW_MS)
    assert db.execute("SELECT value FROM meta WHERE key = 'a'").fetchone() == ("b",)
    from engram_hooks.store.transactions import Transaction

    with pytest.raises(StoreError, match="write-protected"), Transaction(db):
        db.execute("DELETE FROM meta")
    db.close()
    Path(data).chmod(0o700)


def test_folder_that_cannot_be_written_is_explained(plain_user: Path) -> None:
    plain_user.chmod(0o500)
    with pytest.raises(StoreError, match="permission denied") as caught:
        ensure_store(str(plain_user / "data"), now_ms=NOW_MS)
    assert "ENGRAM_HOME" in caught.value.hint
    plain_user.chmod(0o700)


def test_full_disk_is_explained(data: str, store: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    store.close()
    full = connect(store_path(data))
    pages = full.execute("PRAGMA page_count").fetchone()[0]
    full.close()
    from engram_hooks.store import create

    def connect_full(path: str, mode: str, busy_ms: int) -> Connection:
        db = connect(path, timeout=busy_ms / 1000, isolation_level=None)
        db.execute(f"PRAGMA max_page_count = {pages}")
        return db

    monkeypatch.setattr(create, "connect_file", connect_full)
    big = f"CREATE TABLE big (a); INSERT INTO big VALUES (zeroblob({pages * 4096}));"
    with pytest.raises(StoreError, match="the disk is full") as caught:
        ensure_store(data, now_ms=NOW_MS, steps=(*STEPS, big))
    assert "space" in caught.value.hint
