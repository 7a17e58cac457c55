"""Groups of commands that list what they keep where no command is named."""

from __future__ import annotations

import pytest

from engram_hooks.cli.main import main
from tests.support.make_repo import Repo


@pytest.mark.parametrize("group", ["attempts", "branches", "config", "invariant", "projects"])
def test_a_group_alone_lists(
    repo: Repo,
    data: str,
    group: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(repo.path)
    assert main([group, "list"]) == 0
    listed = capsys.readouterr()
    assert main([group]) == 0
    assert capsys.readouterr() == listed
    assert listed.out


@pytest.mark.parametrize("group", ["attempts", "branches", "config", "invariant", "projects"])
def test_a_word_that_is_no_command_is_refused(
    data: str, group: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([group, "lisst"]) == 2
    assert capsys.readouterr().out == ""
