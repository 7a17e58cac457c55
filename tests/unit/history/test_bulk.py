"""Commits from which nothing is concluded, and what counts as a cosmetic change."""

from __future__ import annotations

import pytest

from engram_hooks.history.bulk import is_blank_change, is_bulk, is_comment, is_cosmetic
from engram_hooks.history.changes import Commit, FileChange, Hunk


def change(path: str, *hunks: tuple[tuple[str, ...], tuple[str, ...]], status: str = "M") -> FileChange:
    made = tuple(Hunk(1, len(old), 1, len(new), old, new) for old, new in hunks)
    return FileChange(status, path, path, made, False)


def commit(*changes: FileChange, message: str = "Change", parents: tuple[str, ...] = ("p",)) -> Commit:
    return Commit("c", parents, "Ana", 0, 0, message, changes)


REAL = (("a = 1",), ("a = 2",))


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(commit(*(change(f"f{n}.py", REAL) for n in range(100))), id="very many files"),
        pytest.param(
            commit(*(change(f"f{n}.py", ((), (f"x{n}",))) for n in range(20)), parents=()), id="an import"
        ),
        pytest.param(
            commit(*(change(f"f{n}.py", ((), ("# Copyright",))) for n in range(10)), message="Headers"),
            id="the same header everywhere",
        ),
        pytest.param(
            commit(*(change(f"f{n}.py", ((f"a={n}",), (f"a = {n}",))) for n in range(8))),
            id="blanks in many files",
        ),
        pytest.param(
            commit(*(change(f"f{n}.py", ((f"a{n}",), (f"b{n}",))) for n in range(8)), message="Run black"),
            id="said to be a reformatting",
        ),
        pytest.param(
            commit(change("vendor/x.py", ((), tuple(f"l{n}" for n in range(400)))), change("a.py", REAL)),
            id="mostly vendored lines",
        ),
        pytest.param(commit(change("yarn.lock", ((), tuple(f"l{n}" for n in range(400))))), id="a lock file"),
        pytest.param(
            commit(*(FileChange("R", f"a/{n}.py", f"b/{n}.py", (), False) for n in range(20))),
            id="a mass of moves",
        ),
    ],
)
def test_bulk(given: Commit) -> None:
    assert is_bulk(given)


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(commit(change("a.py", REAL)), id="one line"),
        pytest.param(
            commit(*(change(f"f{n}.py", ((f"a{n}",), (f"b{n}",))) for n in range(30))), id="a wide change"
        ),
        pytest.param(commit(change("a.py", REAL), parents=()), id="a small first commit"),
        pytest.param(
            commit(change("a.py", (("x",), ("y",))), message="Run black"), id="one file reformatted"
        ),
        pytest.param(
            commit(change("yarn.lock", ((), ("l",))), change("a.py", REAL)), id="a few lines of a lock file"
        ),
        pytest.param(commit(), id="nothing"),
    ],
)
def test_not_bulk(given: Commit) -> None:
    assert not is_bulk(given)


def test_cosmetic_changes_are_comments_blanks_and_line_breaks() -> None:
    assert is_cosmetic([change("a.py", (("# old",), ("# new", "")))])
    assert is_cosmetic([change("a.py", (("f(a, b)",), ("f(", "    a, b)")))])
    assert is_cosmetic([change("a.py", (("# a",), ())), change("docs/a.md", REAL)])
    assert not is_cosmetic([change("a.py", (("# a",), ("a = 1",)))])
    assert not is_cosmetic([change("a.py", (("# a",), ("# b",)), REAL)])
    assert not is_cosmetic([change("docs/a.md", REAL)])
    assert not is_cosmetic([FileChange("M", "a.py", "a.py", (), True)])
    assert not is_blank_change([])
    assert is_blank_change([change("a", (("\tx",), ("    x",)))])


@pytest.mark.parametrize(
    ("line", "path"),
    [("# a", "a.py"), ("  // a", "a.go"), ("/* a", "a.c"), (" * a", "a.java"), ("", "a"), ("-- a", "a.sql")],
)
def test_comments(line: str, path: str) -> None:
    assert is_comment(line, path)


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("#include <a>", "a.c"),
        ("#[derive]", "a.rs"),
        ("*p = 1;", "a.c"),
        ("--i;", "a.c"),
        ("a # b", "a.py"),
        ("% 2", "a.js"),
    ],
)
def test_code_that_begins_like_a_comment(line: str, path: str) -> None:
    assert not is_comment(line, path)
