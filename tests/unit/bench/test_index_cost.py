"""The benchmark of indexing: it borrows a history, and says what reading it costs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from engram_hooks.bench.borrowed import add_commit, borrow, packed_bytes
from engram_hooks.cli.bench import group
from engram_hooks.errors import EngramError
from tests.support.make_repo import Repo, make_repo, run_git

LINES = "".join(f"line {at}\n" for at in range(9))


@pytest.fixture(params=["sha1", "sha256"])
def repo(tmp_path: Path, request: pytest.FixtureRequest) -> Repo:
    """A small repository with a change, and a file that is gone."""
    repo = make_repo(tmp_path / "theirs", object_format=request.param)
    repo.commit("Start", {"a.py": LINES, "gone.py": LINES})
    repo.commit("Change", {"a.py": LINES + "more\n", "gone.py": LINES + "more\n"})
    repo.commit("Remove", {"gone.py": None})
    return repo


def test_borrowed_repository_gets_commits_and_the_source_none(repo: Repo, tmp_path: Path) -> None:
    head, refs = repo.head(), repo.git("for-each-ref")
    files = sorted((path, path.stat().st_mtime_ns) for path in repo.path.rglob("*"))
    copy = Repo(borrow(repo.path, tmp_path / "copy"))
    assert copy.git("rev-parse", "main") == head
    assert [add_commit(copy.path, at) for at in (1, 2)] == ["a.py", "a.py"]
    assert copy.git("rev-parse", "main~2") == head
    assert copy.git("show", "--stat", "--format=%s", "main").startswith("Measure 2\n")
    assert (repo.head(), repo.git("for-each-ref")) == (head, refs)
    assert sorted((path, path.stat().st_mtime_ns) for path in repo.path.rglob("*")) == files
    assert packed_bytes(repo.path) > 0


def test_shallow_clone_stays_shallow(repo: Repo, tmp_path: Path) -> None:
    repo.git("clone", "-q", "--depth=1", f"file://{repo.path}", str(tmp_path / "clone"))
    copy = Repo(borrow(tmp_path / "clone", tmp_path / "copy"))
    assert copy.git("rev-list", "--count", "main") == "1"


def test_repository_without_commits_is_refused(tmp_path: Path) -> None:
    run_git(tmp_path, "init", "-q", "empty")
    with pytest.raises(EngramError, match="no commit to measure with"):
        borrow(tmp_path / "empty", tmp_path / "copy")


def test_history_without_changed_files_is_refused(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "theirs")
    repo.commit("Start", {"a.py": LINES})
    copy = borrow(repo.path, tmp_path / "copy")
    with pytest.raises(EngramError, match="was changed lately"):
        add_commit(copy, 1)


@pytest.mark.parametrize("repo", ["sha1"], indirect=True)
def test_command_prints_a_table_or_json(repo: Repo) -> None:
    shown = CliRunner().invoke(group, ["index", "--repo", str(repo.path), "--rounds", "1"])
    assert shown.exit_code == 0, shown.output
    assert "one commit more" in shown.output
    assert "of the objects" in shown.output
    assert not shown.stderr
    result = CliRunner().invoke(group, ["index", "--commits", "60", "--rounds", "1", "--json"])
    cost = json.loads(result.stdout)
    assert cost["name"] == "made-up"
    assert cost["commits"] >= 60
    assert cost["index_cpu_s"] == pytest.approx(cost["ratio"] * cost["floor_cpu_s"], rel=0.1)
    assert min(cost[key] for key in ("peak_mb", "one_more_cpu_s", "index_mb", "objects_mb", "share")) > 0
