"""There is one version, and every place that names it agrees."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

import engram_hooks
from tests.support.repo_files import ROOT, parse_modules, read_texts


def test_changelog_has_an_entry_of_the_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (\S+)", text, re.MULTILINE)
    assert next(heading for heading in headings if heading != "Unreleased") == engram_hooks.__version__


def test_package_metadata_takes_the_version_from_the_code() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" in project["project"]["dynamic"]
    assert project["tool"]["hatch"]["version"]["path"] == "engram_hooks/__init__.py"


def test_version_is_written_in_one_module() -> None:
    texts = read_texts()
    literal = f'"{engram_hooks.__version__}"'
    found = [name for name in parse_modules("engram_hooks/") if literal in texts[name]]
    assert found == ["engram_hooks/__init__.py"]


def test_command_prints_the_version() -> None:
    argv = [sys.executable, "-m", "engram_hooks", "--version"]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
    assert engram_hooks.__version__ in done.stdout
