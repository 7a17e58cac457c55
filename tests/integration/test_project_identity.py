"""Real repositories and their projects: moved, cloned, shallow, made from one template, merged."""

from __future__ import annotations

import shutil
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks.curate.identity import name_place, resolve_place, trust_name
from engram_hooks.paths import find_place
from engram_hooks.store.check import check_store
from engram_hooks.store.places import locate, project_of
from engram_hooks.store.projects import list_projects, suggest_merges
from engram_hooks.store.records import insert
from tests.conftest import NOW_MS
from tests.support.make_repo import Repo, make_repo, run_git


class Machine:
    """One user's store, and the folders that are opened on their machine."""

    def __init__(self, store: Connection, home: Path) -> None:
        self.store = store
        self.home = home

    def find(self, folder: object) -> int:
        """Open a folder as a session does, let git say what it is; return its project."""
        key = find_place(str(folder), str(self.home))[2]
        project_id, _ = self.locate(folder)
        assert project_id is not None
        if project_of(self.store, key):
            resolve_place(self.store, key, now_ms=NOW_MS)
            found, _ = self.locate(folder)
            assert found is not None
            return found
        return project_id

    def locate(self, folder: object) -> tuple[int | None, str]:
        """The project of a folder without asking git."""
        return locate(self.store, str(folder), {"HOME": str(self.home)}, now_ms=NOW_MS, create=True)

    def remember(self, project_id: int, text: str, **fields: object) -> int:
        """Keep one decision of a project."""
        row = {"kind": "decision", "project_id": project_id, "summary": text, **fields}
        return insert(self.store, row, now_ms=NOW_MS, actor="person")

    def memories(self, project_id: int) -> set[str]:
        """What is kept of a project."""
        found = self.store.execute("SELECT summary FROM records WHERE project_id = ?", (project_id,))
        return {row[0] for row in found}


@pytest.fixture
def machine(store: Connection, home: Path) -> Machine:
    return Machine(store, home)


def clone(source: Path | str, target: Path, *options: str) -> Path:
    run_git(target.parent, "clone", "-q", *options, str(source), str(target))
    return target


def test_repository_keeps_its_provisional_project(machine: Machine, repo: Repo) -> None:
    before, _ = machine.locate(repo.path)
    assert machine.find(repo.path) == before
    assert [project.is_provisional for project in list_projects(machine.store)] == [False]


def test_two_clones_of_one_origin_are_one_project(machine: Machine, repo: Repo, tmp_path: Path) -> None:
    one, two = clone(repo.path, tmp_path / "one"), clone(repo.path, tmp_path / "two")
    first = machine.find(one)
    machine.remember(first, "from one")
    machine.remember(machine.locate(two)[0] or 0, "before git was asked")
    assert machine.find(two) == first
    assert machine.memories(first) == {"from one", "before git was asked"}
    assert len(list_projects(machine.store)) == 1
    assert check_store(machine.store) == []


def test_other_spelling_of_the_origin_is_the_same_origin(
    machine: Machine, repo: Repo, tmp_path: Path
) -> None:
    one, two = clone(repo.path, tmp_path / "one"), clone(repo.path, tmp_path / "two")
    run_git(one, "remote", "set-url", "origin", "git@example.com:acme/shop.git")
    run_git(two, "remote", "set-url", "origin", "https://example.com/acme/shop")
    assert machine.find(one) == machine.find(two)


@pytest.mark.parametrize("first", ["full", "shallow"])
def test_shallow_clone_finds_the_full_one(machine: Machine, repo: Repo, tmp_path: Path, first: str) -> None:
    repo.commit("more")
    url = f"file://{repo.path}"
    full, shallow = clone(url, tmp_path / "full"), clone(url, tmp_path / "shallow", "--depth", "1")
    order = [full, shallow] if first == "full" else [shallow, full]
    found = [machine.find(folder) for folder in order]
    assert found[0] == found[1]
    assert machine.find(clone(url, tmp_path / "third")) == found[0]


def test_shallow_clone_without_an_origin_is_its_own_project(
    machine: Machine, repo: Repo, tmp_path: Path
) -> None:
    repo.commit("more")
    full = clone(f"file://{repo.path}", tmp_path / "full")
    shallow = clone(f"file://{repo.path}", tmp_path / "shallow", "--depth", "1")
    run_git(shallow, "remote", "remove", "origin")
    assert machine.find(full) != machine.find(shallow)


