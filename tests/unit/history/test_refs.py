"""Which branch is the mainline, in whatever way a repository names its branches."""

from __future__ import annotations

from pathlib import Path

import pytest

from engram_hooks.history.refs import Refs, find_newest, name_mainline, read_refs
from tests.support.make_repo import Repo, run_git

A, B = "a" * 40, "b" * 40


def refs(*heads: str, remotes: tuple[str, ...] = (), default: str = "", current: str = "") -> Refs:
    return Refs(dict.fromkeys(heads, A), dict.fromkeys(remotes, B), default, current)


@pytest.mark.parametrize(
    ("found", "name"),
    [
        pytest.param(refs("main", "topic"), "main", id="main"),
        pytest.param(refs("master", "topic"), "master", id="master"),
        pytest.param(refs("main", "master"), "main", id="main before master"),
        pytest.param(
            refs("main", "next", remotes=("origin/next",), default="next"), "next", id="of the remote"
        ),
        pytest.param(
            refs("topic", remotes=("origin/live",), default="live"), "live", id="at the remote alone"
        ),
        pytest.param(refs("main", default="gone"), "main", id="the remote names one that is gone"),
        pytest.param(refs("only"), "only", id="the only one"),
        pytest.param(refs("one", "two", current="two"), "two", id="the current one"),
        pytest.param(refs(), "", id="none"),
    ],
)
def test_mainline_is_named(found: Refs, name: str) -> None:
    assert name_mainline(found) == name


def test_what_a_person_says_comes_first_and_what_is_known_before_the_current_one() -> None:
    found = refs("main", "release", "one", current="one")
    assert name_mainline(found, wanted="release") == "release"
    assert name_mainline(found, wanted="gone") == "main"
    assert name_mainline(refs("one", "two", current="two"), known="one") == "one"


def test_branches_here_and_at_the_remote_are_read(repo: Repo, tmp_path: Path) -> None:
    first = repo.head()
    run_git(tmp_path, "clone", "-q", str(repo.path), "clone")
    clone = Repo(tmp_path / "clone", 1)
    second = clone.commit("More", {"a.txt": "a\n"})
    clone.git("checkout", "-q", "-b", "topic/x")
    found = read_refs(str(clone.path))
    assert found == Refs({"main": second, "topic/x": second}, {"origin/main": first}, "main", "topic/x")
    assert found.tips_of("main") == [second, first]
    assert find_newest(str(clone.path), [first, second]) == [second]
    clone.git("checkout", "-q", "--detach")
    assert read_refs(str(clone.path)).current == ""


def test_repository_without_a_commit_has_no_branches(tmp_path: Path) -> None:
    run_git(tmp_path, "init", "-q", "-b", "main", "empty")
    assert read_refs(str(tmp_path / "empty")) == Refs({}, {}, "", "main")
