"""`engram config` as typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engram_hooks.cli.config import command
from engram_hooks.client.knobs import SETTINGS
from engram_hooks.errors import EngramError
from tests.support.make_repo import Repo


@pytest.fixture(autouse=True)
def in_repository(repo: Repo, data: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands are typed in a repository."""
    monkeypatch.chdir(repo.path)


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(command, arguments)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_list_shows_every_setting_with_its_source(
    repo: Repo, data: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENGRAM_BOOT_MAX_CHARS", "77")
    run("set", "minder.max_chars", "55")
    rows = {row["key"]: row for row in json.loads(run("list", "--json").stdout)["settings"]}
    assert list(rows) == list(SETTINGS)
    assert (rows["boot.max_chars"]["value"], rows["boot.max_chars"]["source"]) == (
        77,
        "ENGRAM_BOOT_MAX_CHARS",
    )
    assert rows["minder.max_chars"]["source"] == f"{data}/config.toml:2"
    assert rows["index.auto"]["source"] == "default"
    text = run("list").stdout
    assert all(key in text for key in SETTINGS)


def test_value_is_set_read_and_unset(data: str) -> None:
    assert "boot.max_chars = 123" in run("set", "boot.max_chars", "123").stdout
    assert run("get", "boot.max_chars").stdout == "123\n"
    assert "is gone" in run("unset", "boot.max_chars").stdout
    assert "was not set" in run("unset", "boot.max_chars").stdout
    assert run("get", "boot.max_chars").stdout == "4000\n"


def test_edit_by_hand_counts_at_once(data: str) -> None:
    run("set", "boot.max_chars", "123")
    file = Path(data, "config.toml")
    file.write_text("[boot]\nmax_chars = 9\n", encoding="utf-8")
    assert run("get", "boot.max_chars").stdout == "9\n"


def test_repository_file_is_written_at_its_top(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    (repo / "src").mkdir()
    monkeypatch.chdir(repo / "src")
    run("set", "--repository", "preflight.mode", "confirm")
    run("set", "--repository", "project", "shop api")
    text = (repo / ".engram" / "config.toml").read_text(encoding="utf-8")
    assert text == 'project = "shop api"\n[preflight]\nmode = "confirm"\n'
    assert run("get", "preflight.mode").stdout == "confirm\n"


def test_faults_of_the_file_are_said(data: str) -> None:
    Path(data).mkdir()
    Path(data, "config.toml").write_text("[boot]\nmax_char = 1\n", encoding="utf-8")
    result = run("list")
    assert "config.toml:2: there is no setting boot.max_char" in result.stderr
    assert result.exit_code == 0


def test_environment_that_still_wins_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGRAM_INDEX_AUTO", "true")
    assert "ENGRAM_INDEX_AUTO in the environment still wins" in run("set", "index.auto", "false").stderr


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("get", "boot.nothing"), id="unknown name"),
        pytest.param(("set", "boot.max_chars", "many"), id="impossible value"),
        pytest.param(("set", "project", "x"), id="project for all repositories"),
        pytest.param(("set", "--repository", "brain.command", "x"), id="not for a repository"),
        pytest.param(("unset", "nothing"), id="unknown name to unset"),
    ],
)
def test_wrong_use_is_refused(arguments: tuple[str, ...]) -> None:
    with pytest.raises(EngramError) as caught:
        run(*arguments)
    assert caught.value.exit_code == 2


def test_outside_a_repository_there_is_no_repository_file(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    with pytest.raises(EngramError, match="no repository"):
        run("set", "--repository", "preflight.mode", "ask")
