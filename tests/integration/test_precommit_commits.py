"""The installed hook in real commits: every way to commit, and nothing of the repository changed by the check."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engram_hooks.client.git_hook import install
from engram_hooks.client.git_hook_block import Interpreter
from engram_hooks.client.launcher import PACKAGE_PARENT
from tests.support.known_fixes import KnownFixes, know_fixes
from tests.support.make_repo import IDENTITY, Repo, make_repo, run_git

BEFORE = "def charge(order):\n    send(order)\n"
FIXED = "def charge(order):\n    key = order.idempotency_key\n    send(order, key)\n"
WARNING = "changes 2 lines of fix"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="not on Windows: the hook is a shell script")


@pytest.fixture
def known(repo: Repo, data: str) -> KnownFixes:
    """A repository with a fix in pay.py, and the check in its hook."""
    repo.commit("feat: pay", {"pay.py": BEFORE, "other.py": "A = 1\n"})
    fix = repo.commit("fix: reuse one key", {"pay.py": FIXED})
    found = know_fixes(repo, data)
    found.guard("pay.py", fix, (2, 3))
    install(str(repo.path), environ=os.environ, interpreter=Interpreter(sys.executable, str(PACKAGE_PARENT)))
    return found


def call(folder: Path, *argv: str, **variables: str) -> tuple[int, str]:
    """Run a program; return its exit code and what it printed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    env = {**kept, **IDENTITY, **variables}
    done = subprocess.run(
        argv, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")


def commit(repo: Repo, *arguments: str, **variables: str) -> str:
    """Commit, which must succeed; return what git and the hook printed."""
    code, printed = call(repo.path, "git", "commit", "-q", "-m", "change", *arguments, **variables)
    assert code == 0, printed
    return printed


@pytest.mark.parametrize(
    ("stage", "arguments"),
    [
        pytest.param(["add", "pay.py"], [], id="staged"),
        pytest.param([], ["-a"], id="all"),
        pytest.param([], ["pay.py"], id="one file"),
        pytest.param([], ["-i", "pay.py"], id="one file more"),
        pytest.param(["add", "pay.py"], ["--amend", "--allow-empty"], id="amend"),
    ],
)
def test_every_way_to_commit_is_checked(
    known: KnownFixes, stage: Sequence[str], arguments: Sequence[str]
) -> None:
    known.repo.write({"pay.py": BEFORE})
    if stage:
        known.repo.git(*stage)
    printed = commit(known.repo, *arguments)
    assert "1 thing to look at (this commit is not blocked)" in printed
    assert WARNING in printed
    assert "\x1b" not in printed
    assert known.repo.git("show", "HEAD:pay.py") + "\n" == BEFORE
    assert known.repo.git("status", "--porcelain") == ""


def test_patch_that_is_picked_by_hand_is_checked(known: KnownFixes) -> None:
    known.repo.write({"pay.py": BEFORE, "other.py": "A = 2\n"})
    argv = ["git", "-C", str(known.repo.path), "commit", "-q", "-p", "-m", "part"]
    env = {**os.environ, **IDENTITY}
    done = subprocess.run(argv, input=b"n\ny\n", env=env, capture_output=True, check=True)
    assert WARNING.encode() in done.stdout + done.stderr
    assert known.repo.git("status", "--porcelain") == " M other.py"


def test_only_the_file_that_is_committed_counts(known: KnownFixes) -> None:
    known.repo.write({"pay.py": BEFORE, "other.py": "A = 2\n"})
    known.repo.git("add", "pay.py")
    assert commit(known.repo, "other.py") == ""
    assert known.repo.git("status", "--porcelain") == "M  pay.py"


def test_worktree_is_checked_with_its_own_index(known: KnownFixes, tmp_path: Path) -> None:
    known.repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "wt"))
    tree = Repo(tmp_path / "wt")
    tree.write({"pay.py": BEFORE})
    assert WARNING in commit(tree, "-a")
    assert tree.git("status", "--porcelain") == ""
    assert known.repo.git("status", "--porcelain") == ""
    assert known.repo.git("fsck", "--no-dangling") == ""


@pytest.mark.parametrize("is_worktree", [False, True], ids=["checkout", "worktree"])
def test_hook_that_changes_the_folder_finds_the_change(
    known: KnownFixes, tmp_path: Path, is_worktree: bool
) -> None:
    known.repo.commit("feat: web", {"web/app.js": "1\n"})
    repo = known.repo
    if is_worktree:
        repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "wt"))
        repo = Repo(tmp_path / "wt")
    hook = known.repo / ".git" / "hooks" / "pre-commit"
    hook.write_text("#!/bin/sh\ncd web\n" + hook.read_text().partition("\n")[2])
    repo.write({"pay.py": BEFORE})
    assert WARNING in commit(repo, "-a")
    assert repo.git("status", "--porcelain") == ""


