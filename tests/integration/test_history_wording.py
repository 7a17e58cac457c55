"""What people read of a history: no word for commits without a hint, each name once, the way on for what is unknown."""

from __future__ import annotations

import json

import pytest

from engram_hooks.cli.main import main
from tests.support.make_repo import Repo

BODY = """\
from typing import overload


class Box:
    @overload
    def put(self, item: int) -> int: ...

    @overload
    def put(self, item: str) -> str: ...

    def put(self, item):
        self.item = item
        return item
"""


@pytest.fixture
def shop(repo: Repo, data: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Repo:
    """An indexed repository with a function of several signatures, in which the commands are called."""
    repo.commit("feat: begin", {"src/box.py": BODY})
    repo.commit("Streamline boxes", {"src/box.py": BODY.replace("self.item = item", "self.item = [item]")})
    monkeypatch.chdir(repo.path)
    assert main(["index"]) == 0
    capsys.readouterr()
    return repo


def say(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [["history", "src/box.py"], ["preflight", "src/box.py"], ["why", "streamline", "boxes"]],
    ids=["history", "preflight", "why"],
)
def test_a_commit_without_a_hint_has_no_word_before_its_subject(
    shop: Repo, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    (line,) = [line for line in say(capsys, *arguments).splitlines() if "Streamline boxes" in line]
    assert line.split()[2:] == ["Streamline", "boxes"]
    assert '"intent": "chore"' in say(capsys, *arguments, "--json")


def test_a_commit_with_a_hint_keeps_its_word(shop: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = [line for line in say(capsys, "history", "src/box.py").splitlines() if "begin" in line]
    assert line.split()[2] == "feature"


def test_a_function_of_several_signatures_is_named_once(
    shop: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    named = "src/box.py", "--symbol", "put"
    assert say(capsys, "preflight", *named).splitlines()[0] == "src/box.py · Box.put"
    assert json.loads(say(capsys, "history", *named, "--json"))["symbols"] == ["Box.put"]
    assert say(capsys, "why", "Box.put").count("Box.put  ") == 1
    assert main(["history", "src/box.py", "--symbol", "Box.putt"]) == 1
    assert "there are: Box.put\n" in capsys.readouterr().err


def test_the_newest_commits_can_be_asked_for_alone(shop: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    assert [line.split()[-1] for line in say(capsys, "history", "src/box.py").splitlines()] == [
        "boxes",
        "begin",
    ]
    assert [line.split()[-1] for line in say(capsys, "history", "-n", "1", "src/box.py").splitlines()] == [
        "boxes"
    ]


def test_an_index_that_was_just_made_is_not_called_old(
    shop: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    assert say(capsys, "preflight", "src/box.py").endswith(", read just now\n")
