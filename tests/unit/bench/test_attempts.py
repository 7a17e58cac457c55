"""The benchmark of failed approaches: its stories are true, its splits apart, and it says what it measured."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from engram_hooks.bench.attempts import Outcome, measure
from engram_hooks.bench.monorepo.code import LANGUAGES
from engram_hooks.bench.monorepo.project import Project
from engram_hooks.bench.monorepo.story import SPLITS, write_monorepo, write_project
from engram_hooks.bench.tries.checks import make_check
from engram_hooks.bench.tries.plot import change, check_of, find_places
from engram_hooks.bench.tries.wording import DECKS
from engram_hooks.cli.bench import group
from engram_hooks.sessions.outcomes import FAILED, PASSED, judge
from engram_hooks.sessions.signatures import read_signature
from tests.support.make_repo import run_git

COMMITS = 120


def tell_nobody(_stage: str, _done: int, _total: int) -> None:
    """No progress is wanted."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return write_project(tmp_path_factory.mktemp("made") / "repo", SPLITS["dev"], commits=COMMITS, seed=5)


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    return measure(
        "unseen", tmp_path_factory.mktemp("measured"), commits=COMMITS, seed=3, on_progress=tell_nobody
    )


def test_files_are_those_of_the_repository(tmp_path: Path) -> None:
    project = write_project(tmp_path / "one", SPLITS["dev"], commits=COMMITS, seed=5)
    write_monorepo(tmp_path / "two", SPLITS["dev"], commits=COMMITS, seed=5)
    for unit in project.units:
        assert run_git(tmp_path / "one", "show", f"main:{unit.path}") == unit.text().strip()
    assert run_git(tmp_path / "one", "rev-parse", "main") == run_git(tmp_path / "two", "rev-parse", "main")


@pytest.mark.parametrize("split", ["dev", "unseen"])
def test_each_change_is_one_and_leaves_the_function_as_it_was(project: Project, split: str) -> None:
    for place in find_places(project, random.Random(1)):
        before = place.unit.text()
        texts = {
            change(place, place.routine, rows, at=0, replaces=True)
            for approach in DECKS[split].approaches
            for rows in (approach.rows, approach.like)
        }
        assert len(texts) == 2 * len(DECKS[split].approaches)
        assert before not in texts
        assert place.unit.text() == before


@pytest.mark.parametrize("language", [language.name for language in LANGUAGES])
def test_checks_are_known_and_judged(language: str) -> None:
    words = dict.fromkeys(("path", "area", "suite", "call", "test", "error", "message"), "Thing")
    words |= {"test_path": "t/thing_test.x", "test_name": "thing_test.x", "line": "7", "seconds": "0.1"}
    check = make_check(language, words)
    from engram_hooks.sessions.checks import find_checks

    (found,) = find_checks(check.command)
    is_failure = check.failed.startswith("Exit code")
    assert judge(found, check.failed, is_failure=is_failure, is_interrupt=False) == FAILED
    assert judge(found, check.passed, is_failure=False, is_interrupt=False) == PASSED


def test_runs_of_one_fault_are_alike_and_faults_of_two_functions_are_not(project: Project) -> None:
    rng = random.Random(4)
    approach = DECKS["dev"].approaches[0]
    prints = {}
    for place in find_places(project, rng):
        first, second = (read_signature(check_of(place, approach, rng).failed)[2] for _ in range(2))
        assert first == second, place.path
        prints[first] = place.path
    assert len(prints) == len(find_places(project, rng))


def test_splits_share_no_approach() -> None:
    lines = [{row for one in deck.approaches for row in (*one.rows, *one.like)} for deck in DECKS.values()]
    wishes = [{one.wish for one in deck.approaches} for deck in DECKS.values()]
    assert not lines[0] & lines[1]
    assert not wishes[0] & wishes[1]


def test_warnings_come_and_silence_is_kept(outcome: Outcome) -> None:
    assert outcome.stories >= 4
    assert outcome.learned
    assert outcome.hit_rate >= 0.95
    assert outcome.false_alarms <= 0.05
    assert outcome.wrongly_held_up == 0
    same = next(row for row in outcome.rows if row.kind == "edit: the same")
    assert same.held_up == 1
    wanted = {row.wanted for row in outcome.rows}
    assert wanted == {"warn", "silent", "not held up"}


def test_command_prints_json() -> None:
    done = CliRunner().invoke(group, ["attempts", "--commits", str(COMMITS), "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    assert {"hit_rate", "false_alarms", "wrongly_held_up", "rows"} <= set(found)
    table = CliRunner().invoke(group, ["attempts", "--commits", str(COMMITS)])
    assert "warning hit rate" in table.output