def test_submodule_is_a_repository_of_its_own(known: KnownFixes, tmp_path: Path) -> None:
    outer = make_repo(tmp_path / "outer")
    outer.git("submodule", "--quiet", "add", str(known.repo.path), "lib")
    assert "thing" not in commit(outer)
    lib = Repo(outer / "lib")
    install(str(lib.path), environ=os.environ, interpreter=Interpreter(sys.executable, str(PACKAGE_PARENT)))
    fresh = know_fixes(lib, known.data)
    fresh.guard("pay.py", lib.head(), (2, 3))
    lib.write({"pay.py": BEFORE})
    assert WARNING in commit(lib, "-a")
    assert commit(outer, "-a") == ""


def test_first_commit_of_a_repository_is_let_pass(known: KnownFixes, tmp_path: Path) -> None:
    fresh = Repo(tmp_path / "fresh")
    fresh.path.mkdir()
    fresh.git("init", "-q")
    install(str(fresh.path), environ=os.environ, interpreter=Interpreter(sys.executable, str(PACKAGE_PARENT)))
    fresh.write({"pay.py": FIXED})
    fresh.git("add", "-A")
    assert commit(fresh) == ""


def test_strict_setting_stops_a_commit_and_says_how_to_go_on(known: KnownFixes) -> None:
    before = known.repo.head()
    known.repo.write({"pay.py": BEFORE})
    strict = {"ENGRAM_PRECOMMIT_STRICT": "true"}
    code, printed = call(known.repo.path, "git", "commit", "-qam", "drop", **strict)
    assert code == 1
    assert "git commit --no-verify" in printed
    assert known.repo.head() == before
    known.repo.git("commit", "-qam", "drop", "--no-verify", env=strict)
    known.repo.write({"pay.py": BEFORE + "\nMORE = 1\n"})
    assert commit(known.repo, "-a", **strict) == ""


@pytest.mark.parametrize("missing", ["python", "package"])
def test_hook_lets_a_commit_pass_where_engram_is_gone(
    known: KnownFixes, tmp_path: Path, missing: str
) -> None:
    gone = str(tmp_path / "gone")
    own = Interpreter(gone if missing == "python" else sys.executable, gone)
    install(str(known.repo.path), environ=os.environ, interpreter=own)
    known.repo.write({"pay.py": BEFORE})
    assert commit(known.repo, "-a", PATH=os.defpath) == ""


@pytest.mark.parametrize("code", [1, 2, 77, 126])
def test_other_program_of_our_name_stops_no_commit(known: KnownFixes, tmp_path: Path, code: int) -> None:
    other = tmp_path / "bin" / "engram"
    other.parent.mkdir()
    other.write_text(f"#!/bin/sh\nexit {code}\n")
    other.chmod(0o755)
    install(str(known.repo.path), environ=os.environ, interpreter=Interpreter(str(tmp_path / "gone"), "gone"))
    known.repo.write({"pay.py": BEFORE})
    commit(known.repo, "-a", PATH=f"{other.parent}:{os.environ['PATH']}")


def test_check_that_breaks_stops_no_commit(known: KnownFixes, tmp_path: Path) -> None:
    package = tmp_path / "engram_hooks"
    package.mkdir()
    (package / "__main__.py").write_text("def main():\n    raise SystemExit(1)\n")
    own = Interpreter(sys.executable, str(tmp_path))
    install(str(known.repo.path), environ=os.environ, interpreter=own)
    known.repo.write({"pay.py": BEFORE})
    commit(known.repo, "-a")


def snapshot(repo: Repo) -> tuple[str, bytes, dict[str, bytes]]:
    """Return the status, the bytes of the index, and those of every file of the work tree."""
    files = {
        str(path): path.read_bytes()
        for path in sorted(repo.path.rglob("*"))
        if path.is_file() and ".git" not in path.parts
    }
    index = (repo / ".git" / "index").read_bytes()
    return run_git(repo.path, "--no-optional-locks", "status", "--porcelain=v2"), index, files


@given(
    contents=st.dictionaries(
        st.sampled_from(["pay.py", "other.py", "new.py", "deep/er.py"]),
        st.one_of(st.none(), st.sampled_from([BEFORE, FIXED, ""]), st.binary(max_size=60)),
        max_size=4,
    ),
    staged=st.sets(st.sampled_from(["pay.py", "other.py", "new.py", "deep/er.py"])),
)
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_check_changes_neither_index_nor_work_tree(
    known: KnownFixes, contents: dict[str, str | bytes | None], staged: set[str]
) -> None:
    repo = known.repo
    repo.git("reset", "-q", "--hard")
    repo.git("clean", "-qfd")
    for name, content in contents.items():
        if content is not None or (repo / name).exists():
            repo.write({name: content})
    for name in staged:
        if (repo / name).exists() or name in ("pay.py", "other.py"):
            repo.git("add", "-A", "--", name)
    os.utime(repo / "README.md", (1, 1))  # an index that git would like to refresh
    before = snapshot(repo)
    argv = [sys.executable, "-m", "engram_hooks", "pre-commit", "--json"]
    code, _ = call(repo.path, *argv, PYTHONPATH=str(PACKAGE_PARENT), GIT_INDEX_FILE=".git/index")
    assert code == 0
    assert snapshot(repo) == before
