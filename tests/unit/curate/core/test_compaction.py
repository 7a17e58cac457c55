"""Core memory that gets full: what is said twice becomes one, and nothing that goes is lost."""

from __future__ import annotations

from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks.curate.core.compaction import (
    compact_core,
    densify,
    find_merges,
    plan_compaction,
    undo_compaction,
)
from engram_hooks.curate.core.worth import order_by_worth
from engram_hooks.sessions.core_mirror import file_of, write_file
from engram_hooks.store.audit_trail import list_all
from engram_hooks.store.core import list_versions, read_lines, write_block
from engram_hooks.store.lookup import list_records
from tests.conftest import NOW_MS

ENVIRON = {"ENGRAM_CORE_USER_CHARS": "130", "ENGRAM_CORE_AGENT_CHARS": "100"}


@pytest.mark.parametrize(
    ("short", "long"),
    [
        pytest.param("Answer in German", "Always answer in German.", id="filler"),
        pytest.param("Use pnpm", "Use pnpm: npm breaks the workspace links", id="reason behind a colon"),
        pytest.param(
            "Use uv for scripts", "Use uv for scripts because pip is slow", id="reason behind because"
        ),
        pytest.param("I am Ana", "I am Ana (backend, payments)", id="detail in brackets"),
    ],
)
def test_entry_that_another_one_says_too_goes(short: str, long: str) -> None:
    assert find_merges([short, long]) == [(short, long)]
    assert find_merges([long, short]) == [(short, long)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Deploy on Fridays", "Never deploy on Fridays", id="opposite"),
        pytest.param("Prefer tabs over spaces", "Prefer spaces over tabs", id="another order"),
        pytest.param("Run the tests before a commit", "Run the tests after a commit", id="before and after"),
        pytest.param("Answer in German", "Answer in German when I write German", id="a condition"),
        pytest.param("Never force-push", "Never force-push, except to my own branch", id="an exception"),
        pytest.param("Python 3.11", "Python 3.12", id="another number"),
        pytest.param("Short answers", "Short answers in chat", id="a narrower place"),
        pytest.param("!!!", "???", id="no words"),
    ],
)
def test_entries_that_say_different_things_stay(one: str, other: str) -> None:
    assert find_merges([one, other]) == []


@pytest.mark.parametrize(
    ("wordy", "dense"),
    [
        pytest.param("Please remember that docker needs sudo.", "Docker needs sudo", id="plea and full stop"),
        pytest.param("Note: the proxy is slow", "The proxy is slow", id="note"),
        pytest.param("Docker needs sudo", "Docker needs sudo", id="dense already"),
        pytest.param("wait for it...", "wait for it...", id="dots"),
        pytest.param("Remember to stretch", "Remember to stretch", id="what is to be remembered"),
        pytest.param("Make sure to run ruff", "Make sure to run ruff", id="what is to be done"),
        pytest.param("Notebooks live in nb/", "Notebooks live in nb/", id="a word that begins so"),
    ],
)
def test_words_that_say_nothing_go(wordy: str, dense: str) -> None:
    assert densify(wordy) == dense


def test_what_matters_least_comes_first() -> None:
    lines = ["My name is Ana", "Likes tea", "Never force-push", "Owns a cat"]
    assert order_by_worth(lines) == ["Likes tea", "Owns a cat", "Never force-push", "My name is Ana"]
    assert order_by_worth(lines, {"Likes tea": 9, "Owns a cat": 2})[0] == "Owns a cat"


def test_plan_ends_where_there_is_room() -> None:
    lines = ["My name is Ana", "Please note that tea is fine.", "Never force-push", "Owns a cat"]
    plan = plan_compaction(lines, 45)
    assert plan.lines == ("My name is Ana", "Never force-push", "Owns a cat")
    assert plan.demoted == ("Tea is fine",)
    assert plan_compaction(lines, 1_000).lines == tuple(lines)
    assert plan_compaction(["x" * 90], 10).lines == ("x" * 90,), "the last entry stays"


def fill(store: Connection, data: str, block: str, lines: list[str]) -> None:
    """Write a block and its file."""
    write_block(store, block, lines, actor="person", action="add", now_ms=NOW_MS)
    write_file(store, data, block, 120)


