"""`engram model` as typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engram_hooks.cli.model import group
from engram_hooks.errors import EngramError
from engram_hooks.memory import Engram
from tests.support.make_repo import Repo
from tests.support.models import save_wordlevel, save_wordpiece


@pytest.fixture(autouse=True)
def in_repository(repo: Repo, data: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands are typed in a repository that has something to remember."""
    monkeypatch.chdir(repo.path)
    with Engram() as memory:
        memory.add("Water the garden twice a day")
        memory.add("Retry the queue")


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(group, arguments)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_model_that_comes_along_is_listed() -> None:
    assert "bundled" in run("list").stdout
    (row,) = json.loads(run("list", "--json").stdout)
    assert (row["name"], row["answers"], row["hooks"], row["dims"]) == ("bundled", True, True, 256)
    info = json.loads(run("info", "--json").stdout)
    assert (info["vectors"] + info["waiting"], info["off"]) == (2, False)


def test_switched_off_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGRAM_EMBED", "off")
    assert "switched off" in run("info").stdout
    assert json.loads(run("info", "--json").stdout)["off"] is True


def test_other_model_is_used_and_reset(tmp_path: Path, data: str) -> None:
    save_wordpiece(tmp_path / "model")
    assert "answers, 2 notes" in run("use", str(tmp_path / "model")).stdout
    assert str(tmp_path / "model") in Path(data, "config.toml").read_text(encoding="utf-8")
    assert str(tmp_path / "model") in run("info").stdout
    assert "bundled: answers, 2 notes" in run("reset").stdout
    assert "model" not in Path(data, "config.toml").read_text(encoding="utf-8").replace("[embed]", "")


def test_model_for_commands_alone_says_so(tmp_path: Path) -> None:
    save_wordlevel(tmp_path / "model")
    run("use", str(tmp_path / "model"))
    assert "hooks use full text alone" in run("info").stdout


def test_model_that_cannot_be_had_changes_nothing(tmp_path: Path, data: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(EngramError, match="cannot be had"):
        run("use", str(tmp_path / "empty"))
    assert not Path(data, "config.toml").exists()
    assert "bundled" in run("info").stdout


def test_variable_that_wins_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_wordpiece(tmp_path / "model")
    monkeypatch.setenv("ENGRAM_EMBED_MODEL", "")
    assert "ENGRAM_EMBED_MODEL in the environment still wins" in run("use", str(tmp_path / "model")).stderr
