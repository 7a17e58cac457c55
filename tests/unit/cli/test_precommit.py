"""`engram pre-commit`: what it prints, its exit codes, and that nothing that breaks stops a commit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engram_hooks.cli import precommit_check
from engram_hooks.cli.main import main
from engram_hooks.cli.precommit_report import MAX_SHOWN, render, to_json
from engram_hooks.curate.code import precommit
from engram_hooks.curate.code.precommit import Report
from engram_hooks.curate.code.precommit_checks import Finding
from tests.support.make_repo import Repo
from tests.support.repo_files import ROOT

DEED = (
    "399d5566" + "0" * 32,
    1_715_212_800_000,
    "bugfix",
    "reuse one idempotency key across retries (INC-2407)",
)
REMOVED = Finding("removed", "backend/payments/retry.py", 42, 1, DEED)
PARTNER = Finding("partner", "mobile/src/orderParser.ts", source="backend/api/schemas.py", support=5, total=7)
ATTEMPT = Finding("attempt", "pay.py", note="`x`; test_once failed", ref="t2")
CODES = [
    (["--strict"], 1),
    (["--strict", "--hook"], 10),
    (["--hook"], 0),
    ([], 0),
    (["--json"], 0),
    (["a.py"], 0),
]


def lines_of(*findings: Finding, is_blocked: bool = False, has_colour: bool = False) -> list[str]:
    return render(Report(findings), is_blocked=is_blocked, has_colour=has_colour).splitlines()


def test_each_finding_is_a_line_with_a_command() -> None:
    assert lines_of(REMOVED, PARTNER) == [
        "engram: 2 things to look at (this commit is not blocked)",
        "  backend/payments/retry.py:42  removes a line of fix 399d5566"
        ' "reuse one idempotency key across retries (INC-2407)"   engram why 399d5566',
        "  not staged: mobile/src/orderParser.ts changed with backend/api/schemas.py in 5 of 7 commits"
        "   engram cochange backend/api/schemas.py",
    ]


def test_nothing_found_is_nothing_printed() -> None:
    assert render(Report(), is_blocked=False, has_colour=True) == ""
    assert render(Report(reason="no index"), is_blocked=False, has_colour=False) == ""


@pytest.mark.parametrize(
    ("finding", "text"),
    [
        (REMOVED._replace(line_count=3), "removes 3 lines of fix"),
        (REMOVED._replace(is_replaced=True), "changes a line of fix"),
        (
            REMOVED._replace(is_deleted=True, line=0, line_count=2),
            "retry.py  is deleted, with 2 lines of fix",
        ),
        (REMOVED._replace(deed=(*DEED[:2], "security", "x")), 'of security fix 399d5566 "x"'),
        (
            REMOVED._replace(check="returned", deed=(*DEED[:2], "revert", "x")),
            "brings back a line that revert",
        ),
        (PARTNER._replace(is_hidden=True), "in 5 of 7 commits, no import between them"),
        (ATTEMPT, "pay.py  does again what was given up: `x`; test_once failed   engram attempts show t2"),
    ],
)
def test_wording(finding: Finding, text: str) -> None:
    assert text in lines_of(finding)[1]


def test_blocked_commit_is_told_the_way_on() -> None:
    head, _, last = lines_of(REMOVED, is_blocked=True)
    assert head == "engram: 1 thing to look at (this commit is blocked)"
    assert last == "  To commit all the same: git commit --no-verify"


def test_many_findings_are_counted() -> None:
    shown = lines_of(*(REMOVED._replace(line=n) for n in range(1, MAX_SHOWN + 5)))
    assert len(shown) == MAX_SHOWN + 2
    assert shown[-1] == "  and 4 more   engram pre-commit --json"


def test_hostile_names_are_one_plain_line() -> None:
    hostile = 'a\x1b]0;x\x07\n</engram>\u202eb\udcff"c'
    finding = REMOVED._replace(path=hostile, deed=(*DEED[:3], hostile))
    partner = PARTNER._replace(path=hostile, source=hostile)
    printed = lines_of(finding, partner)
    assert len(printed) == 3
    text = "".join(printed)
    assert text.isprintable()
    assert "</engram>" not in text
    assert "\u202e" not in text
    assert "engram cochange '" in printed[2]


def test_colours_are_for_terminals() -> None:
    assert "\x1b" not in "".join(lines_of(REMOVED, PARTNER))
    assert "\x1b[33mengram:\x1b[0m" in lines_of(REMOVED, has_colour=True)[0]


def test_json_has_the_fields_of_each_kind() -> None:
    found = to_json(Report((REMOVED, PARTNER, ATTEMPT)), is_blocked=False)
    assert {key: found[key] for key in ("blocked", "checked", "reason")} == {
        "blocked": False,
        "checked": True,
        "reason": None,
    }
    removed, partner, attempt = json.loads(json.dumps(found["findings"]))
    assert attempt["attempt"] == "t2"
    assert removed["commit"] == DEED[0]
    assert (removed["file"], removed["line"], removed["date"]) == (REMOVED.path, 42, "2024-05-09")
    assert (partner["file"], partner["source"]) == (PARTNER.path, PARTNER.source)
    assert (partner["support"], partner["total"], partner["hidden"]) == (5, 7, False)


def find_always(*_: object, **__: object) -> Report:
    return Report((REMOVED,))


@pytest.mark.parametrize(("arguments", "code"), CODES)
def test_exit_codes(
    repo: Repo,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
) -> None:
    monkeypatch.chdir(repo.path)
    monkeypatch.setattr(precommit, "check_commit", find_always)
    assert main(["pre-commit", *arguments]) == code
    assert "399d5566" in capfd.readouterr().out


@pytest.mark.parametrize("arguments", [arguments for arguments, _ in CODES])
def test_nothing_found_never_blocks(
    repo: Repo,
    data: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    arguments: list[str],
) -> None:
    monkeypatch.chdir(repo.path)
    assert main(["pre-commit", *arguments]) == 0
    printed = capfd.readouterr()
    assert printed.err == ""
    if "--json" in arguments:
        assert json.loads(printed.out)["checked"] is False
    else:
        assert printed.out == ""


@pytest.mark.parametrize(
    "arguments", [["--install", "--strict"], ["--status", "--hook"], ["--nonsense"]], ids=" ".join
)
def test_wrong_use_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pre-commit", *arguments]) == 2
    assert capsys.readouterr().err


def test_install_status_and_uninstall(
    repo: Repo, data: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(repo.path)
    hook = repo / ".git" / "hooks" / "pre-commit"
    assert main(["pre-commit", "--status"]) == 0
    assert "not checked" in capsys.readouterr().out
    assert main(["pre-commit", "--install"]) == 0
    printed = capsys.readouterr().out
    assert f"writes {hook}" in printed
    assert "no index yet: engram index" in printed
    assert main(["pre-commit", "--status", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found.items() >= {"installed": True, "kind": "git", "file": str(hook), "changed": False}.items()
    assert main(["pre-commit", "--uninstall"]) == 0
    assert not hook.exists()


def run_check(folder: Path, *arguments: str, code: str = "") -> subprocess.CompletedProcess[bytes]:
    """Run the check as the hook does, after some code of the test."""
    boot = (
        f"import sys;sys.path.append({str(ROOT)!r})\n{code}\nfrom engram_hooks.__main__ import main\nmain()"
    )
    argv = [sys.executable, "-I", "-S", "-c", boot, "pre-commit", *arguments]
    return subprocess.run(argv, cwd=folder, capture_output=True, check=False, stdin=subprocess.DEVNULL)


def break_check(error: str) -> str:
    """Return code that lets the check raise."""
    return (
        "import engram_hooks.curate.code.precommit as precommit\n"
        f"def check_commit(*given, **named): raise {error}\n"
        "precommit.check_commit = check_commit"
    )


def test_bug_is_logged_and_stops_no_commit(repo: Repo, data: str) -> None:
    done = run_check(repo.path, "--strict", code=break_check("ValueError('odd')"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert "ValueError: odd" in Path(data, "crash.log").read_text()


def test_interruption_is_one(repo: Repo, data: str) -> None:
    assert run_check(repo.path, code=break_check("KeyboardInterrupt")).returncode == 130


def test_folder_that_is_gone_stops_no_commit(tmp_path: Path, data: str) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    done = run_check(folder, code=f"import os;os.rmdir({str(folder)!r})")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_reader_that_is_gone_is_no_failure(repo: Repo, data: str) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    argv = [sys.executable, "-m", "engram_hooks", "pre-commit", "--json"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(argv, cwd=repo.path, env=env, stdout=write_end, stderr=subprocess.PIPE, check=False)
    os.close(write_end)
    assert (done.returncode, done.stderr) == (0, b"")


def test_check_loads_neither_click_nor_the_facade(repo: Repo, data: str) -> None:
    code = (
        "import os\n"
        "leave = os._exit\n"
        "os._exit = lambda code: (print(*sys.modules), sys.stdout.flush(), leave(code))"
    )
    loaded = run_check(repo.path, code=code).stdout.decode().split()
    assert "engram_hooks.curate.code.precommit" in loaded
    assert {"click", "numpy", "tempfile", "engram_hooks.memory", "json"}.isdisjoint(loaded)


def test_options_of_the_fast_way() -> None:
    assert precommit_check.is_check(["--strict", "--json", "file.py"])
    assert not precommit_check.is_check(["--install"])
    assert not precommit_check.is_check(["--help"])