def test_projects_from_one_template_stay_apart(machine: Machine, repo: Repo, tmp_path: Path) -> None:
    one, two = clone(repo.path, tmp_path / "one"), clone(repo.path, tmp_path / "two")
    run_git(one, "remote", "set-url", "origin", "https://example.com/acme/one")
    run_git(two, "remote", "set-url", "origin", "https://example.com/acme/two")
    first, second = machine.find(one), machine.find(two)
    assert first != second
    (suggestion,) = suggest_merges(machine.store)
    assert {suggestion.first_id, suggestion.second_id} == {first, second}
    assert "first commit" in suggestion.reason


def test_template_is_left_behind_when_the_origin_changes(
    machine: Machine, repo: Repo, tmp_path: Path
) -> None:
    one = clone(repo.path, tmp_path / "one")
    first = machine.find(one)
    run_git(one, "remote", "set-url", "origin", "https://example.com/acme/one")
    assert machine.find(clone(repo.path, tmp_path / "two")) != first


def test_copies_without_an_origin_stay_apart(machine: Machine, repo: Repo, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(repo.path, copy)
    assert machine.find(repo.path) != machine.find(copy)
    assert len(suggest_merges(machine.store)) == 1


def test_copy_with_an_origin_and_one_without_stay_apart(machine: Machine, repo: Repo, tmp_path: Path) -> None:
    assert machine.find(repo.path) != machine.find(clone(repo.path, tmp_path / "one"))


def test_moved_repository_is_the_same_project(machine: Machine, repo: Repo, tmp_path: Path) -> None:
    before = machine.find(repo.path)
    machine.remember(before, "kept")
    repo.path.rename(tmp_path / "moved")
    assert machine.find(tmp_path / "moved") == before
    assert machine.memories(before) == {"kept"}


def test_clone_of_a_repository_that_was_published_later(machine: Machine, repo: Repo, tmp_path: Path) -> None:
    before = machine.find(repo.path)
    repo.git("remote", "add", "origin", "https://example.com/acme/shop")
    other = clone(repo.path, tmp_path / "other")
    run_git(other, "remote", "set-url", "origin", "git@example.com:acme/shop.git")
    assert machine.find(other) == before


def test_different_repositories_are_different_projects(machine: Machine, repo: Repo, tmp_path: Path) -> None:
    assert machine.find(repo.path) != machine.find(make_repo(tmp_path / "other").path)
    assert suggest_merges(machine.store) == []


def test_rewritten_history_in_one_place_stays_the_project(machine: Machine, repo: Repo) -> None:
    before = machine.find(repo.path)
    repo.git("checkout", "-q", "--orphan", "new")
    repo.commit("begin again", {"a.txt": "a"})
    repo.git("branch", "-q", "-D", "main")
    assert machine.find(repo.path) == before


def test_empty_repository_waits_for_its_first_commit(machine: Machine, tmp_path: Path) -> None:
    run_git(tmp_path, "init", "-q", "new")
    folder = tmp_path / "new"
    before = machine.find(folder)
    assert project_of(machine.store, str(folder / ".git")) == (before, False)
    Repo(folder).commit("first", {"a.txt": "a"})
    assert machine.find(folder) == before
    assert project_of(machine.store, str(folder / ".git")) == (before, True)


def test_unusable_git_leaves_the_place_provisional(
    machine: Machine, repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(tmp_path / "nothing"))
        before = machine.find(repo.path)
    assert project_of(machine.store, str(repo / ".git")) == (before, False)
    assert machine.find(repo.path) == before
    assert project_of(machine.store, str(repo / ".git")) == (before, True)


def test_worktree_of_a_repository_that_moved_stays(machine: Machine, repo: Repo, tmp_path: Path) -> None:
    run_git(repo.path, "worktree", "add", "-q", "-b", "side", "../wt")
    before = machine.find(repo.path)
    repo.path.rename(tmp_path / "moved")
    assert machine.find(tmp_path / "moved") == before
    assert machine.find(tmp_path / "wt") == before


def test_removed_worktree_is_asked_through_its_git_folder(
    machine: Machine, repo: Repo, tmp_path: Path
) -> None:
    run_git(repo.path, "worktree", "add", "-q", "-b", "side", "../wt")
    before, _ = machine.locate(tmp_path / "wt")
    shutil.rmtree(tmp_path / "wt")
    assert machine.find(repo.path) == before
    assert project_of(machine.store, str(repo / ".git")) == (before, True)


def test_submodules_and_their_repository_are_three_projects(
    machine: Machine, repo: Repo, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        repo.git("submodule", "add", "-q", str(make_repo(tmp_path / f"library-{name}").path), name)
    assert len({machine.find(folder) for folder in (repo.path, repo / "one", repo / "two")}) == 3


def test_folder_that_became_a_repository_keeps_its_memory(machine: Machine, home: Path) -> None:
    folder = home / "notes"
    folder.mkdir()
    machine.remember(machine.find(folder), "from before")
    make_repo(folder)
    assert machine.memories(machine.find(folder)) == {"from before"}


def test_unknown_place_has_no_project(store: Connection) -> None:
    assert resolve_place(store, "/nowhere/.git", now_ms=NOW_MS) is None


class TestNamesFromSettings:
    """`project = "name"` in the settings of a repository."""

    def name(self, machine: Machine, folder: Path, name: str, inside: Path | None = None) -> list[str]:
        names = {str(inside or folder): name}
        return name_place(machine.store, str(folder), names, home=str(machine.home), now_ms=NOW_MS)

    def test_new_name_stays_with_the_project(self, machine: Machine, repo: Repo) -> None:
        before = machine.find(repo.path)
        assert self.name(machine, repo.path, "shop api") == []
        assert machine.find(repo.path) == before

    def test_existing_name_waits_for_trust(self, machine: Machine, repo: Repo, tmp_path: Path) -> None:
        other = make_repo(tmp_path / "other")
        self.name(machine, repo.path, "shop")
        assert self.name(machine, other.path, "shop") == ["shop"]
        assert machine.find(other.path) != machine.find(repo.path)
        assert trust_name(machine.store, str(other.path), str(other.path), "shop", home=str(machine.home))
        assert self.name(machine, other.path, "shop") == []
        assert machine.find(other.path) == machine.find(repo.path)

    def test_name_of_the_environment_is_not_taken_without_trust(self, machine: Machine, repo: Repo) -> None:
        scope = {"HOME": str(machine.home), "ENGRAM_PROJECT": "bank"}
        named, _ = locate(machine.store, str(machine.home), scope, now_ms=NOW_MS, create=True)
        assert self.name(machine, repo.path, "bank") == ["bank"]
        assert machine.find(repo.path) != named

    def test_name_that_a_repository_took_is_not_joined_by_the_environment(
        self, machine: Machine, repo: Repo
    ) -> None:
        self.name(machine, repo.path, "bank")
        scope = {"HOME": str(machine.home), "ENGRAM_PROJECT": "bank"}
        named, _ = locate(machine.store, str(machine.home), scope, now_ms=NOW_MS, create=True)
        assert named != machine.find(repo.path)

    def test_trust_is_for_one_name(self, machine: Machine, repo: Repo, tmp_path: Path) -> None:
        other = make_repo(tmp_path / "other")
        self.name(machine, repo.path, "shop")
        trust_name(machine.store, str(other.path), str(other.path), "bank", home=str(machine.home))
        assert self.name(machine, other.path, "shop") == ["shop"]

    def test_part_of_a_repository_may_be_a_project_in_all_worktrees(
        self, machine: Machine, repo: Repo, tmp_path: Path
    ) -> None:
        (repo / "packages" / "web" / "src").mkdir(parents=True)
        repo.commit("web", {"packages/web/src/a.ts": "a"})
        run_git(repo.path, "worktree", "add", "-q", "-b", "side", "../wt")
        self.name(machine, repo.path, "web", repo / "packages" / "web")
        whole, part = machine.find(repo.path), machine.find(repo / "packages" / "web" / "src")
        assert whole != part
        assert machine.find(tmp_path / "wt" / "packages" / "web") == part
        assert machine.find(repo / "packages") == whole

    def test_name_that_is_gone_from_the_settings_is_forgotten(self, machine: Machine, repo: Repo) -> None:
        (repo / "web").mkdir()
        self.name(machine, repo.path, "web", repo / "web")
        part = machine.find(repo / "web")
        self.name(machine, repo.path, "", repo / "web")
        assert machine.find(repo / "web") == machine.find(repo.path) != part

    def test_home_takes_no_name(self, machine: Machine) -> None:
        assert self.name(machine, machine.home, "shop") == []
        assert list_projects(machine.store) == []
