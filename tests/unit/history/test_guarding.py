"""Which commits guard a file, and in which order."""

from __future__ import annotations

import pytest

from engram_hooks.history.guarding import MAX_LINELESS, choose, is_guarded, is_load_bearing, weigh
from engram_hooks.store.index_ownership import GuardRow, Maker


def maker(intent: str, *, files: int = 1, lines: int = 5, is_bulk: bool = False) -> Maker:
    return Maker(1, intent, is_bulk, 0, "subject", files, lines, None, None, None, None)


@pytest.mark.parametrize(
    ("intent", "expected"), [("bugfix", True), ("security", True), ("revert", True), ("docs", False)]
)
def test_fixes_and_reverts_bear_a_load(intent: str, *, expected: bool) -> None:
    assert is_load_bearing(maker(intent)) == expected


def test_bulk_commits_and_unknown_ones_bear_none() -> None:
    assert not is_load_bearing(maker("bugfix", is_bulk=True))
    assert not is_load_bearing(None)


def test_a_revert_weighs_more_than_a_fix_and_a_narrow_commit_more_than_a_wide_one() -> None:
    assert 1 >= weigh(maker("revert"), 1) == weigh(maker("security"), 9) > weigh(maker("bugfix"), 1) > 0
    assert (
        weigh(maker("bugfix"), 1)
        > weigh(maker("bugfix", files=40), 1)
        > weigh(maker("bugfix", lines=9_000), 1)
        > 0
    )
    assert weigh(maker("revert"), 1) > weigh(maker("revert"), 0)


def test_the_weightiest_are_kept_and_few_that_left_no_line() -> None:
    rows = [GuardRow(number, 0.5 + number / 1000, b"", b"") for number in range(90)]
    kept = choose([*rows, GuardRow(100, 0.2, b"x", b"")])
    assert [row.commit_id for row in kept] == [100, *range(89, 89 - MAX_LINELESS, -1)]


@pytest.mark.parametrize(
    ("path", "expected"),
    [("a.py", True), ("deploy.yml", True), ("README.md", False), ("yarn.lock", False), ("vendor/a.c", False)],
)
def test_documents_and_what_machines_write_are_not_guarded(path: str, *, expected: bool) -> None:
    assert is_guarded(path) == expected
