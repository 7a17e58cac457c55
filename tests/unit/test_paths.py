"""Folders follow the rule of platformdirs; a directory's place is read from files."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType

import platformdirs.macos
import platformdirs.unix
import platformdirs.windows
import pytest

from engram_hooks import paths
from tests.support.make_repo import Repo


def as_system(monkeypatch: pytest.MonkeyPatch, name: str, platform: str) -> None:
    """Let `paths` believe in another system, without changing `os` for everybody else."""
    os_module = ModuleType("os")
    os_module.__dict__.update(vars(os))
    os_module.__dict__["name"] = name
    sys_module = ModuleType("sys")
    sys_module.__dict__.update(platform=platform)
    monkeypatch.setattr(paths, "os", os_module)
    monkeypatch.setattr(paths, "sys", sys_module)


@pytest.mark.parametrize(
    "variables", [{}, {"XDG_DATA_HOME": "/x/d", "XDG_CONFIG_HOME": "/x/c"}, {"XDG_DATA_HOME": " "}]
)
def test_linux_folders(monkeypatch: pytest.MonkeyPatch, home: Path, variables: dict[str, str]) -> None:
    as_system(monkeypatch, "posix", "linux")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    dirs = platformdirs.unix.Unix("engram", appauthor=False)
    environ = {"HOME": str(home), **variables}
    assert paths.data_dir(environ) == dirs.user_data_dir
    assert paths.config_dir(environ) == dirs.user_config_dir


def test_mac_folders(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    as_system(monkeypatch, "posix", "darwin")
    dirs = platformdirs.macos.MacOS("engram", appauthor=False)
    environ = {"HOME": str(home)}
    assert paths.data_dir(environ) == dirs.user_data_dir
    assert paths.config_dir(environ) == dirs.user_config_dir


def test_windows_folders(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    as_system(monkeypatch, "nt", "win32")
    local = str(home / "AppData" / "Local")
    monkeypatch.setenv("LOCALAPPDATA", local)
    monkeypatch.setattr(platformdirs.windows, "get_win_folder", lambda _: local)
    dirs = platformdirs.windows.Windows("engram", appauthor=False)
    for environ in ({"LOCALAPPDATA": local}, {"USERPROFILE": str(home)}):
        assert os.path.normpath(paths.data_dir(environ)) == os.path.normpath(dirs.user_data_dir)
        assert os.path.normpath(paths.config_dir(environ)) == os.path.normpath(dirs.user_config_dir)


@pytest.mark.parametrize(("name", "platform"), [("posix", "linux"), ("posix", "darwin"), ("nt", "win32")])
def test_engram_home_moves_everything(monkeypatch: pytest.MonkeyPatch, name: str, platform: str) -> None:
    as_system(monkeypatch, name, platform)
    environ = {
        "ENGRAM_HOME": "/e",
        "HOME": "/h",
        "USERPROFILE": "/h",
        "XDG_DATA_HOME": "/x",
        "XDG_CONFIG_HOME": "/x",
    }
    assert paths.data_dir(environ) == paths.config_dir(environ) == "/e"


@pytest.mark.parametrize(("name", "platform"), [("posix", "linux"), ("posix", "darwin"), ("nt", "win32")])
def test_no_home_gives_no_folder(monkeypatch: pytest.MonkeyPatch, name: str, platform: str) -> None:
    as_system(monkeypatch, name, platform)
    assert (paths.data_dir({}), paths.config_dir({})) == ("", "")


def test_relative_engram_home_is_made_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert paths.data_dir({"ENGRAM_HOME": "e"}) == str(tmp_path / "e")
    assert sys.platform == sys.modules["sys"].platform


def test_repository_is_a_git_place_from_everywhere_inside(repo: Repo, home: Path) -> None:
    (repo / "a" / "b").mkdir(parents=True)
    expected = ("git", str(repo.path), str(repo.path / ".git"))
    for inside in (repo.path, repo / "a", repo / "a" / "b", repo / "a" / "gone" / "deep"):
        assert paths.find_place(str(inside), str(home)) == expected


@pytest.mark.parametrize("marker", [".engram", ".claude"])
def test_marked_folder_is_a_place(home: Path, marker: str) -> None:
    (home / "notes" / marker).mkdir(parents=True)
    (home / "notes" / "sub").mkdir()
    expected = ("dir", str(home / "notes"), str(home / "notes"))
    assert paths.find_place(str(home / "notes" / "sub"), str(home)) == expected


def test_marker_in_the_home_folder_makes_no_place_of_what_is_below(home: Path) -> None:
    (home / ".claude").mkdir()
    (home / "notes").mkdir()
    assert paths.find_place(str(home / "notes"), str(home))[1] == str(home / "notes")
    assert paths.find_place(str(home), str(home))[0] == "none"


@pytest.mark.parametrize("text", ["", "gitdir:", "gitdir: nowhere", "something else", "\x00\xff"])
def test_odd_git_file_raises_nothing(tmp_path: Path, home: Path, text: str) -> None:
    folder = home / "odd"
    folder.mkdir()
    (folder / ".git").write_text(text, encoding="latin-1")
    assert paths.find_place(str(folder), str(home))[1] == str(folder)


def test_branch_is_read_from_files(repo: Repo) -> None:
    assert paths.head_branch(str(repo.path)) == "main"
    repo.git("checkout", "-q", "-b", "topic/x")
    assert paths.head_branch(str(repo.path)) == "topic/x"
    repo.git("checkout", "-q", "--detach")
    assert paths.head_branch(str(repo.path)) == ""


def test_head_commit_is_read_from_files(repo: Repo, tmp_path: Path) -> None:
    first = repo.head()
    assert paths.head_commit(str(repo.path)) == first
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "wt"))
    second = repo.commit("more")
    assert (paths.head_commit(str(repo.path)), paths.head_commit(str(tmp_path / "wt"))) == (second, first)
    repo.git("tag", "-a", "v1", "-m", "one")
    repo.git("pack-refs", "--all")
    assert (paths.head_commit(str(repo.path)), paths.head_commit(str(tmp_path / "wt"))) == (second, first)
    repo.git("checkout", "-q", "--detach", first)
    assert paths.head_commit(str(repo.path)) == first


@pytest.mark.parametrize(
    "head",
    [
        pytest.param("ref: refs/heads/unborn\n", id="no commit yet"),
        pytest.param("ref: refs/heads/.invalid\n", id="reftable"),
        pytest.param("", id="empty"),
        pytest.param("0123\n", id="no hash"),
        pytest.param("ref: refs/heads/mai\n", id="the start of another name"),
    ],
)
def test_head_that_files_do_not_tell_is_empty(repo: Repo, head: str) -> None:
    repo.git("pack-refs", "--all")
    (repo / ".git" / "HEAD").write_text(head, encoding="utf-8")
    assert paths.head_commit(str(repo.path)) == ""


def test_place_without_a_repository_has_no_head(tmp_path: Path) -> None:
    assert paths.head_commit(str(tmp_path)) == paths.head_commit(str(tmp_path / "none")) == ""
