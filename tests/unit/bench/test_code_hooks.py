"""The made-up index of `engram bench hooks`: every edit and read of it brings something."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from engram_hooks import Engram, entry
from engram_hooks.bench.code_hooks import FIRST_FILE, IndexedRepo, change_of
from engram_hooks.bench.synthetic_index import file_lines, file_path, guarded_lines

Times = dict[str, tuple[float, float]]


@pytest.fixture
def indexed(tmp_path: Path, data: str) -> IndexedRepo:
    """A small one."""
    environ = {"ENGRAM_HOME": data, "ENGRAM_WORKER": "1", "HOME": os.environ["HOME"]}
    return IndexedRepo(tmp_path / "bench", Path(data), environ, commits=60, files=FIRST_FILE + 5)


@pytest.mark.parametrize(("event", "word"), [("PreToolUse", "This changes"), ("PostToolUse", "carr")])
def test_every_round_says_something(indexed: IndexedRepo, data: str, event: str, word: str) -> None:
    for at in range(5):
        made = indexed.edit(at) if event == "PreToolUse" else indexed.read(at)
        payload = {"session_id": "bench", "hook_event_name": event, **made}
        text = json.loads(entry.serve("", payload, data, indexed.environ))["hookSpecificOutput"][
            "additionalContext"
        ]
        assert word in text


@pytest.mark.parametrize("time_it", [IndexedRepo.time_preflight, IndexedRepo.time_facade])
def test_preflight_is_timed(indexed: IndexedRepo, time_it: Callable[[IndexedRepo], Times]) -> None:
    found = time_it(indexed)
    assert 0 < found["median"][0] <= found["p95"][0]


def test_files_that_are_checked_out_are_those_of_the_head(indexed: IndexedRepo) -> None:
    indexed.time_facade()
    with Engram(cwd=indexed.root, environ=indexed.environ) as memory:
        lines = [line for flag in memory.preflight(file_path(3)).findings.flags for line in flag.lines]
    owned = {line for own in guarded_lines(3) for line in own}
    assert lines
    assert all(set(range(first, last + 1)) <= owned for first, last in lines)


@pytest.mark.parametrize("number", range(9))
def test_edit_changes_one_line_that_is_guarded(number: int) -> None:
    old, new = change_of(number, 7)
    changed = [before for before, after in zip(old, new, strict=True) if before != after]
    owned = {file_lines(number)[line - 1] for own in guarded_lines(number) for line in own}
    assert len(changed) == 1
    assert changed[0] in owned
