"""`engram exec` is not noticed by the command it runs, and `engram attempts` shows what was learned."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.make_repo import Repo, make_repo

ENGRAM = [sys.executable, "-m", "engram_hooks"]
FAULT = "FAILED tests/test_calc.py::test_double - AssertionError: assert 8 == 4\n1 failed in 0.1s"


@pytest.fixture
def shop(tmp_path: Path, home: Path, data: str) -> Repo:
    """A repository whose check is a script that looks into the source."""
    script = f"#!/bin/sh\ngrep -q 'x \\*\\* 3' calc.py || exit 0\necho '{FAULT}'\nexit 1\n"
    return make_repo(tmp_path / "shop", {"calc.py": "def double(x):\n    return x * 2\n", "check.sh": script})


def engram(repo: Repo, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the repository."""
    return subprocess.run(
        [*ENGRAM, *arguments], cwd=repo.path, text=True, capture_output=True, timeout=60, check=False
    )


def read(repo: Repo, *arguments: str) -> list[dict[str, object]]:
    """Return what `engram attempts ... --json` prints."""
    done = engram(repo, "attempts", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, list)
    return found


def try_it(repo: Repo) -> None:
    """Change, check, take back."""
    repo.write({"calc.py": "def double(x):\n    return x ** 3\n"})
    assert engram(repo, "exec", "--note", "cube it", "--", "sh", "check.sh").returncode == 1
    repo.git("checkout", "-q", "calc.py")


def test_streams_and_codes_are_those_of_the_command(shop: Repo) -> None:
    done = engram(shop, "exec", "--", "sh", "-c", "echo out; echo err >&2; cat; exit 7")
    assert (done.returncode, done.stdout, done.stderr) == (7, "out\n", "err\n")


def test_signal_that_ends_the_command_ends_engram(shop: Repo) -> None:
    assert engram(shop, "exec", "--", "sh", "-c", "kill -TERM $$").returncode == -15


def test_command_that_is_not_there_is_named(shop: Repo) -> None:
    done = engram(shop, "exec", "--", "no-such-program")
    assert (done.returncode, done.stderr) == (127, "engram exec: no-such-program: not found\n")


def test_command_sees_a_terminal_of_the_same_size(shop: Repo) -> None:
    import fcntl
    import struct
    import termios

    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 77, 0, 0))
    done = subprocess.Popen(
        [*ENGRAM, "exec", "--", "sh", "-c", "test -t 1 && stty size <&1"],
        cwd=shop.path,
        stdin=subprocess.DEVNULL,
        stdout=child,
        stderr=child,
    )
    os.close(child)
    printed = b""
    while b"77" not in printed:
        printed += os.read(parent, 1000)
    assert done.wait(timeout=60) == 0
    os.close(parent)
    assert printed.strip() == b"33 77"


def test_check_that_failed_on_lines_that_were_taken_back_is_an_attempt(shop: Repo) -> None:
    try_it(shop)
    (one,) = read(shop, "list")
    assert one["outcome"] == "abandoned"
    assert one["intent"] == "cube it"
    assert one["files"] == [
        {"path": "calc.py", "removed": ["    return x * 2"], "added": ["    return x ** 3"]}
    ]
    assert [fault["place"] for fault in one["failures"]] == ["tests/test_calc.py::test_double"]  # type: ignore[attr-defined]
    assert read(shop, "search", "cube") == [one]
    assert read(shop, "list", "--file", "calc.py") == [one]
    assert read(shop, "list", "--file", "check.sh") == []


def test_checks_of_one_terminal_belong_to_the_checkout_they_run_in(shop: Repo, tmp_path: Path) -> None:
    other = make_repo(tmp_path / "other", {"a.txt": "1\n"})
    engram(other, "exec", "--", "true")
    try_it(shop)
    assert [one["intent"] for one in read(shop, "list")] == ["cube it"]
    assert read(other, "list") == []


def test_green_check_and_other_commands_leave_no_attempt(shop: Repo) -> None:
    engram(shop, "exec", "--", "sh", "check.sh")
    shop.write({"calc.py": "def double(x):\n    return x + x\n"})
    engram(shop, "exec", "--", "sh", "check.sh")
    engram(shop, "exec", "--", "false")
    assert read(shop, "list") == []


def test_person_decides_and_forgets(shop: Repo) -> None:
    try_it(shop)
    assert engram(shop, "attempts", "resolve", "t1", "--note", "squares are fine").returncode == 0
    (one,) = read(shop, "list")
    assert (one["outcome"], one["note"]) == ("resolved", "squares are fine")
    assert engram(shop, "attempts", "forget", "t1", "--yes").returncode == 0
    assert read(shop, "list") == []
    assert read(shop, "search", "cube") == []
    gone = engram(shop, "attempts", "show", "t1")
    assert gone.returncode != 0
    assert "there is no attempt 't1' here" in gone.stderr


def test_configured_filters_of_the_repository_are_not_run(shop: Repo, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    shop.commit("attributes", {".gitattributes": "*.py filter=evil diff=evil\n"})
    shop.git("config", "filter.evil.clean", f"touch {mark}; cat")
    shop.git("config", "diff.evil.textconv", f"touch {mark}; cat")
    try_it_quietly = {"calc.py": "def double(x):\n    return x ** 3\n"}
    shop.write(try_it_quietly)
    assert engram(shop, "exec", "--", "sh", "check.sh").returncode == 1
    assert not mark.exists()
