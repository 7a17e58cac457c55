"""What a repository says about itself: roots, shallowness, one spelling of its origin."""

from __future__ import annotations

from pathlib import Path

import pytest

from engram_hooks.history.identity import normalise_origin, read_facts
from tests.support.make_repo import Repo, make_repo, run_git

SHOP = "example.com/Acme/Shop"


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/Acme/Shop.git",
        "https://example.com/Acme/Shop",
        "https://example.com/Acme/Shop/",
        "https://Example.COM:443/Acme/Shop.git",
        "https://ana:pass" + "word@example.com/Acme/Shop.git",
        "https://token@example.com/Acme/Shop.git?x=1",
        "http://example.com:80/Acme/Shop",
        "ssh://git@example.com/Acme/Shop.git",
        "ssh://git@example.com:22/Acme/Shop.git",
        "git+ssh://git@example.com/Acme/Shop.git",
        "git://example.com/Acme/Shop.git",
        "git@example.com:Acme/Shop.git",
        "example.com:Acme/Shop",
        "git@example.com:/Acme/Shop.git",
        "https://example.com//Acme//Shop.git/",
        "  https://example.com/Acme/Shop.git\n",
        "https://example.com./Acme/Shop",
    ],
)
def test_one_origin_has_one_spelling(url: str) -> None:
    assert normalise_origin(url) == SHOP


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        pytest.param("https://example.com/acme/shop", "example.com/acme/shop", id="case of the path"),
        pytest.param("https://example.com:8443/Acme/Shop", "example.com:8443/Acme/Shop", id="other port"),
        pytest.param(
            "ssh://git@example.com:443/Acme/Shop", "example.com:443/Acme/Shop", id="port of another scheme"
        ),
        pytest.param("https://example.org/Acme/Shop", "example.org/Acme/Shop", id="other host"),
        pytest.param(
            "https://example.com/Acme/Shop.git.git", "example.com/Acme/Shop.git", id="one .git only"
        ),
        pytest.param("ssh://git@[2001:db8::1]:22/x.git", "2001:db8::1/x", id="address in brackets"),
        pytest.param("git@[2001:db8::1]:x.git", "2001:db8::1/x", id="address in scp form"),
        pytest.param("https://example.com/a%20b", "example.com/a b", id="escaped"),
        pytest.param("/srv/git/shop.git", "path:/srv/git/shop", id="path"),
        pytest.param("file:///srv/git/shop.git", "path:/srv/git/shop", id="file url"),
        pytest.param("../shop.git", "path:/srv/shop", id="relative path"),
        pytest.param("C:\\git\\shop", "path:/srv/git/C:\\git\\shop", id="a drive is no host"),
    ],
)
def test_other_origin_stays_another(url: str, normal: str) -> None:
    assert normalise_origin(url, folder="/srv/git") == normal


def test_repository_has_its_root_and_no_origin(repo: Repo) -> None:
    root = repo.head()
    repo.commit("more")
    facts = read_facts(str(repo.path))
    assert (facts.roots, facts.is_shallow, facts.origin, facts.origin_hash) == ((root,), False, "", "")


def test_several_roots_come_smallest_first_without_notes_and_stashes(repo: Repo) -> None:
    first = repo.head()
    repo.git("notes", "add", "-m", "a note")
    repo.write({"README.md": "changed", "new.txt": "new"})
    repo.git("stash", "push", "-q", "-u")
    repo.git("checkout", "-q", "--orphan", "pages")
    second = repo.commit("pages", {"index.html": "hello"})
    assert read_facts(str(repo.path)).roots == tuple(sorted((first, second)))


def test_detached_head_without_branches_has_a_root(repo: Repo) -> None:
    root = repo.head()
    repo.git("checkout", "-q", "--detach")
    repo.git("branch", "-q", "-D", "main")
    assert read_facts(str(repo.path)).roots == (root,)


def test_empty_repository_has_no_root(tmp_path: Path, home: Path) -> None:
    run_git(tmp_path, "init", "-q", "empty")
    facts = read_facts(str(tmp_path / "empty"))
    assert (facts.roots, facts.is_shallow) == ((), False)


def test_shallow_clone_has_an_origin_and_no_root(repo: Repo, tmp_path: Path) -> None:
    repo.commit("more")
    run_git(tmp_path, "clone", "-q", "--depth", "1", f"file://{repo.path}", "shallow")
    facts = read_facts(str(tmp_path / "shallow"))
    assert (facts.roots, facts.is_shallow, facts.origin) == ((), True, f"path:{repo.path}")
    assert len(facts.origin_hash) == 32


def test_replaced_objects_do_not_change_the_root(repo: Repo) -> None:
    root = repo.head()
    other = make_repo(repo.path.parent / "other")
    repo.git("fetch", "-q", str(other.path), "main:other")
    repo.git("replace", root, "other")
    repo.git("branch", "-q", "-D", "other")
    assert root in read_facts(str(repo.path)).roots


def test_long_hashes_are_roots_too(tmp_path: Path, home: Path) -> None:
    repo = make_repo(tmp_path / "wide", object_format="sha256")
    assert read_facts(str(repo.path)).roots == (repo.head(),)
    assert len(repo.head()) == 64
