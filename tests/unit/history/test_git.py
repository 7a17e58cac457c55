"""Git is run without locks, prompts, hooks or variables that lead it elsewhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engram_hooks.history.git import GitError, GitMissing, make_environ, open_stream, run
from tests.support.make_repo import Repo, make_repo


def test_output_is_bytes(repo: Repo) -> None:
    repo.commit("caf\udce9".encode("utf-8", "surrogateescape").decode("latin-1"))
    assert run(["rev-parse", "HEAD"], str(repo.path)).strip().decode() == repo.head()


@pytest.mark.parametrize(
    "name",
    ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT", "GIT_EDITOR"],
)
def test_inherited_variable_is_dropped(name: str) -> None:
    assert name not in make_environ({name: "x", "PATH": "/bin"})


@pytest.mark.parametrize("name", ["PATH", "HOME", "GIT_EXEC_PATH", "GIT_CONFIG_GLOBAL"])
def test_variable_that_git_needs_is_kept(name: str) -> None:
    assert make_environ({name: "x"})[name] == "x"


def test_git_dir_of_a_hook_does_not_lead_elsewhere(repo: Repo, tmp_path: Path) -> None:
    other = make_repo(tmp_path / "other")
    environ = {**os.environ, "GIT_DIR": str(other / ".git"), "GIT_INDEX_FILE": "nowhere"}
    assert run(["rev-parse", "HEAD"], str(repo.path), environ=environ).strip().decode() == repo.head()


def test_nothing_of_the_repository_is_run(repo: Repo, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch '{mark}'\n", encoding="utf-8")
    script.chmod(0o755)
    repo.git("config", "core.fsmonitor", str(script))
    repo.git("config", "core.hooksPath", str(tmp_path))
    repo.git("config", "core.pager", str(script))
    mark.unlink(missing_ok=True)
    run(["status", "--porcelain"], str(repo.path))
    run(["log", "-1"], str(repo.path))
    assert not mark.exists()


def test_index_is_not_refreshed(repo: Repo) -> None:
    os.utime(repo / "README.md", (1, 1))
    index = repo / ".git" / "index"
    before = index.read_bytes()
    run(["status", "--porcelain"], str(repo.path))
    assert index.read_bytes() == before


def test_nothing_is_fetched(repo: Repo) -> None:
    with pytest.raises(GitError, match="not allowed"):
        run(["ls-remote", str(repo.path)], str(repo.path))


def test_failure_is_one_line_with_the_reason(repo: Repo) -> None:
    with pytest.raises(GitError) as caught:
        run(["rev-parse", "--verify", "nothing"], str(repo.path))
    assert "Needed a single revision" in caught.value.message
    assert "\n" not in caught.value.message


def test_other_owner_is_explained_and_nothing_is_configured(repo: Repo, home: Path) -> None:
    environ = {**os.environ, "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    with pytest.raises(GitError, match="ownership") as caught:
        run(["rev-parse", "HEAD"], str(repo.path), environ=environ)
    assert str(repo.path) in caught.value.hint
    assert not (home / ".gitconfig").exists()


def test_missing_git_is_named(repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    with pytest.raises(GitMissing, match="not installed"):
        run(["rev-parse", "HEAD"], str(repo.path))


def test_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="is gone"):
        run(["rev-parse", "HEAD"], str(tmp_path / "none"))


def test_slow_git_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = tmp_path / "git"
    slow.write_text("#!/bin/sh\nexec sleep 20\n", encoding="utf-8")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(GitError, match="took longer"):
        run(["log"], str(tmp_path), timeout_s=0.1)


def test_stream_is_read_while_git_runs(repo: Repo) -> None:
    with open_stream(["log", "--format=%s"], str(repo.path)) as stream:
        assert stream.read() == b"Begin shop\n"


def test_stream_may_be_left_early(repo: Repo) -> None:
    for number in range(3):
        repo.commit(f"change {number}")
    with open_stream(["log", "--format=%s"], str(repo.path)) as stream:
        assert stream.readline() == b"change 2\n"


def test_stream_of_a_failing_git_raises(repo: Repo) -> None:
    with pytest.raises(GitError), open_stream(["log", "nothing"], str(repo.path)) as stream:
        stream.read()
