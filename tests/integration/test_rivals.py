"""Of two notes that may set one thing to two values a person is asked which holds; nothing changes before."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from engram_hooks.cli.main import main
from tests.support.make_repo import make_repo

Run = Callable[..., str]
OLD, NEW = "Our pipelines are on Buildkite.", "CI runs on Jenkins."
OTHER = "Amounts are stored as integer cents."


@pytest.fixture
def run(
    tmp_path: Path, data: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Run a command, which must end with the code given; return what it printed."""
    monkeypatch.chdir(make_repo(tmp_path / "shop", {"a.py": "x = 1\n"}).path)

    def call(*argv: str, code: int = 0) -> str:
        assert main(list(argv)) == code
        return capsys.readouterr().out

    return call


@pytest.fixture
def pair(run: Run) -> str:
    """What an answer names the two notes by, after consolidation has found them."""
    for text in (OTHER, OLD, NEW):
        run("add", "-t", "fact", "-s", text)
        time.sleep(0.002)
    run("consolidate", "--only", "rivals")
    (asked,) = json.loads(run("review", "--json"))
    assert (asked["question"], asked["newer"]["summary"], asked["older"]["summary"]) == ("rivals", NEW, OLD)
    return str(asked["id"])


def statuses(run: Run) -> dict[str, str]:
    rows = json.loads(run("list", "--status", "active", "--status", "superseded", "--json"))
    return {row["summary"]: row["status"] for row in rows}


def test_newer_one_replaces_the_older_where_a_person_says_so(run: Run, pair: str) -> None:
    assert statuses(run) == dict.fromkeys((OLD, NEW, OTHER), "active")
    told = run("review", "--accept", pair)
    assert statuses(run) == {OLD: "superseded", NEW: "active", OTHER: "active"}
    assert json.loads(run("review", "--json")) == []
    undo = told.split("undo: engram ")[1].strip().rstrip(".")
    run(*undo.split())
    assert statuses(run)[OLD] == "active"


def test_both_hold_where_a_person_says_so_and_nobody_asks_again(run: Run, pair: str) -> None:
    run("review", "--never", pair)
    assert set(statuses(run).values()) == {"active"}
    run("edit", pair.split("/")[0], "--tag", "ops")
    run("consolidate", "--only", "rivals")
    assert json.loads(run("review", "--json")) == []


def test_question_is_gone_with_one_of_the_two(run: Run, pair: str) -> None:
    run("forget", pair.split("/")[1])
    assert json.loads(run("review", "--json")) == []


def test_answer_about_two_that_nobody_asked_about_is_refused(run: Run, pair: str) -> None:
    newer, older = pair.split("/")
    run("review", "--accept", f"{older}/{newer}", code=1)
    assert set(statuses(run).values()) == {"active"}


def test_dry_run_keeps_no_question(run: Run) -> None:
    for text in (OLD, NEW):
        run("add", "-t", "fact", "-s", text)
    assert "1 for you to decide" in run("consolidate", "--only", "rivals", "--dry-run")
    assert json.loads(run("review", "--json")) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (OTHER, NEW),  # different things
        (OLD, OLD.rstrip(".")),  # the same
        ("Renamed a variable in src/a.py.", "Renamed a variable in src/b.py."),  # of no weight
    ],
)
def test_nobody_is_asked_about_what_is_no_rival(run: Run, first: str, second: str) -> None:
    for text in (first, second):
        run("add", "-t", "fact", "-s", text)
    run("consolidate", "--only", "rivals")
    assert json.loads(run("review", "--json")) == []


def test_rules_and_incidents_are_no_rivals(run: Run) -> None:
    for text in (OLD, NEW):
        run("add", "-t", "incident", "-s", text)
    run("consolidate", "--only", "rivals")
    assert json.loads(run("review", "--json")) == []
