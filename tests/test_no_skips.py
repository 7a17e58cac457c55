"""A skipped test fails where everything must run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.repo_files import ROOT


def run_tests(folder: Path, body: str, **environ: str) -> str:
    """Run one test file with the plugin; return the last line of the report."""
    (folder / "test_it.py").write_text(f"import pytest\n{body}\n", encoding="utf-8")
    argv = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.support.no_skips"]
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **environ}
    done = subprocess.run([*argv, "test_it.py"], cwd=folder, env=env, capture_output=True, check=False)
    return done.stdout.decode().strip().splitlines()[-1]


SKIPPED = "def test_one():\n    pytest.skip('no tmux')"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(SKIPPED, id="test"),
        pytest.param("pytest.skip('no tmux', allow_module_level=True)", id="module"),
        pytest.param("@pytest.mark.skipif(True, reason='no tmux')\ndef test_one():\n    pass", id="mark"),
    ],
)
def test_skip_fails_where_everything_must_run(tmp_path: Path, body: str) -> None:
    report = run_tests(tmp_path, body, CI="true")
    assert "passed" not in report
    assert "skipped" not in report
    assert "failed" in report or "error" in report


@pytest.mark.parametrize(
    ("body", "environ", "expected"),
    [
        pytest.param(SKIPPED, {}, "1 skipped", id="outside CI"),
        pytest.param(SKIPPED.replace("no tmux", "only on Windows"), {"CI": "true"}, "1 skipped", id="system"),
        pytest.param(
            "@pytest.mark.xfail\ndef test_one():\n    assert 0", {"CI": "true"}, "1 xfailed", id="x"
        ),
        pytest.param("def test_one():\n    pass", {"CI": "true"}, "1 passed", id="runs"),
    ],
)
def test_other_outcomes_stay(tmp_path: Path, body: str, environ: dict[str, str], expected: str) -> None:
    assert expected in run_tests(tmp_path, body, **environ)
