"""The facade: one memory seen from a directory or a project."""

from __future__ import annotations

from pathlib import Path
from sqlite3 import Connection

import pytest

import engram_hooks
from engram_hooks.errors import EngramError, StoreReadOnly, UsageError
from engram_hooks.memory import Engram
from engram_hooks.store import records, trouble
from engram_hooks.store.create import ensure_store
from engram_hooks.store.jobs import add_job
from engram_hooks.store.projects import find_project, list_projects
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


def test_name_that_a_repository_has_means_that_repository(repo: Repo, data: str, tmp_path: Path) -> None:
    with Engram(cwd=repo.path) as memory:
        shop = memory.add("use quartz").project_id
    with Engram(cwd=make_repo(tmp_path / "garden").path) as memory:
        assert memory.add("cap retries", project="shop").project_id == shop
        row = {"id": "x", "project": "shop", "kind": "decision", "text": "use basalt"}
        memory.import_records([row])
        assert memory.recall("basalt") == []
        memory.turn_to("shop")
        assert memory.project_id == shop
        assert len(memory.recall("basalt")) == len(memory.recall("quartz")) == 1
    with Engram(cwd=tmp_path, project="shop") as memory:
        assert memory.project_id == shop


def test_new_name_makes_a_project_that_has_no_folder(repo: Repo, data: str) -> None:
    with Engram(cwd=repo.path) as memory:
        memory.import_records([{"id": "x", "project": "1", "kind": "decision", "text": "use basalt"}])
        found = {project.name: project.roots for project in list_projects(memory.db)}
        assert found == {"shop": (str(repo.path),), "1": ()}
        assert find_project(memory.db, str(repo.path)) == memory.project_id


def test_ambiguous_name_is_refused(repo: Repo, data: str, tmp_path: Path) -> None:
    for folder in (repo.path, make_repo(tmp_path / "other" / "shop").path):
        with Engram(cwd=folder) as memory:
            memory.add("use quartz")
    with Engram(cwd=tmp_path) as memory, pytest.raises(EngramError, match="2 projects are called shop"):
        memory.add("cap retries", project="shop")


def test_store_that_can_only_be_read_answers(repo: Repo, data: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Engram(cwd=repo.path) as memory:
        memory.add("use quartz")
        row = {
            "kind": "decision",
            "project_id": memory.project_id,
            "summary": "use pnpm",
            "status": "candidate",
        }
        records.insert(memory.db, row, now_ms=1, actor="miner")
        add_job(memory.db, "session", "s1", project_id=memory.project_id or 0, now_ms=1)

    def open_for_reading(folder: str, *, now_ms: int) -> Connection:
        db = ensure_store(folder, now_ms=now_ms)
        db.execute("PRAGMA query_only = 1")
        return db

    monkeypatch.setattr("engram_hooks.memory.ensure_store", open_for_reading)
    with Engram(cwd=repo.path) as memory:
        assert len(memory.recall("quartz")) == 1
        assert [item.record.summary for item in memory.review()] == ["use pnpm"]
        assert "use quartz" in memory.context()[0]
        assert memory.stats()["records"] == {"active": 1, "candidate": 1}
        with pytest.raises(StoreReadOnly):
            memory.add("use basalt")


def test_trouble_that_is_over_is_not_shown_any_more(repo: Repo, data: str) -> None:
    Engram(cwd=repo.path).close()
    trouble.flag(data, "the disk is full")
    Engram(cwd=repo.path).close()
    assert not Path(data, trouble.FLAG_NAME).exists()


def test_failures_of_hooks_stay_flagged_until_doctor_was_asked(repo: Repo, data: str) -> None:
    Engram(cwd=repo.path).close()
    trouble.note_failure(data, "stop", "ValueError", now_ms=1)
    Engram(cwd=repo.path).close()
    assert Path(data, trouble.FLAG_NAME).read_text() == "1 hook failures\n"


def test_candidates_from_outside_any_project_wait_there_alone(repo: Repo, home: Path, data: str) -> None:
    with Engram(cwd=home) as memory:
        row = {"kind": "feedback", "project_id": 0, "summary": "answers in French", "status": "candidate"}
        records.insert(memory.db, row, now_ms=1, actor="miner")
    with Engram(cwd=repo.path) as memory:
        assert (memory.list_records(statuses=["candidate"]), memory.review()) == ([], [])
        assert memory.stats()["records"] == {}
        memory.add("answers short", scope="global")
        assert len(memory.list_records()) == 1
    with Engram(cwd=home) as memory:
        assert len(memory.list_records(statuses=["candidate"])) == len(memory.review()) == 1
        assert memory.stats()["records"] == {"active": 1, "candidate": 1}