LINES = [
    "My name is Ana",
    "Never force-push",
    "Never force-push: it broke the release",
    "Likes tea with milk in the morning",
]


def test_full_block_is_compacted_and_nothing_is_lost(store: Connection, data: str) -> None:
    fill(store, data, "user", [*LINES, "Owns a cat"])
    said = compact_core(store, data, ENVIRON, now_ms=NOW_MS)
    assert read_lines(store, "user") == [LINES[0], LINES[2], LINES[3], "Owns a cat"]
    assert len(said) == 1
    assert "it broke" in said[0]
    assert list_versions(store, "user")[-1]["actor"] == "consolidation"
    assert "Owns a cat" in Path(file_of(data, "user")).read_text()


def test_entry_that_goes_becomes_a_record_everywhere(store: Connection, data: str) -> None:
    fill(store, data, "user", [*LINES, "Owns a cat and a dog and a bird"])
    compact_core(store, data, ENVIRON, now_ms=NOW_MS)
    (record,) = list_records(store, project_ids=[0])
    assert record["summary"] == LINES[3]
    assert (record["kind"], record["scope"], record["status"]) == ("user", "global", "active")
    kept = [*read_lines(store, "user"), record["summary"]]
    assert all(any(line in other for other in kept) for line in LINES)
    actions = {(row["actor"], row["action"]) for row in list_all(store)}
    assert {("engram", "add"), ("consolidation", "core compact")} <= actions


def test_agent_block_gives_facts(store: Connection, data: str) -> None:
    fill(store, data, "agent", [f"tool {name} is slow on this machine" for name in ("a1", "b2", "c3")])
    compact_core(store, data, ENVIRON, now_ms=NOW_MS)
    assert [row["kind"] for row in list_records(store, project_ids=[0])] == ["fact"]


def test_known_record_is_not_made_twice(store: Connection, data: str) -> None:
    lines = [f"tool {name} is slow on this machine" for name in ("a1", "b2", "c3")]
    for _ in range(2):
        fill(store, data, "agent", lines)
        compact_core(store, data, ENVIRON, now_ms=NOW_MS)
    assert len(list_records(store, project_ids=[0])) == 1


def test_dry_run_changes_nothing(store: Connection, data: str) -> None:
    fill(store, data, "user", [*LINES, "Owns a cat and a dog and a bird"])
    assert compact_core(store, data, ENVIRON, now_ms=NOW_MS, is_dry=True)
    assert len(read_lines(store, "user")) == 5
    assert list_records(store, project_ids=[0]) == []


@pytest.mark.parametrize("lines", [[], ["My name is Ana"], ["x" * 96]])
def test_block_with_room_is_left_alone(store: Connection, data: str, lines: list[str]) -> None:
    fill(store, data, "user", lines)
    assert compact_core(store, data, ENVIRON, now_ms=NOW_MS) == []
    assert read_lines(store, "user") == lines


def test_block_whose_file_waits_is_left_alone(store: Connection, data: str) -> None:
    fill(store, data, "user", LINES)
    Path(file_of(data, "user")).write_text("z" * 200)
    (said,) = compact_core(store, data, ENVIRON, now_ms=NOW_MS)
    assert "left alone" in said
    assert read_lines(store, "user") == LINES


def test_compaction_is_taken_back_with_its_run(store: Connection, data: str) -> None:
    fill(store, data, "user", [*LINES, "Owns a cat and a dog and a bird"])
    first = list_all(store, limit=1)[0]["id"]
    compact_core(store, data, ENVIRON, now_ms=NOW_MS)
    last = list_all(store, limit=1)[0]["id"]
    stretch = {"first_id": first, "last_id": last, "now_ms": NOW_MS}
    assert undo_compaction(store, data, ENVIRON, **stretch) == ["user"]
    assert read_lines(store, "user") == [*LINES, "Owns a cat and a dog and a bird"]
    assert "Likes tea" in Path(file_of(data, "user")).read_text()
    assert undo_compaction(store, data, ENVIRON, **stretch) == [], "it was changed since"
