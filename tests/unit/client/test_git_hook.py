"""The check in the hook of git: put where git looks, beside what is there, and taken out without a trace."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from engram_hooks.client import git_hook
from engram_hooks.client.git_hook import install
from engram_hooks.client.git_hook_block import BEGIN, Interpreter
from engram_hooks.client.git_hook_place import GIT, HOOKS_PATH
from engram_hooks.errors import EngramError
from tests.support.git_hooks import OLD_SHELL, OWN, add, drop, hook_of, put, status, tree
from tests.support.make_repo import Repo

OLD_PYTHON = b"#!/usr/bin/env python3\nprint('OLDHOOK')\n"


def test_hook_is_written_where_there_is_none(repo: Repo) -> None:
    assert not status(repo).is_installed
    before = tree(repo.path)
    report = add(repo)
    assert (report.place.kind, report.file, report.is_installed) == (GIT, hook_of(repo), True)
    assert hook_of(repo).read_bytes().startswith(b"#!/bin/sh\n" + BEGIN)
    assert os.access(hook_of(repo), os.X_OK)
    assert b"/usr/bin/python3" in hook_of(repo).read_bytes()
    assert add(repo).changes == ()
    assert drop(repo).changes == (f"removes {hook_of(repo)}",)
    assert tree(repo.path) == before
    assert drop(repo).changes == ()


@pytest.mark.parametrize(
    ("content", "mode"),
    [
        pytest.param(OLD_SHELL, 0o755, id="shell"),
        pytest.param(OLD_SHELL, 0o700, id="shell of one's own"),
        pytest.param(OLD_PYTHON, 0o755, id="python"),
        pytest.param(b"\x7fELF\0\1", 0o755, id="program"),
        pytest.param(OLD_SHELL, 0o644, id="not executable"),
        pytest.param(b"#!/bin/sh\n", 0o755, id="only a shebang"),
        pytest.param(b"", 0o755, id="empty"),
    ],
)
def test_hook_that_was_there_comes_back(repo: Repo, content: bytes, mode: int) -> None:
    put(hook_of(repo), content, mode)
    before = tree(repo.path)
    add(repo)
    assert status(repo).is_installed
    assert os.access(hook_of(repo), os.X_OK)
    again = tree(repo.path)
    add(repo)
    assert tree(repo.path) == again
    drop(repo)
    assert tree(repo.path) == before


@pytest.mark.skipif(os.name == "nt", reason="not on Windows: hooks are no programs there")
@pytest.mark.parametrize("code", [0, 3])
@pytest.mark.parametrize("first_line", ["#!/bin/sh", "#!/usr/bin/env python3"])
def test_both_hooks_run_and_the_code_of_the_old_one_counts(repo: Repo, code: int, first_line: str) -> None:
    is_python = "python" in first_line
    body = f"print('OLDHOOK')\nraise SystemExit({code})" if is_python else f"echo OLDHOOK\nexit {code}"
    put(hook_of(repo), f"{first_line}\n{body}\n".encode())
    add(repo)
    argv = ("hook", "run", "pre-commit")
    if code:
        with pytest.raises(AssertionError, match="OLDHOOK"):
            repo.git(*argv)
    else:
        repo.git(*argv)


def test_hook_that_is_not_executable_does_not_run_by_us(repo: Repo) -> None:
    put(hook_of(repo), b"#!/bin/sh\nexit 5\n", 0o644)
    add(repo)
    repo.git("hook", "run", "pre-commit")


def test_link_to_a_script_stays_a_link(repo: Repo) -> None:
    script = put(repo / "scripts" / "check.sh", OLD_SHELL)
    hook_of(repo).parent.mkdir(exist_ok=True)
    hook_of(repo).symlink_to("../../scripts/check.sh")
    before = tree(repo.path)
    add(repo)
    assert script.read_bytes() == OLD_SHELL
    repo.git("hook", "run", "pre-commit")
    drop(repo)
    assert tree(repo.path) == before


def test_edits_made_meanwhile_stay(repo: Repo) -> None:
    put(hook_of(repo), OLD_SHELL)
    add(repo)
    hook_of(repo).write_bytes(hook_of(repo).read_bytes() + b"\nmake\n")
    drop(repo)
    assert hook_of(repo).read_bytes() == OLD_SHELL + b"\nmake\n"


def test_hook_that_was_switched_off_by_its_mode_runs_again(repo: Repo) -> None:
    add(repo)
    hook_of(repo).chmod(0o644)
    assert any("not executable" in note for note in status(repo).notes)
    add(repo)
    assert os.access(hook_of(repo), os.X_OK)
    assert status(repo).notes == ()


def test_lines_are_renewed_for_another_interpreter(repo: Repo) -> None:
    put(hook_of(repo), OLD_SHELL)
    add(repo)
    other = Interpreter("/opt/python", "/opt/engram")
    report = install(str(repo.path), environ=os.environ, interpreter=other)
    assert report.changes == (f"renews the lines in {hook_of(repo)}",)
    assert b"/usr/bin/python3" not in hook_of(repo).read_bytes()
    drop(repo)
    assert hook_of(repo).read_bytes() == OLD_SHELL


@pytest.mark.parametrize("name", ["hooks-of-ours", "deep/hooks", "/absolute"])
def test_folder_of_the_settings_is_used(repo: Repo, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "elsewhere" if name == "/absolute" else repo / name
    repo.git("config", "core.hooksPath", str(folder) if name == "/absolute" else name)
    report = add(repo)
    assert (report.place.kind, report.file) == (HOOKS_PATH, folder / "pre-commit")
    assert os.access(folder / "pre-commit", os.X_OK)
    assert not hook_of(repo).exists()
    assert report.place.is_shared == (name != "/absolute")
    assert (b"/usr/bin/python3" in report.file.read_bytes()) == (name == "/absolute")
    drop(repo)
    assert not (folder / "pre-commit").exists()


def test_folder_of_the_users_settings_serves_all_repositories(
    repo: Repo, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(put(home / "gitconfig", b"[core]\n\thooksPath = ~/hooks\n")))
    report = add(repo)
    assert report.file == home / "hooks" / "pre-commit"
    assert any("all your repositories" in note for note in report.notes)
    repo.git("config", "core.hooksPath", "")
    with pytest.raises(EngramError, match="switches hooks off"):
        status(repo)


def test_copy_of_a_shared_hook_is_kept_out_of_the_work_tree(repo: Repo) -> None:
    repo.commit("chore: hooks", {".githooks/pre-commit": OLD_SHELL})
    (repo / ".githooks/pre-commit").chmod(0o755)
    repo.commit("chore: executable")
    repo.git("config", "core.hooksPath", ".githooks")
    add(repo)
    assert repo.git("status", "--porcelain") == " M .githooks/pre-commit"
    assert (repo / ".git" / "pre-commit.before-engram").read_bytes() == OLD_SHELL
    drop(repo)
    assert repo.git("status", "--porcelain") == ""
    assert not (repo / ".git" / "pre-commit.before-engram").exists()


def test_worktrees_and_subfolders_share_one_hook(repo: Repo, tmp_path: Path) -> None:
    put(hook_of(repo), OLD_SHELL)
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "wt"))
    (tmp_path / "wt" / "deep").mkdir()
    report = install(str(tmp_path / "wt" / "deep"), environ=os.environ, interpreter=OWN)
    assert report.file == hook_of(repo)
    assert status(repo).is_installed
    assert add(repo).changes == ()
    drop(Repo(tmp_path / "wt"))
    assert hook_of(repo).read_bytes() == OLD_SHELL


def test_bare_repository_and_no_repository_are_refused(repo: Repo, tmp_path: Path) -> None:
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    with pytest.raises(EngramError, match="bare"):
        add(Repo(tmp_path / "bare.git"))
    with pytest.raises(EngramError, match="not a git repository"):
        add(Repo(tmp_path))


@pytest.mark.parametrize("content", [None, OLD_SHELL, OLD_PYTHON], ids=["none", "shell", "python"])
def test_disk_that_refuses_leaves_the_hook_as_it_was(
    repo: Repo, content: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, content: bytes, *, mode: int) -> None:
        if path == hook_of(repo):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        put(path, content, mode)

    monkeypatch.setattr(git_hook, "write_file", refuse)
    if content is not None:
        put(hook_of(repo), content)
    with pytest.raises(EngramError, match="cannot be changed: Permission denied"):
        add(repo)
    assert (hook_of(repo).read_bytes() if hook_of(repo).exists() else None) == content


def test_folder_in_place_of_the_hook_is_refused(repo: Repo) -> None:
    hook_of(repo).mkdir(parents=True)
    with pytest.raises(EngramError, match="no hook that can be read"):
        add(repo)
