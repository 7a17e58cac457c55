"""The commands of the page on truth over time print what it says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from tests.support.make_repo import make_repo
from tests.support.repo_files import ROOT
from tests.test_readme import normalise


def read_session() -> list[tuple[str, str]]:
    """Return the commands of the page with the output of each."""
    text = (ROOT / "docs" / "truth.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def test_session_of_the_page_is_real(tmp_path: Path, home: Path) -> None:
    project = make_repo(tmp_path / "shop-api")
    session = read_session()
    assert len(session) == 8
    for command, expected in session:
        argv = [sys.executable, "-m", "engram_hooks", *shlex.split(command)[1:]]
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(argv, cwd=project, env=env, capture_output=True, text=True, check=False)
        assert (done.returncode, normalise(done.stdout)) == (0, normalise(expected)), command
