"""What people read of a history: no word for commits without a hint, each name once, the way on for what is unknown."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from engram_hooks.cli.main import main
from tests.support.make_repo import Repo, make_repo

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


@pytest.mark.parametrize("command", ["history", "cochange", "preflight"])
@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        pytest.param("box.py", "there is src/box.py", id="name-alone"),
        pytest.param("src/bxo.py", "there is src/box.py", id="typing-error"),
        pytest.param("src", "folder", id="folder"),
        pytest.param(".", "folder", id="folder-here"),
    ],
)
def test_what_may_be_meant_is_named(
    shop: Repo, capsys: pytest.CaptureFixture[str], command: str, typed: str, hint: str
) -> None:
    assert main([command, typed]) == 1
    assert hint in capsys.readouterr().err


@pytest.mark.parametrize("command", ["history", "cochange", "preflight"])
def test_a_file_like_no_other_gets_no_name_proposed(
    shop: Repo, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert main([command, "gateway.go"]) == 1
    assert "box.py" not in capsys.readouterr().err


@pytest.mark.parametrize("command", ["history", "cochange"])
def test_a_file_of_another_repository_is_looked_up_there(
    shop: Repo,
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "plain").mkdir()
    for folder in (tmp_path / "plain", make_repo(tmp_path / "other", {"a.txt": "1\n"}).path):
        monkeypatch.chdir(folder)
        assert json.loads(say(capsys, command, str(shop / "src/box.py"), "--json"))["file"] == "src/box.py"


def test_outside_a_repository_the_way_on_is_one_that_there_is(
    tmp_path: Path, data: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for command in (["why", "boxes"], ["history", "box.py"], ["cochange", "box.py"], ["inspect"]):
        assert main(command) == 1
        assert capsys.readouterr().err.endswith("hint: cd into one\n")


def test_a_diff_of_other_files_is_said_to_be_one(
    shop: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    diff = "--- a/src/box.py\n+++ b/src/box.py\n@@ -13 +13 @@\n-        return item\n+        return self\n"
    for text, said in (
        (diff, ""),
        (diff.replace("box.py", "bag.py"), "the diff does not change src/box.py\n"),
        ("", "the diff does not change src/box.py\n"),
    ):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert main(["preflight", "src/box.py", "--diff", "-"]) == 0
        assert capsys.readouterr().err == said


@pytest.mark.parametrize(
    "arguments",
    [
        ["history", "src/box.py"],
        ["cochange", "src/box.py"],
        ["preflight", "src/box.py"],
        ["why", "boxes"],
        ["inspect"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_an_index_of_another_commit_is_said_to_be_one(
    shop: Repo, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    indexed = shop.head()
    assert main(arguments) == 0
    assert capsys.readouterr().err == ""
    shop.commit("feat: bags", {"src/bag.py": "bag = 1\n"})
    assert main(arguments) == 0
    told = f"hint: the index is of {indexed[:10]}, not of what is checked out: engram index\n"
    assert capsys.readouterr().err == told
    assert main(["index"]) == 0
    capsys.readouterr()
    assert main(arguments) == 0
    assert capsys.readouterr().err == ""


def test_parts_of_a_preflight_stand_one_empty_line_apart(
    shop: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["invariant", "add", "-t", "boxes hold one item", "-g", "src/**"]) == 0
    capsys.readouterr()
    drawn = say(capsys, "preflight", "src/box.py")
    assert "src/box.py\n\n  Rule (warning): boxes hold one item [r1]\n\nNo fix or revert" in drawn
    shop.commit("fix: lose no item", {"src/box.py": BODY.replace("return item", "return [item]")})
    assert main(["index"]) == 0
    capsys.readouterr()
    assert "\n\n\n" not in say(capsys, "preflight", "src/box.py")
