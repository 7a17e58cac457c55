"""The commands of the README print what the README says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from tests.support.make_repo import make_repo
from tests.support.repo_files import ROOT

MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
DATE = re.compile(rf"\b\d{{1,2}} (?:{MONTHS})(?: \d{{4}})?\b")


def read_session() -> list[tuple[str, str]]:
    """Return the commands that the README shows with the output of each."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def normalise(text: str) -> str:
    """Return a text with its dates taken out, and the white space that their widths make."""
    return re.sub(r"[ \t]+", " ", DATE.sub("DATE", text)).strip()


def test_session_of_the_readme_is_real(tmp_path: Path, home: Path) -> None:
    project = make_repo(tmp_path / "shop-api")
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    session = read_session()
    assert len(session) == 5
    for command, expected in session:
        name, *arguments = shlex.split(command)
        assert name == "engram"
        argv = [sys.executable, "-m", "engram_hooks", *arguments]
        done = subprocess.run(argv, cwd=project, env=env, capture_output=True, text=True, check=False)
        assert (done.returncode, normalise(done.stdout)) == (0, normalise(expected)), command
