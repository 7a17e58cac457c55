"""The check before a commit: what it says of a staged change, and of what it keeps silent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engram_hooks.curate.code.precommit import Report, check_commit
from engram_hooks.curate.code.precommit_checks import Finding
from engram_hooks.history.allowance import Allowance
from tests.support.known_fixes import KnownFixes, know_fixes
from tests.support.make_repo import Repo, make_repo

BEFORE = """\
def charge(order, card):
    for attempt in range(5):
        send(order, card)
        return None


def refund(order, card):
    send_back(order, card)
    return None
"""
FIXED = """\
def charge(order, card):
    key = order.idempotency_key
    for attempt in range(5):
        send(order, card, key=key)
        return None


def refund(order, card):
    send_back(order, card)
    return None
"""
CHARGE, REFUND = FIXED[: FIXED.index("def refund")], FIXED[FIXED.index("def refund") :]
FIX_LINES = (2, 4, 5)


@pytest.fixture
def known(repo: Repo, data: str) -> KnownFixes:
    """A repository in which lines of pay.py carry a fix."""
    repo.commit("feat: pay", {"pay.py": BEFORE})
    fix = repo.commit("fix: reuse one key across retries (INC-2407)", {"pay.py": FIXED})
    found = know_fixes(repo, data)
    found.guard("pay.py", fix, FIX_LINES, gone=["        send(order, card)"])
    return found


def check(repo: Repo, variables: dict[str, str] | None = None, *, limit_s: float = 60.0) -> Report:
    """Check what is staged; `variables` are those that git gives its hook."""
    return check_commit(str(repo.path), {**os.environ, **(variables or {})}, allowance=Allowance(limit_s))


def told(repo: Repo, **variables: str) -> list[tuple[str, str, int, int]]:
    """Return check, path, line and number of lines of each finding."""
    report = check(repo, variables)
    assert report.reason == ""
    return [(one.check, one.path, one.line, one.line_count) for one in report.findings]


def stage(repo: Repo, files: dict[str, str | bytes | None]) -> None:
    repo.write(files)
    repo.git("add", "-A")


def test_removed_line_of_a_fix_is_named(known: KnownFixes) -> None:
    stage(known.repo, {"pay.py": FIXED.replace("    key = order.idempotency_key\n", "")})
    (finding,) = check(known.repo).findings
    assert finding.deed is not None
    assert finding.deed[0] == known.repo.head()
    assert finding.deed[2:] == ("bugfix", "fix: reuse one key across retries (INC-2407)")
    assert finding == Finding("removed", "pay.py", 2, 1, finding.deed)


def test_changed_line_of_a_fix_says_so(known: KnownFixes) -> None:
    stage(known.repo, {"pay.py": FIXED.replace("key=key", "key=None")})
    (finding,) = check(known.repo).findings
    assert (finding.line, finding.line_count, finding.is_replaced) == (4, 1, True)


def test_undone_fix_is_one_finding(known: KnownFixes) -> None:
    stage(known.repo, {"pay.py": BEFORE})
    assert told(known.repo) == [("removed", "pay.py", 2, 2)]


def test_deleted_file_is_one_finding(known: KnownFixes) -> None:
    stage(known.repo, {"pay.py": None})
    (finding,) = check(known.repo).findings
    assert (finding.path, finding.line, finding.line_count) == ("pay.py", 0, 3)
    assert finding.is_deleted


def test_fix_is_found_behind_a_rename(known: KnownFixes) -> None:
    known.repo.git("mv", "pay.py", "payment.py")
    stage(known.repo, {"payment.py": FIXED.replace("    key = order.idempotency_key\n", "")})
    assert told(known.repo) == [("removed", "payment.py", 2, 1)]


def test_fix_is_found_where_lines_moved_since_the_index_was_made(known: KnownFixes) -> None:
    longer = "import os\nimport re\n\n\n" + FIXED
    known.repo.commit("chore: imports", {"pay.py": longer})
    stage(known.repo, {"pay.py": longer.replace("    key = order.idempotency_key\n", "")})
    assert told(known.repo) == [("removed", "pay.py", 6, 1)]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"pay.py": FIXED + "\n\nMORE = 1\n"}, id="other lines"),
        pytest.param({"pay.py": FIXED.replace("\n", "  \n")}, id="spaces at ends"),
        pytest.param({"pay.py": FIXED.replace("    ", "\t")}, id="indentation"),
        pytest.param({"pay.py": FIXED.replace("\n", "\r\n")}, id="line ends"),
        pytest.param(
            {"pay.py": FIXED.replace("(order, card, key=key)", "(\n order, card,\n key=key)")}, id="wrapped"
        ),
        pytest.param({"pay.py": None, "lib/pay.py": FIXED}, id="renamed"),
        pytest.param({"pay.py": REFUND, "charge.py": CHARGE}, id="moved to another file"),
        pytest.param({"pay.py": REFUND + "\n\n" + CHARGE}, id="moved within the file"),
        pytest.param({"pay.py": FIXED.replace("        return None\n", "")}, id="a line that says nothing"),
        pytest.param(
            {"pay.py": CHARGE + REFUND.replace("return None", "return order")}, id="a line like one of it"
        ),
        pytest.param({"other.py": BEFORE}, id="another file"),
        pytest.param({}, id="nothing"),
    ],
)
def test_change_that_keeps_a_fix_is_passed_over(known: KnownFixes, files: dict[str, str | None]) -> None:
    stage(known.repo, dict(files))
    assert told(known.repo) == []


def test_what_is_not_staged_is_passed_over(known: KnownFixes) -> None:
    known.repo.write({"pay.py": BEFORE})
    assert told(known.repo) == []


def test_line_that_a_revert_took_out_comes_back(known: KnownFixes) -> None:
    gone = ["    cache.store(order.total)", "    cache.flush(order.lines)"]
    known.repo.commit("feat: cache", {"pay.py": FIXED + "\n".join(gone)})
    revert = known.repo.commit('Revert "feat: cache"', {"pay.py": FIXED})
    fresh = know_fixes(known.repo, known.data)
    fresh.guard("pay.py", revert, gone=gone, intent="revert")
    stage(known.repo, {"pay.py": FIXED + "\n".join(gone)})
    assert told(known.repo) == [("returned", "pay.py", 11, 2)]
    stage(known.repo, {"pay.py": FIXED + gone[0]})
    assert told(known.repo) == []


def test_only_the_index_that_git_names_counts(known: KnownFixes, tmp_path: Path) -> None:
    stage(known.repo, {"pay.py": BEFORE})
    other = str(tmp_path / "next-index")
    known.repo.git("read-tree", "HEAD", env={"GIT_INDEX_FILE": other})
    assert told(known.repo, GIT_INDEX_FILE=other) == []
    assert told(known.repo, GIT_INDEX_FILE=".git/index") == [("removed", "pay.py", 2, 2)]


def test_repository_is_found_by_the_folder_that_git_names(known: KnownFixes, tmp_path: Path) -> None:
    stage(known.repo, {"pay.py": BEFORE})
    git_dir = str(known.repo / ".git")
    elsewhere = Repo(tmp_path / "elsewhere")
    elsewhere.path.mkdir()
    variables = {"GIT_DIR": git_dir, "GIT_WORK_TREE": str(known.repo.path)}
    assert told(elsewhere, **variables) == [("removed", "pay.py", 2, 2)]


def test_subfolder_is_checked_like_the_top(known: KnownFixes) -> None:
    stage(known.repo, {"pay.py": BEFORE, "web/app.js": "1\n"})
    report = check_commit(str(known.repo / "web"), os.environ, allowance=Allowance(60))
    assert [one.path for one in report.findings] == ["pay.py"]


def test_sweep_over_many_files_is_passed_over(known: KnownFixes) -> None:
    stage(known.repo, {"pay.py": BEFORE, **{f"gen/{number}.py": "X = 1\n" for number in range(120)}})
    assert check(known.repo).reason
    assert check(known.repo).findings == ()


def test_file_that_is_too_large_does_not_hide_the_others(known: KnownFixes) -> None:
    stage(known.repo, {"pay.py": BEFORE, "big.txt": "".join(f"line {n}\n" for n in range(400_000))})
    assert told(known.repo) == [("removed", "pay.py", 2, 2)]


def test_change_that_is_too_large_is_passed_over(known: KnownFixes) -> None:
    files = {
        f"big{number}.txt": "".join(f"line {n} {number}\n" for n in range(100_000)) for number in range(4)
    }
    stage(known.repo, {"pay.py": BEFORE, **files})
    assert check(known.repo).findings == ()
    assert "too large" in check(known.repo).reason


def test_check_that_runs_out_of_time_says_nothing(known: KnownFixes) -> None:
    stage(known.repo, {"pay.py": BEFORE})
    assert check(known.repo, limit_s=-1.0) == Report(reason="the check took too long")


def test_names_of_any_bytes_are_looked_up(known: KnownFixes) -> None:
    name = b"caf\xe9 \x1b[31m\n.py"
    file = os.path.join(os.fsencode(known.repo.path), name)
    Path(os.fsdecode(file)).write_text(FIXED)
    known.repo.commit("chore: odd")
    fix = known.repo.git("rev-parse", "HEAD^")
    fresh = know_fixes(known.repo, known.data)
    fresh.guard("pay.py", fix, FIX_LINES)
    with fresh.open() as db:
        db.execute("UPDATE files SET path = 'none.py' WHERE path = 'pay.py'")
        db.execute("DELETE FROM files WHERE path = ?", (name,))
        db.execute("UPDATE files SET path = ? WHERE path = 'none.py'", (name,))
    Path(os.fsdecode(file)).write_text(BEFORE)
    known.repo.git("add", "-A")
    assert told(known.repo) == [("removed", os.fsdecode(name), 2, 2)]


def test_setting_makes_it_strict(known: KnownFixes) -> None:
    assert not check(known.repo).is_strict
    assert check(known.repo, {"ENGRAM_PRECOMMIT_STRICT": "true"}).is_strict


def test_without_index_there_is_a_reason(known: KnownFixes, tmp_path: Path) -> None:
    other = make_repo(tmp_path / "other", {"pay.py": FIXED})
    stage(other, {"pay.py": BEFORE})
    assert check(other) == Report(reason="the repository has no index yet")
    assert "no git repository" in check(Repo(tmp_path)).reason


@pytest.mark.parametrize("version", [1, 99])
def test_index_of_another_version_is_none(known: KnownFixes, version: int) -> None:
    with known.open() as db:
        db.execute(f"PRAGMA user_version = {version}")
    assert check(known.repo) == Report(reason="the repository has no index yet")


@pytest.mark.parametrize("name", ["engram.db", "index"])
def test_broken_database_is_a_reason(known: KnownFixes, name: str) -> None:
    stage(known.repo, {"pay.py": BEFORE})
    path = known.path if name == "index" else Path(known.data, name)
    path.write_bytes(os.urandom(9000))
    assert check(known.repo).findings == ()
    assert check(known.repo).reason


def test_switched_off_is_a_reason(known: KnownFixes) -> None:
    stage(known.repo, {"pay.py": BEFORE})
    Path(known.data, "off").touch()
    assert check(known.repo) == Report(reason="switched off")


def test_git_that_is_missing_is_a_reason(known: KnownFixes, tmp_path: Path) -> None:
    assert "git is not installed" in check(known.repo, {"PATH": str(tmp_path)}).reason
