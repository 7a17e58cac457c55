"""A directory is looked up as a place; an unknown one gets a project of its own."""

from __future__ import annotations

from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks.store.places import add_provisional, clean_name, locate, project_of
from engram_hooks.store.projects import keys_of
from tests.conftest import NOW_MS
from tests.support.make_repo import Repo, make_repo, run_git


def where(db: Connection, directory: object, home: Path, **environ: str) -> tuple[int | None, str]:
    scope = {"HOME": str(home), **environ}
    return locate(db, str(directory), scope, now_ms=NOW_MS, create=True)


def test_unknown_place_is_created_only_when_asked(store: Connection, repo: Repo, home: Path) -> None:
    scope = {"HOME": str(home)}
    assert locate(store, str(repo.path), scope, now_ms=NOW_MS, create=False) == (None, str(repo.path))
    assert store.execute("SELECT count(*) FROM projects").fetchone() == (0,)
    project_id, root = locate(store, str(repo.path), scope, now_ms=NOW_MS, create=True)
    assert (project_id, root) == (1, str(repo.path))
    assert locate(store, str(repo.path), scope, now_ms=NOW_MS, create=False) == (1, str(repo.path))


def test_repository_is_provisional_and_queued(store: Connection, repo: Repo, home: Path) -> None:
    project_id, _ = where(store, repo.path, home)
    key = str(repo.path / ".git")
    assert project_of(store, key) == (project_id, False)
    assert keys_of(store, 1) == [("git_dir", key)]
    assert store.execute("SELECT kind, key, project_id FROM jobs").fetchall() == [
        ("identity", key, project_id)
    ]
    assert store.execute("SELECT name, is_provisional FROM projects").fetchall() == [("shop", 1)]


def test_plain_folder_is_settled_at_once(store: Connection, tmp_path: Path, home: Path) -> None:
    folder = home / "notes"
    folder.mkdir()
    project_id, root = where(store, folder, home)
    assert root == str(folder)
    assert project_of(store, str(folder)) == (project_id, True)
    assert store.execute("SELECT count(*) FROM jobs").fetchone() == (0,)


def test_worktrees_and_subfolders_are_one_project(store: Connection, repo: Repo, home: Path) -> None:
    run_git(repo.path, "worktree", "add", "-q", "-b", "side", "../wt")
    (repo / "packages" / "web").mkdir(parents=True)
    tree = repo.path.parent / "wt"
    here, _ = where(store, repo.path, home)
    assert where(store, repo / "packages" / "web", home) == (here, str(repo.path))
    assert where(store, tree, home) == (here, str(tree))


def test_worktree_finds_its_project_after_the_main_checkout_moved(
    store: Connection, repo: Repo, home: Path
) -> None:
    run_git(repo.path, "worktree", "add", "-q", "-b", "side", "../wt")
    tree = repo.path.parent / "wt"
    here, _ = where(store, repo.path, home)
    repo.path.rename(repo.path.parent / "elsewhere")
    assert where(store, tree, home) == (here, str(tree))


def test_bare_repository_with_worktrees_is_one_project(store: Connection, repo: Repo, home: Path) -> None:
    top = repo.path.parent / "proj"
    top.mkdir()
    run_git(repo.path, "clone", "-q", "--bare", str(repo.path), str(top / ".bare"))
    (top / ".git").write_text("gitdir: ./.bare\n", encoding="utf-8")
    for name in ("main", "feature"):
        run_git(top, "worktree", "add", "-q", *(["-b", name] if name != "main" else []), name)
    found = {where(store, folder, home)[0] for folder in (top, top / "main", top / "feature", top / ".bare")}
    assert found == {1}


def test_submodule_is_a_project_of_its_own(store: Connection, repo: Repo, home: Path) -> None:
    library = make_repo(repo.path.parent / "library")
    repo.git("submodule", "add", "-q", str(library.path), "lib")
    outer, inner = where(store, repo.path, home), where(store, repo / "lib", home)
    assert outer[0] != inner[0]
    assert inner[1] == str(repo / "lib")


def test_equal_folder_names_are_two_projects(store: Connection, tmp_path: Path, home: Path) -> None:
    first, second = make_repo(tmp_path / "acme" / "app"), make_repo(tmp_path / "other" / "app")
    assert where(store, first.path, home)[0] != where(store, second.path, home)[0]


def test_deleted_directory_is_found_through_its_repository(store: Connection, repo: Repo, home: Path) -> None:
    here, _ = where(store, repo.path, home)
    assert where(store, repo / "src" / "gone", home) == (here, str(repo.path))


@pytest.mark.parametrize("place", ["home", "gone", "empty", "root"])
def test_no_project_there(store: Connection, home: Path, place: str) -> None:
    paths = {"home": str(home), "gone": str(home / "gone"), "empty": "", "root": "/"}
    assert where(store, paths[place], home) == (None, "")
    assert store.execute("SELECT count(*) FROM projects").fetchone() == (0,)


def test_home_that_is_a_repository_is_no_project(store: Connection, home: Path) -> None:
    make_repo(home)
    (home / "notes").mkdir()
    assert where(store, home, home) == (None, "")


def test_project_of_the_environment_wins(store: Connection, repo: Repo, tmp_path: Path, home: Path) -> None:
    other = make_repo(tmp_path / "other")
    here, _ = where(store, repo.path, home)
    named, root = where(store, repo.path, home, ENGRAM_PROJECT="  shop api ")
    assert named not in (None, here)
    assert root == str(repo.path)
    assert where(store, other.path, home, ENGRAM_PROJECT="shop api")[0] == named
    assert where(store, home, home, ENGRAM_PROJECT="shop api")[0] == named
    assert where(store, repo.path, home, ENGRAM_PROJECT=" ")[0] == here


def test_name_of_the_environment_does_not_join_a_repository_of_that_folder_name(
    store: Connection, repo: Repo, home: Path
) -> None:
    here, _ = where(store, repo.path, home)
    assert where(store, home, home, ENGRAM_PROJECT="shop")[0] != here


def test_second_creation_gives_the_first_project(store: Connection) -> None:
    first, second = (
        add_provisional(store, kind="git", root="/x", key="/x/.git", name="x", now_ms=NOW_MS)
        for _ in range(2)
    )
    assert first == second
    assert store.execute("SELECT count(*) FROM projects").fetchone() == (1,)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        pytest.param("shop-api", "shop-api", id="plain"),
        pytest.param("  a \n b\t", "a b", id="white space"),
        pytest.param("a\u202eb\x1b[31m", "a b [31m", id="controls"),
        pytest.param("Größe 東京", "Größe 東京", id="other letters"),
        pytest.param("x" * 500, "x" * 200, id="long"),
        pytest.param("\u200b", "", id="nothing"),
    ],
)
def test_names_are_one_clean_line(given: str, kept: str) -> None:
    assert clean_name(given) == kept
