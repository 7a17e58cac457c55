"""Tool events: one row a use, equal failures in one row, only failures searchable."""

from __future__ import annotations

from sqlite3 import Connection

import pytest

from engram_hooks.store import tool_events


def event(**changes: str) -> dict[str, str]:
    base = {
        "tool": "Bash",
        "target": "",
        "command": "pytest",
        "outcome": "ok",
        "error": "",
        "use_id": "t1",
        "agent": "",
    }
    return {**base, **changes}


def rows(store: Connection) -> list[tuple[str, int]]:
    return store.execute("SELECT outcome, repeat_count FROM tool_events ORDER BY id").fetchall()


def test_end_of_a_use_updates_the_row_of_its_start(store: Connection) -> None:
    tool_events.record_event(store, 1, event(outcome="started"), now_ms=1)
    tool_events.record_event(store, 1, event(outcome="ok"), now_ms=2)
    assert rows(store) == [("ok", 1)]


def test_late_start_does_not_undo_the_end(store: Connection) -> None:
    tool_events.record_event(store, 1, event(outcome="ok"), now_ms=1)
    tool_events.record_event(store, 1, event(outcome="started"), now_ms=2)
    assert rows(store) == [("ok", 1)]


def test_failure_replaces_its_start(store: Connection) -> None:
    tool_events.record_event(store, 1, event(outcome="started"), now_ms=1)
    tool_events.record_event(store, 1, event(outcome="failed", error="boom"), now_ms=2)
    assert rows(store) == [("failed", 1)]


def test_same_failure_delivered_twice_counts_once(store: Connection) -> None:
    for _ in range(10):
        tool_events.record_event(store, 1, event(outcome="failed", error="boom"), now_ms=2)
    assert rows(store) == [("failed", 1)]


def test_equal_failures_of_a_session_share_a_row(store: Connection) -> None:
    for at in range(25):
        tool_events.record_event(store, 1, event(outcome="failed", error="boom", use_id=f"t{at}"), now_ms=at)
    tool_events.record_event(store, 1, event(outcome="failed", error="bang", use_id="x"), now_ms=30)
    tool_events.record_event(store, 2, event(outcome="failed", error="boom", use_id="y"), now_ms=31)
    assert rows(store) == [("failed", 25), ("failed", 1), ("failed", 1)]


@pytest.mark.parametrize(("outcome", "hits"), [("failed", 1), ("ok", 0), ("interrupted", 0)])
def test_only_failures_are_searchable(store: Connection, outcome: str, hits: int) -> None:
    tool_events.record_event(store, 1, event(outcome=outcome, error="quuxfrob not found"), now_ms=1)
    found = store.execute("SELECT count(*) FROM tool_events_fts WHERE tool_events_fts MATCH '\"quuxfrob\"'")
    assert found.fetchone() == (hits,)


def test_uses_without_an_id_are_rows_of_their_own(store: Connection) -> None:
    for _ in range(2):
        tool_events.record_event(store, 1, event(use_id=""), now_ms=1)
    assert len(rows(store)) == 2


def test_touched_files_are_edits_latest_first(store: Connection) -> None:
    for at, (tool, target) in enumerate(
        (("Edit", "a.py"), ("Read", "r.py"), ("Write", "b.py"), ("Edit", "a.py"))
    ):
        tool_events.record_event(store, 1, event(tool=tool, target=target, use_id=f"t{at}"), now_ms=at)
    assert tool_events.touched_files(store, 1, limit=5) == ["a.py", "b.py"]


def test_failed_edit_touches_nothing(store: Connection) -> None:
    tool_events.record_event(store, 1, event(tool="Edit", target="a.py", outcome="failed"), now_ms=1)
    assert tool_events.touched_files(store, 1, limit=5) == []
