"""When the index follows its repository: at the start of a session, behind a turn, and never where nobody asked."""

from __future__ import annotations

import os
import time
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks import Engram, entry
from engram_hooks.curate import jobs
from engram_hooks.curate.code.repository import JOB_KIND
from engram_hooks.store.connect import open_store
from engram_hooks.store.index_files import index_path
from tests.support.make_repo import Repo


def fire(repo: Path, data: str, event: str, **more: object) -> None:
    """Run one hook of a session in this process."""
    payload: dict[str, object] = {"session_id": "s1", "transcript_path": "", "cwd": str(repo)}
    environ = {**os.environ, "ENGRAM_WORKER": "1"}
    entry.serve("", {**payload, "hook_event_name": event, **more}, data, environ)


def index(repo: Repo) -> None:
    with Engram(cwd=repo.path) as memory:
        memory.index()


def waiting(data: str) -> list[str]:
    """Return the places whose index waits for the worker."""
    db = open_store(os.path.join(data, "engram.db"))
    try:
        return [row[0] for row in db.execute("SELECT key FROM jobs WHERE kind = ?", (JOB_KIND,))]
    finally:
        db.close()


def work(data: str, **environ: str) -> None:
    """Do what the worker does."""
    db = open_store(os.path.join(data, "engram.db"))
    try:
        jobs.run_jobs(db, data, {**os.environ, **environ}, until=time.monotonic() + 60)
    finally:
        db.close()


def subjects(repo: Repo, file: str) -> list[str]:
    with Engram(cwd=repo.path) as memory:
        return [commit.subject for commit in memory.history(file).commits]


@pytest.fixture(autouse=True)
def _no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "start_worker", lambda data, environ: None)


def test_start_of_a_session_refreshes_an_index_that_is_behind(
    repo: Repo, data: str, store: Connection
) -> None:
    index(repo)
    repo.commit("feat: later", {"later.py": "x = 1\n"})
    fire(repo.path, data, "SessionStart", source="startup")
    assert waiting(data) == [os.path.join(repo, ".git")]
    work(data)
    assert waiting(data) == []
    assert subjects(repo, "later.py") == ["feat: later"]


def test_start_of_a_session_leaves_an_index_alone_that_is_at_the_head(
    repo: Repo, data: str, store: Connection
) -> None:
    index(repo)
    fire(repo.path, data, "SessionStart", source="startup")
    assert waiting(data) == []


def test_head_that_files_do_not_tell_waits_for_a_command(repo: Repo, data: str, store: Connection) -> None:
    index(repo)
    (repo / ".git" / "HEAD").write_text("ref: refs/heads/.invalid\n", encoding="utf-8")
    fire(repo.path, data, "SessionStart", source="startup")
    assert waiting(data) == []


def test_index_that_cannot_be_read_is_made_anew(repo: Repo, data: str, store: Connection) -> None:
    index(repo)
    (path,) = (Path(data) / "index").glob("*.db")
    path.write_bytes(b"this is no database\n" * 400)
    fire(repo.path, data, "SessionStart", source="resume")
    assert waiting(data)
    work(data)
    assert subjects(repo, "README.md") == ["Begin shop"]


def test_repository_without_an_index_is_not_indexed_unasked(
    repo: Repo, data: str, store: Connection, tmp_path: Path
) -> None:
    (Path(data) / "index").mkdir()
    fire(repo.path, data, "SessionStart", source="startup")
    assert waiting(data) == []


def test_first_index_is_made_by_the_worker_where_that_is_wanted(
    repo: Repo, data: str, store: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENGRAM_INDEX_AUTO", "true")
    fire(repo.path, data, "SessionStart", source="startup")
    assert waiting(data)
    work(data)
    assert subjects(repo, "README.md") == ["Begin shop"]


def test_wish_that_was_withdrawn_makes_no_index(
    repo: Repo, data: str, store: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENGRAM_INDEX_AUTO", "true")
    fire(repo.path, data, "SessionStart", source="startup")
    monkeypatch.delenv("ENGRAM_INDEX_AUTO")
    work(data)
    assert list(Path(index_path(data, "x")).parent.glob("*.db")) == []


def test_folder_outside_git_has_no_index(tmp_path: Path, home: Path, data: str, store: Connection) -> None:
    (tmp_path / "plain").mkdir()
    fire(tmp_path / "plain", data, "SessionStart", source="startup")
    assert waiting(data) == []


def test_commit_of_a_turn_is_indexed_behind_it(repo: Repo, data: str, store: Connection) -> None:
    index(repo)
    fire(repo.path, data, "SessionStart", source="startup")
    repo.commit("feat: by the agent", {"new.py": "x = 1\n"})
    fire(repo.path, data, "Stop")
    work(data)
    assert subjects(repo, "new.py") == ["feat: by the agent"]


def test_index_follows_one_checkout_and_not_each_worktree(
    repo: Repo, data: str, store: Connection, tmp_path: Path
) -> None:
    index(repo)
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "wt"))
    side = Repo(tmp_path / "wt", commit_count=9)
    side.commit("feat: aside", {"aside.py": "x = 1\n"})
    fire(side.path, data, "SessionStart", source="startup")
    assert waiting(data) == []
    repo.git("merge", "-q", "side")
    fire(side.path, data, "Stop")
    work(data)
    assert subjects(repo, "aside.py") == ["feat: aside"]
