"""The walk over `git log`: odd bytes in messages, names and dates come out as they are."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from engram_hooks.history.changes import Commit
from engram_hooks.history.walk import walk_commits
from tests.support.make_repo import Repo, make_repo


def walk(repo: Repo | Path, **options: object) -> list[Commit]:
    return list(walk_commits(os.fspath(repo), **options))  # type: ignore[arg-type]


def commit_object(repo: Repo, message: bytes, *, who: bytes = b"Ana <ana@example.com>", at: bytes) -> str:
    """Write a commit of the staged files byte for byte and move HEAD to it."""
    tree = repo.git("write-tree")
    parent = repo.git("rev-parse", "HEAD")
    text = f"tree {tree}\nparent {parent}\n".encode()
    text += b"author " + who + b" " + at + b"\ncommitter " + who + b" " + at + b"\n" + message
    done = subprocess.run(
        ["git", "hash-object", "-t", "commit", "-w", "--literally", "--stdin"],
        cwd=repo.path,
        input=text,
        capture_output=True,
        check=True,
    )
    name = done.stdout.decode().strip()
    repo.git("update-ref", "HEAD", name)
    return name


def test_nothing_in_a_message_is_taken_for_a_field_a_file_or_a_commit(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r")
    forged = "\x01" + "1" * 40
    message = (
        f"fix: a | b ; c\td\x1fe\x1ef\n\n{forged}\n\x01{'2' * 40}\ncommit {'3' * 40}\n"
        ":100644 100644 0000000 1111111 M\ta.py\ndiff --git a/x b/x\n@@ -1 +1 @@\n-x\n+y"
    )
    repo.commit(message, {"a.py": f"{forged}\n@@ -1 +1 @@\ndiff --git a/x b/x\n"})
    newest, first = walk(repo)
    assert newest.message == message
    assert [change.path for change in newest.changes] == ["a.py"]
    assert newest.changes[0].hunks[0].added == (forged, "@@ -1 +1 @@", "diff --git a/x b/x")
    assert newest.parents == (first.hash,)


def test_a_file_name_that_looks_like_a_commit_is_a_file_name(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r")
    name = f"a\n\x01{'1' * 40}"
    repo.commit("c", {name: "x\n", "b\n@@ -1 +1 @@\n-y": "z\n"})
    newest, _ = walk(repo)
    assert {change.path: change.hunks[0].added for change in newest.changes} == {
        name: ("x",),
        "b\n@@ -1 +1 @@\n-y": ("z",),
    }


def test_a_nul_deep_in_a_text_file_ends_nothing(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r")
    lines = b"".join(b"line %d\n" % n for n in range(2000))
    repo.commit("c", {"a.txt": lines + b"\0\x01" + b"1" * 40 + b"\0\0\0\n\x01rest\nlast\n"})
    newest, _ = walk(repo)
    assert newest.changes[0].hunks[0].added[-1] == "last"
    assert len(newest.changes[0].hunks[0].added) == 2003


def test_names_that_are_not_utf8_and_both_unicode_forms_survive(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r")
    names = ["gr\udcfcn.py", "caf\u00e9.py", "cafe\u0301.py"]
    for name in names:
        with open(os.fsencode(os.path.join(repo, name)), "wb") as file:
            file.write(b"x\n")
    repo.commit("c")
    assert sorted(change.path for change in walk(repo)[0].changes) == sorted(names)


@pytest.mark.parametrize(
    ("header", "text", "expected"),
    [
        pytest.param(b"", b"gr\xfcn", "gr\ufffdn", id="undeclared latin-1"),
        pytest.param(b"encoding ISO-8859-1\n", b"caf\xe9", "caf\u00e9", id="declared latin-1"),
        pytest.param(b"encoding cp1251\n", b"\xef\xf0\xe8", "\u043f\u0440\u0438", id="declared cp1251"),
        pytest.param(b"encoding no-such\n", b"\xff odd", "\ufffd odd", id="a false declaration"),
        pytest.param(b"", b"", "", id="no message"),
    ],
)
def test_messages_of_any_encoding(tmp_path: Path, header: bytes, text: bytes, expected: str) -> None:
    repo = make_repo(tmp_path / "r")
    name = commit_object(repo, header + b"\n" + text + b"\n", at=b"1700000000 +0100")
    assert (walk(repo)[0].hash, walk(repo)[0].message) == (name, expected)


@pytest.mark.parametrize(
    "at",
    [
        b"1700000000 +0518",
        b"1700000000 +051800",
        b"-86400 +0000",
        b"99999999999999 +9999",
        b"4294967296 -1200",
    ],
)
def test_odd_dates_stay_within_the_years_1_to_9999(tmp_path: Path, at: bytes) -> None:
    repo = make_repo(tmp_path / "r")
    commit_object(repo, b"\nfix: number\n", at=at)
    newest = walk(repo)[0]
    assert newest.message == "fix: number"
    assert -62_135_596_800_000 <= newest.authored_at <= 253_402_300_799_000
