"""What a commit that is being made changes, as git says it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engram_hooks.history.git import GitError
from engram_hooks.history.staged import (
    find_checkout,
    list_kept,
    list_last,
    list_under_way,
    parse_staged,
    read_blob,
    read_staged,
)
from tests.support.make_repo import Repo, make_repo


def changes_of(repo: Repo) -> list[tuple[str, str, str, int]]:
    """Return status, old path, path and number of hunks of each staged file."""
    checkout = find_checkout(str(repo.path), os.environ)
    assert checkout is not None
    output = read_staged(checkout)
    assert output is not None
    return [(one.status, one.old_path, one.path, len(one.hunks)) for one in parse_staged(output).changes]


def test_changes_have_hunks_and_names(repo: Repo) -> None:
    repo.commit("feat: files", {"a.py": "1\n2\n3\n4\n5\n6\n", "b.py": "one\ntwo\nthree\n", "c.py": "x\n"})
    repo.git("mv", "b.py", "d.py")
    repo.write({"a.py": "0\n2\n3\n4\n5\n7\n", "c.py": None, "new.py": "n\n"})
    repo.git("add", "-A")
    assert changes_of(repo) == [
        ("M", "a.py", "a.py", 2),
        ("D", "c.py", "c.py", 1),
        ("R", "b.py", "d.py", 0),
        ("A", "new.py", "new.py", 1),
    ]


def test_nothing_staged_is_no_change(repo: Repo) -> None:
    assert changes_of(repo) == []


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_first_commit_and_any_object_names(tmp_path: Path, home: Path, object_format: str) -> None:
    repo = Repo(tmp_path / "new")
    repo.path.mkdir()
    repo.git("init", "-q", f"--object-format={object_format}")
    repo.write({"a.py": "1\n"})
    repo.git("add", "-A")
    assert changes_of(repo) == [("A", "a.py", "a.py", 1)]
    checkout = find_checkout(str(repo.path), os.environ)
    assert checkout is not None
    with pytest.raises(GitError):
        list_last(checkout, ["a.py"])


def test_odd_names_and_contents_are_read(repo: Repo) -> None:
    name = os.fsdecode(b"caf\xe9\t\x01\n.py")
    (repo / name).write_bytes(b"\x01\xff\n\x01ab\n")
    repo.write({"link": "x"})
    (repo / "link").unlink()
    (repo / "link").symlink_to("README.md")
    repo.write({"data.bin": b"\0\1"})
    repo.git("add", "-A")
    assert sorted(changes_of(repo)) == sorted(
        [("A", name, name, 1), ("A", "link", "link", 0), ("A", "data.bin", "data.bin", 0)]
    )


def test_settings_of_the_repository_run_nothing(repo: Repo, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch '{mark}'\ncat \"$1\"\n")
    script.chmod(0o755)
    repo.commit("feat: a", {"a.py": "1\n", ".gitattributes": "*.py diff=odd filter=odd\n"})
    for key in ("diff.odd.textconv", "diff.odd.command", "diff.external", "core.fsmonitor", "core.pager"):
        repo.git("config", key, str(script))
    repo.write({"a.py": "2\n"})
    repo.git("add", "-A")
    for key in ("clean", "smudge", "process"):
        repo.git("config", f"filter.odd.{key}", str(script))
    mark.unlink(missing_ok=True)
    assert changes_of(repo) == [("M", "a.py", "a.py", 1)]
    checkout = find_checkout(str(repo.path), os.environ)
    assert checkout is not None
    assert list_kept(checkout, ["a.py"]) == {"a.py"}
    assert not mark.exists()


def test_files_are_listed_from_the_top(repo: Repo) -> None:
    repo.commit("feat: files", {"deep/a.py": "1\n", "b.py": "1\n", "log.txt": "1\n"})
    repo.commit("feat: b", {"b.py": "2\n", ".gitignore": "log.txt\n"})
    checkout = find_checkout(str(repo / "deep"), os.environ)
    assert checkout is not None
    names = ["deep/a.py", "b.py", "log.txt", "gone.py", "*.py"]
    assert list_kept(checkout, names) == {"deep/a.py", "b.py"}
    assert list_last(checkout, names) == {"b.py"}


def test_content_is_read_by_its_name(repo: Repo) -> None:
    repo.commit("feat: files", {"a.py": "one\n\xe9two", "b.bin": b"\0"})
    checkout = find_checkout(str(repo.path), os.environ)
    assert checkout is not None
    assert read_blob(checkout, repo.git("rev-parse", "HEAD:a.py")) == ["one", "\xe9two"]
    assert read_blob(checkout, repo.git("rev-parse", "HEAD:b.bin")) == []
    with pytest.raises(GitError):
        read_blob(checkout, "0" * 40)


def test_what_is_under_way_is_read_from_the_git_folder(repo: Repo, tmp_path: Path) -> None:
    checkout = find_checkout(str(repo.path), os.environ)
    assert checkout is not None
    assert list_under_way(checkout) == []
    first, second = "a" * 40, "b" * 40
    (repo / ".git" / "MERGE_HEAD").write_text(f"{first}\n{second}\n")
    (repo / ".git" / "REVERT_HEAD").write_text("--output=x\n")
    assert list_under_way(checkout) == [("merge", first), ("merge", second)]
    other = make_repo(tmp_path / "other")
    named = find_checkout(str(repo.path), {**os.environ, "GIT_DIR": str(other / ".git")})
    assert named is not None
    assert list_under_way(named) == []


def test_outside_a_repository_there_is_no_checkout(tmp_path: Path, home: Path) -> None:
    assert find_checkout(str(tmp_path), os.environ) is None
