"""`.pre-commit-hooks.yaml`: what the pre-commit framework reads of this repository."""

from __future__ import annotations

import tomllib

from engram_hooks.cli.commands import COMMANDS
from tests.support.repo_files import ROOT


def read_hooks() -> list[dict[str, str]]:
    """Return the mappings of a YAML list in which each value is one plain word or line."""
    hooks: list[dict[str, str]] = []
    for line in (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        assert line[:2] in ("- ", "  "), line
        if line.startswith("- "):
            hooks.append({})
        key, _, value = line[2:].partition(": ")
        assert value, line
        hooks[-1][key] = value
    return hooks


def test_framework_runs_the_check_once_for_the_whole_change() -> None:
    (hook,) = read_hooks()
    assert hook["id"] == "engram"
    assert hook["language"] == "python"
    assert hook["stages"] == "[pre-commit]"
    assert (hook["pass_filenames"], hook["always_run"], hook["verbose"]) == ("false", "true", "true")


def test_framework_calls_a_program_that_the_package_installs() -> None:
    (hook,) = read_hooks()
    program, command = hook["entry"].split()
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    assert program in scripts
    assert command in COMMANDS
