"""What the check before a commit costs, measured in starts of a bare interpreter; git's own time is in it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.bare_start import bare_start_s
from tests.support.known_fixes import KnownFixes, know_fixes
from tests.support.make_repo import Repo
from tests.support.repo_files import ROOT

BOOT = "import sys;sys.path.append(sys.argv.pop(1));from engram_hooks.__main__ import main;main()"
FILES, LINES = 7, 2_000


def body(number: int, word: str) -> str:
    return "".join(f"{word}_{line} = compute({number}, {line})\n" for line in range(LINES))


@pytest.fixture
def known(repo: Repo, data: str) -> KnownFixes:
    """A repository of large files, every second line of which carries a fix."""
    fix = repo.commit("fix: all", {f"m{number}.py": body(number, "value") for number in range(FILES)})
    found = know_fixes(repo, data)
    for number in range(FILES):
        found.guard(f"m{number}.py", fix, range(1, LINES, 2))
    return found


def spent_s(folder: Path, runs: int = 3) -> tuple[float, bytes]:
    """Return the CPU seconds of a check, the best of some runs, and what it printed."""
    spent, printed = [], b""
    argv = [sys.executable, "-I", "-S", "-c", BOOT, str(ROOT), "pre-commit", "--json"]
    for _ in range(runs):
        before = os.times()
        printed = subprocess.run(argv, cwd=folder, check=True, stdout=subprocess.PIPE).stdout
        after = os.times()
        spent.append(
            after.children_user + after.children_system - before.children_user - before.children_system
        )
    return min(spent), printed


def test_small_change_costs_a_few_bare_starts(known: KnownFixes) -> None:
    text = body(0, "value").replace("compute(0, 6)", "compute(0, 7)")
    known.repo.write({"m0.py": text})
    known.repo.git("add", "-A")
    spent, printed = spent_s(known.repo.path)
    assert b'"removed"' in printed
    assert spent / bare_start_s() < 12


def test_large_change_is_bounded(known: KnownFixes) -> None:
    known.repo.write({f"m{number}.py": body(number, "other") for number in range(FILES)})
    known.repo.write({"more.txt": "".join(f"line {number}\n" for number in range(200_000))})
    known.repo.git("add", "-A")
    spent, printed = spent_s(known.repo.path)
    assert b'"checked": true' in printed or b"too l" in printed
    assert spent / bare_start_s() < 60
