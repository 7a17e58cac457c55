"""Commits that finish a merge, a pick, a revert or a rebase: what the other commit does itself is not news."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from engram_hooks.curate.code.precommit import check_commit
from engram_hooks.history.allowance import Allowance
from tests.support.known_fixes import KnownFixes, know_fixes
from tests.support.make_repo import Repo

START = """\
def charge(order):
    total = order.total
    send(order, total)


def refund(order):
    amount = order.paid
    send_back(order, amount)
"""
FIXED = START.replace("send(order, total)", "send(order, round(total, 2))").replace(
    "send_back(order, amount)", "send_back(order, max(amount, 0))"
)
FIX_LINES = (3, 8)


@pytest.fixture
def known(repo: Repo, data: str) -> KnownFixes:
    """A repository whose branch `main` has a fix in two places, and `old` the time before."""
    repo.commit("feat: pay", {"pay.py": START, "other.py": "A = 1\n"})
    repo.git("branch", "old")
    fix = repo.commit("fix: round, and never below zero", {"pay.py": FIXED})
    found = know_fixes(repo, data)
    found.guard("pay.py", fix, FIX_LINES)
    found.partner("other.py", "pay.py")
    return found


def told(repo: Repo) -> list[tuple[str, int, int]]:
    """Return check, line and number of lines of each finding."""
    report = check_commit(str(repo.path), os.environ, allowance=Allowance(60))
    assert report.reason == ""
    return [(one.check, one.line, one.line_count) for one in report.findings]


def stop_at_conflict(repo: Repo, *arguments: str) -> None:
    """Run git, which ends with a conflict."""
    argv = ["git", "-C", str(repo.path), *arguments]
    assert subprocess.run(argv, capture_output=True, check=False).returncode == 1


def resolve(repo: Repo, text: str) -> None:
    repo.write({"pay.py": text})
    repo.git("add", "-A")


def begin_merge(repo: Repo) -> None:
    """Merge a branch that drops refund's fix knowingly and conflicts about charge."""
    repo.git("switch", "-q", "-c", "side", "HEAD")
    text = FIXED.replace("max(amount, 0)", "amount").replace("round(total, 2)", "round(total, 3)")
    repo.commit("feat: negative refunds", {"pay.py": text, "other.py": "A = 2\n"})
    repo.git("switch", "-q", "main")
    repo.commit("feat: half", {"pay.py": FIXED.replace("round(total, 2)", "round(total, 1)")})


def test_what_the_other_side_of_a_merge_drops_is_no_news(known: KnownFixes) -> None:
    begin_merge(known.repo)
    stop_at_conflict(known.repo, "merge", "side")
    resolve(
        known.repo, FIXED.replace("max(amount, 0)", "amount").replace("round(total, 2)", "round(total, 3)")
    )
    assert told(known.repo) == []


def test_what_the_resolution_of_a_merge_drops_is_told(known: KnownFixes) -> None:
    known.repo.git("switch", "-q", "-c", "side")
    known.repo.commit("feat: tail", {"pay.py": FIXED + "\n\nTAIL = 1\n"})
    known.repo.git("switch", "-q", "main")
    known.repo.commit("docs: more", {"README.md": "more\n"})
    known.repo.git("merge", "-q", "--no-commit", "side")
    assert told(known.repo) == []
    resolve(known.repo, FIXED.replace("max(amount, 0)", "amount") + "\n\nTAIL = 1\n")
    assert told(known.repo) == [("removed", 8, 1)]


def test_fix_that_a_merge_takes_back_by_the_older_side_is_told(known: KnownFixes) -> None:
    known.repo.git("switch", "-q", "old")
    known.repo.commit("feat: sum", {"pay.py": START.replace("send(order, total)", "send(order, total, now)")})
    known.repo.git("switch", "-q", "main")
    stop_at_conflict(known.repo, "merge", "old")
    known.repo.git("checkout", "-q", "--theirs", "pay.py")
    known.repo.git("add", "-A")
    assert told(known.repo) == [("removed", 3, 2)]


def test_pick_of_a_commit_that_drops_a_fix_is_no_news(known: KnownFixes) -> None:
    begin_merge(known.repo)
    stop_at_conflict(known.repo, "cherry-pick", "side")
    resolve(known.repo, FIXED.replace("max(amount, 0)", "amount"))
    assert told(known.repo) == []
    resolve(known.repo, START)
    assert told(known.repo) == []


def test_pick_that_loses_a_fix_by_its_resolution_is_told(known: KnownFixes) -> None:
    known.repo.git("switch", "-q", "old")
    picked = known.repo.commit("feat: now", {"pay.py": START.replace("total)", "total, now)")})
    known.repo.git("switch", "-q", "main")
    stop_at_conflict(known.repo, "cherry-pick", picked)
    resolve(known.repo, START.replace("total)", "total, now)"))
    assert told(known.repo) == [("removed", 3, 2)]


def test_revert_of_the_fix_itself_is_no_news(known: KnownFixes) -> None:
    fix = known.repo.head()
    known.repo.commit("feat: now", {"pay.py": FIXED.replace("round(total, 2)", "round(total, 2), now")})
    stop_at_conflict(known.repo, "revert", fix)
    resolve(known.repo, START.replace("total)", "total, now)"))
    assert told(known.repo) == []


def test_amended_commit_of_a_rebase_is_checked(known: KnownFixes) -> None:
    repo = known.repo
    repo.commit("docs: more", {"README.md": "more\n"})
    editor = "sed -i.bak s/^pick/edit/"
    repo.git("rebase", "-q", "-i", "HEAD^", env={"GIT_SEQUENCE_EDITOR": editor})
    assert (repo / ".git" / "rebase-merge").is_dir()
    resolve(repo, FIXED.replace("round(total, 2)", "total"))
    assert told(repo) == [("removed", 3, 1)]
    repo.git("commit", "-q", "--amend", "--no-edit")
    repo.git("rebase", "--continue")
    assert not (repo / ".git" / "rebase-merge").is_dir()


def test_partner_is_not_asked_of_a_merge(known: KnownFixes) -> None:
    known.repo.git("switch", "-q", "-c", "side")
    known.repo.commit("feat: other", {"other.py": "A = 2\n"})
    known.repo.git("switch", "-q", "main")
    known.repo.commit("docs: more", {"README.md": "more\n"})
    known.repo.git("merge", "-q", "--no-commit", "side")
    assert told(known.repo) == []
    known.repo.git("merge", "--abort")
    resolve(known.repo, FIXED)
    known.repo.write({"other.py": "A = 3\n"})
    known.repo.git("add", "-A")
    assert told(known.repo) == [("partner", 0, 0)]


def test_state_of_another_worktree_is_not_taken(known: KnownFixes, tmp_path: Path) -> None:
    begin_merge(known.repo)
    stop_at_conflict(known.repo, "cherry-pick", "side")
    known.repo.git("worktree", "add", "-q", str(tmp_path / "wt"), "HEAD")
    tree = Repo(tmp_path / "wt")
    tree.write({"pay.py": START})
    tree.git("add", "-A")
    assert [check for check, _, _ in told(tree)] == ["removed"]
