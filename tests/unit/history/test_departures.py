"""Git's journals tell where a branch stood when it was left, whether it had commits, and what it is called now."""

from __future__ import annotations

from pathlib import Path

from engram_hooks.history.departures import find_last_tip, find_new_name, has_own_commits
from tests.support.make_repo import Repo, run_git


def test_branch_that_is_gone_was_last_where_it_was_left(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("One", {"a.txt": "1\n"})
    repo.git("checkout", "-q", "main")
    repo.git("checkout", "-q", "topic")
    last = repo.commit("Two", {"a.txt": "2\n"})
    repo.git("checkout", "-q", "main")
    repo.git("branch", "-q", "-D", "topic")
    assert find_last_tip(str(repo.path), "topic") == last
    assert find_last_tip(str(repo.path), "top") == find_last_tip(str(repo.path), "other") == ""


def test_branch_that_a_worktree_left_is_known_from_the_main_checkout(repo: Repo, tmp_path: Path) -> None:
    run_git(repo.path, "worktree", "add", "-q", "-b", "topic", str(tmp_path / "tree"))
    tree = Repo(tmp_path / "tree", 1)
    last = tree.commit("One", {"a.txt": "1\n"})
    tree.git("checkout", "-q", "--detach")
    for root in (repo.path, tree.path):
        assert find_last_tip(str(root), "topic") == last


def test_commits_of_a_branch_are_told_from_what_it_took_in(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "topic")
    assert not has_own_commits(str(repo.path), "topic")
    repo.git("checkout", "-q", "main")
    repo.commit("Other work", {"b.txt": "1\n"})
    repo.git("checkout", "-q", "topic")
    repo.git("merge", "-q", "main")
    assert not has_own_commits(str(repo.path), "topic")
    repo.commit("Own work", {"a.txt": "1\n"})
    assert has_own_commits(str(repo.path), "topic")


def test_new_name_of_a_branch_is_found(repo: Repo) -> None:
    repo.git("branch", "-q", "topic/old")
    assert find_new_name(str(repo.path), "topic/old") == ""
    repo.git("branch", "-q", "-m", "topic/old", "topic/new")
    assert find_new_name(str(repo.path), "topic/old") == "topic/new"


def test_repository_without_journals_tells_nothing(repo: Repo, tmp_path: Path) -> None:
    (repo.path / ".git" / "logs" / "HEAD").unlink()
    assert find_last_tip(str(repo.path), "main") == ""
    assert find_last_tip(str(tmp_path), "main") == find_new_name(str(tmp_path), "main") == ""
    assert not has_own_commits(str(tmp_path), "main")
