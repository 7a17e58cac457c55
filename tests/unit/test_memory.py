"""The facade: one memory seen from a directory or a project."""

from __future__ import annotations

from pathlib import Path

import pytest

import engram_hooks
from engram_hooks.errors import EngramError, UsageError
from engram_hooks.memory import Engram
from tests.support.make_repo import Repo, make_repo


def test_facade_is_at_the_top_of_the_package() -> None:
    assert engram_hooks.Engram is Engram


def test_home_moves_everything(repo: Repo, tmp_path: Path) -> None:
    with Engram(home=tmp_path / "elsewhere", cwd=repo.path) as memory:
        memory.add("use quartz")
    assert (tmp_path / "elsewhere" / "engram.db").is_file()


def test_projects_do_not_see_each_other(repo: Repo, data: str, tmp_path: Path) -> None:
    other = make_repo(tmp_path / "other" / "shop")
    with Engram(cwd=repo.path) as memory:
        record = memory.add("use quartz")
        memory.add("answers short", kind="preference", scope="global")
    with Engram(cwd=other.path) as memory:
        assert memory.recall("quartz") == []
        assert len(memory.recall("answers")) == 1
        with pytest.raises(EngramError, match="another project"):
            memory.find(record.short_id)
        with pytest.raises(EngramError, match="another project"):
            memory.retract(record.short_id)


def test_subfolder_and_worktree_are_the_same_project(repo: Repo, data: str, tmp_path: Path) -> None:
    with Engram(cwd=repo.path) as memory:
        memory.add("use quartz")
    (repo / "deep" / "down").mkdir(parents=True)
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "tree"))
    for folder in (repo / "deep" / "down", tmp_path / "tree"):
        with Engram(cwd=folder) as memory:
            assert len(memory.recall("quartz")) == 1


def test_project_may_be_named(repo: Repo, data: str) -> None:
    with Engram(cwd=repo.path) as memory:
        memory.add("use quartz")
        memory.import_records([{"id": "x", "project": "moon", "kind": "decision", "text": "use basalt"}])
        assert [hit.id for hit in memory.recall("basalt", project="moon")] == ["x"]
        assert memory.recall("basalt") == memory.recall("quartz", project="moon") == []
        with pytest.raises(EngramError, match="no project"):
            memory.recall("basalt", project="mars")
    with Engram(cwd=repo.path, project="moon") as memory:
        assert len(memory.recall("basalt")) == 1


def test_home_folder_has_no_project(home: Path, data: str) -> None:
    with Engram(cwd=home) as memory:
        assert (memory.project_id, memory.project_name) == (None, "")
        assert memory.add("answers short").scope == "global"
        assert len(memory.list_records()) == 1
        assert memory.review() == []


def test_branch_notes_belong_to_their_branch(repo: Repo, data: str) -> None:
    with Engram(cwd=repo.path) as memory:
        assert memory.add("flag is on here", scope="branch").branch == memory.branch != ""


def test_what_was_true_then(repo: Repo, data: str) -> None:
    with Engram(cwd=repo.path) as memory:
        old = memory.add("database is Mongo", valid_from="2025-01-01")
        memory.add("database is Postgres", valid_from="2025-06-01", supersedes=old.short_id)
        assert [hit.summary for hit in memory.recall("database")] == ["database is Postgres"]
        assert [hit.summary for hit in memory.recall("database", as_of="2025-05-31")] == ["database is Mongo"]
        assert memory.recall("database", as_of="2024-01-01") == []
        with pytest.raises(UsageError):
            memory.recall("database", as_of="soon")


def test_stats_count_what_is_kept(repo: Repo, data: str) -> None:
    with Engram(cwd=repo.path) as memory:
        memory.add("use quartz")
        memory.add("answers short", kind="preference", scope="global")
        memory.import_records([{"id": 1, "kind": "turn", "text": "hello"}])
        stats = memory.stats()
    assert stats["kinds"] == {"decision": 1, "feedback": 1}
    assert (stats["records"], stats["global"], stats["log"], stats["sessions"]) == ({"active": 2}, 1, 1, 1)


def test_closing_twice_is_fine(repo: Repo, data: str) -> None:
    memory = Engram(cwd=repo.path)
    memory.close()
    memory.close()
