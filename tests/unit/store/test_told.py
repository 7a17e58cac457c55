"""What a context was told, and what it was held up at."""

from __future__ import annotations

from sqlite3 import Connection

import pytest

from engram_hooks.store import told
from tests.conftest import NOW_MS

MAIN = (1, "", 0)


def test_what_was_told_is_known_by_the_start_of_its_subject(store: Connection) -> None:
    told.add_told(store, MAIN, told.BRIEF, [("a.py\n", 40), ("a.py\nfix", 60), ("a.pyx\n", 7)], now_ms=NOW_MS)
    assert told.told_subjects(store, MAIN, told.BRIEF, "a.py\n") == {"a.py\n": 40, "a.py\nfix": 60}


def test_telling_again_changes_nothing(store: Connection) -> None:
    for chars in (40, 80):
        told.add_told(store, MAIN, told.BRIEF, [("a.py\n", chars)], now_ms=NOW_MS)
    assert told.told_subjects(store, MAIN, told.BRIEF, "a.py\n") == {"a.py\n": 40}


OTHERS = [
    pytest.param((2, "", 0), id="session"),
    pytest.param((1, "a1", 0), id="subagent"),
    pytest.param((1, "", 1), id="after a compaction"),
]


@pytest.mark.parametrize("other", OTHERS)
def test_another_context_was_not_told(store: Connection, other: told.Context) -> None:
    told.add_told(store, MAIN, told.ADVICE, [("k\n", 1)], now_ms=NOW_MS)
    assert told.told_subjects(store, other, told.ADVICE, "k\n") == {}
    assert told.told_subjects(store, MAIN, told.BRIEF, "k\n") == {}


@pytest.mark.parametrize("other", OTHERS)
def test_a_change_holds_a_context_up_once(store: Connection, other: told.Context) -> None:
    held = [told.hold_up(store, MAIN, "k", now_ms=NOW_MS) for _ in range(2)]
    assert held == [True, False]
    assert told.hold_up(store, MAIN, "l", now_ms=NOW_MS)
    assert told.hold_up(store, other, "k", now_ms=NOW_MS)
