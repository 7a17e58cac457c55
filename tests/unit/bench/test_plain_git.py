"""What git alone answers, beside which the index is measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from engram_hooks.bench.plain_git import PlainGit
from tests.support.make_repo import Repo, make_repo


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """Three files that change together, one fix, one change of words."""
    repo = make_repo(tmp_path / "repo")
    for at in range(3):
        repo.commit(f"Grow {at}", {"a.py": f"x = {at}\n", "b.py": f"y = {at}\n", f"c{at}.py": "z\n"})
    repo.commit("Fix the broken lease of workers", {"a.py": "x = 2\nlease = 1\n"})
    repo.commit("Tell more", {"a.py": "x = 2\nlease = 1\nmore = 1\n"})
    return repo


def test_why_ranks_by_words_in_messages(repo: Repo) -> None:
    commits, files = PlainGit(repo.path).why("why do workers lose a lease")
    assert commits == [repo.git("rev-parse", "HEAD^")]
    assert files == ["a.py"]
    assert PlainGit(repo.path).why("the unseen zebra") == ([], [])


def test_preflight_names_blamed_commits_with_a_defect_word(repo: Repo) -> None:
    plain = PlainGit(repo.path)
    assert plain.preflight("a.py", (1, 3)) == [repo.git("rev-parse", "HEAD^")]
    assert plain.preflight("a.py", (1, 1)) == plain.preflight("a.py", (3, 3)) == []


def test_partners_are_counted(repo: Repo) -> None:
    assert PlainGit(repo.path).cochange("a.py")[0] == ("b.py", True)
    assert PlainGit(repo.path).cochange("b.py")[0] == ("a.py", True)
    assert not dict(PlainGit(repo.path).cochange("b.py"))["c1.py"]
    assert PlainGit(repo.path).cochange("missing.py") == []
