"""The registered command runs the hook, and harms no session when anything of engram is gone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engram_hooks.client.commands import hook_commands
from engram_hooks.client.launcher import compile_package, launcher_path, write_launcher

pytestmark = pytest.mark.skipif(os.name == "nt", reason="not on Windows: a shell script")

ENTRY = """
import os, sys
def main(argv):
    sys.stdin.read()
    print(repr([argv[1:], sys.flags.isolated, sys.flags.no_site, os.environ.get("ENGRAM_HOME")]))
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A stand-in for the installed package, in a folder with a name that needs quoting."""
    folder = tmp_path / 'it\'s "ü" $HOME' / "engram_hooks"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "entry.py").write_text(ENTRY)
    return folder.parent


@pytest.fixture
def placed(tmp_path: Path, package: Path) -> Path:
    """A data folder with a launcher for the stand-in."""
    data = tmp_path / "dätä (x86) `date` it's"
    write_launcher(data, package_parent=package, windows=False)
    return data


def run(data: Path, event: str = "Stop", **environ: str) -> subprocess.CompletedProcess[str]:
    command = hook_commands(data, windows=False)[event]
    return subprocess.run(
        ["sh", "-c", command],
        input="{}",
        env={"PATH": os.environ["PATH"], "PYTHONPATH": "/nowhere", **environ},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_entry_gets_package_data_and_event_in_an_isolated_interpreter(placed: Path, package: Path) -> None:
    done = run(placed, "UserPromptSubmit", ENGRAM_HOME="/other")
    assert done.stdout.strip() == repr([[str(package), str(placed), "user-prompt-submit"], 1, 1, "/other"])
    assert (done.returncode, done.stderr) == (0, "")


def test_missing_package_is_silent(placed: Path, package: Path) -> None:
    shutil.rmtree(package)
    done = run(placed)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_missing_interpreter_is_silent(tmp_path: Path, package: Path) -> None:
    write_launcher(tmp_path / "d", python=str(tmp_path / "gone"), package_parent=package, windows=False)
    done = run(tmp_path / "d")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_missing_data_folder_blocks_nothing(placed: Path) -> None:
    shutil.rmtree(placed)
    done = run(placed)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize(
    "content", ["raise SystemExit(2)", "1/0", "import os; os.abort()", "this is no Python"]
)
def test_failing_entry_blocks_nothing(placed: Path, package: Path, content: str) -> None:
    (package / "engram_hooks" / "entry.py").write_text(content)
    done = run(placed)
    assert (done.returncode, done.stdout) == (0, "")


def test_launcher_runs_without_the_outer_guard_too(placed: Path) -> None:
    done = subprocess.run(
        ["sh", str(launcher_path(placed, windows=False)), "stop"], input=b"", capture_output=True, check=False
    )
    assert done.returncode == 0
    assert b"'stop'" in done.stdout


def test_package_is_compiled_for_the_interpreter_that_runs_it(package: Path) -> None:
    assert compile_package(sys.executable, package_parent=package)
    assert list((package / "engram_hooks" / "__pycache__").glob("entry.*.pyc"))
    shutil.rmtree(package / "engram_hooks" / "__pycache__")
    (package / "engram_hooks" / "entry.py").write_text("this is no Python")
    assert not compile_package(sys.executable, package_parent=package)
