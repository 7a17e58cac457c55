"""`engram setup` offers to learn the repository it stands in: asked once on a terminal, never in a pipe."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from engram_hooks.cli import output
from engram_hooks.cli.main import main
from engram_hooks.memory import Engram
from tests.support.make_repo import Repo

Setup = Callable[..., str]


@pytest.fixture
def run_setup(
    repo: Repo, data: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Setup:
    """Call `engram setup` in the repository; gives what it prints."""
    monkeypatch.chdir(repo.path)

    def call(*arguments: str) -> str:
        assert main(["setup", "--settings", str(tmp_path / "settings.json"), *arguments]) == 0
        return capsys.readouterr().out

    return call


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The questions that a person at a terminal was asked; each is answered with no."""
    questions: list[str] = []

    def confirm(text: str, **_: object) -> bool:
        questions.append(text)
        return False

    monkeypatch.setattr(output, "is_interactive", lambda: True)
    monkeypatch.setattr(click, "confirm", confirm)
    return questions


def has_index(data: str) -> bool:
    return any(Path(data, "index").glob("*.db"))


def test_flag_indexes_without_a_question(run_setup: Setup, data: str, asked: list[str]) -> None:
    assert "Learnt from git: 1 commit, 1 new" in run_setup("--index")
    assert has_index(data)
    assert asked == []


def test_person_at_a_terminal_is_asked_until_there_is_an_index(
    run_setup: Setup, data: str, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run_setup()
    assert ["shop" in question for question in asked] == [True]
    assert not has_index(data)
    monkeypatch.setattr(click, "confirm", lambda *_, **__: True)
    assert "Learnt from git" in run_setup()
    monkeypatch.setattr(click, "confirm", lambda *_, **__: pytest.fail("asked again"))
    run_setup()


@pytest.mark.parametrize("arguments", [("--no-index",), ("--dry-run",), ("--json",)])
def test_who_said_what_is_wanted_is_not_asked(
    run_setup: Setup, data: str, asked: list[str], arguments: tuple[str, ...]
) -> None:
    run_setup(*arguments)
    assert asked == []
    assert not has_index(data)


def test_pipe_is_not_asked(run_setup: Setup, data: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(click, "confirm", lambda *_, **__: pytest.fail("asked"))
    run_setup()
    assert not has_index(data)


def test_place_without_a_repository_is_not_asked_about(
    run_setup: Setup, tmp_path: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plain").mkdir()
    monkeypatch.chdir(tmp_path / "plain")
    run_setup()
    assert asked == []


def test_index_is_told_of_in_json(run_setup: Setup) -> None:
    assert json.loads(run_setup("--json"))["index"] is None
    assert json.loads(run_setup("--index", "--json"))["index"]["commits"] == 1


def test_home_folder_is_not_asked_about(
    run_setup: Setup, home: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    os.mkdir(home / ".git")
    run_setup()
    assert asked == []


def test_where_nobody_is_asked_the_command_is_named(run_setup: Setup) -> None:
    assert run_setup().endswith("engram index\n")
    assert "engram index" not in run_setup("--no-index")
    assert "engram index" not in run_setup("--index")
    assert "engram index" not in run_setup()


def test_who_said_no_hears_no_more_of_it(run_setup: Setup, asked: list[str]) -> None:
    assert "engram index" not in run_setup()
    assert len(asked) == 1


def test_interrupted_index_leaves_the_rest_connected(
    run_setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Engram, "index", interrupt)
    printed = run_setup("--index")
    assert "adds the SessionStart hook" in printed
    assert "Learnt from git" not in printed
