"""A repository to call commands in."""

from __future__ import annotations

import io
import sys

import pytest

from engram_hooks.cli.main import main
from tests.support.command_runs import Run
from tests.support.make_repo import Repo


@pytest.fixture
def run(repo: Repo, data: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Call a command in the repository; gives (exit code, standard output, standard error)."""
    monkeypatch.chdir(repo.path)

    def call(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        capsys.readouterr()
        code = main(list(arguments))
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call
