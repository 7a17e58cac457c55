"""Old conversation goes, the rest and all records stay."""

from __future__ import annotations

from sqlite3 import Connection

from engram_hooks.store import log, sessions
from engram_hooks.store.check import check_store
from engram_hooks.store.log_search import browse_log, search_log
from engram_hooks.store.retention import BATCH, count_old, prune
from engram_hooks.store.session_list import find_client_ids, list_sessions
from engram_hooks.store.trials import add_edits, add_run

NOW_MS = 1_780_000_000_000
OLD_MS = NOW_MS - 1


def add_session(db: Connection, client_id: str, *, last_at: int = NOW_MS, project_id: int = 0) -> int:
    """Add a session; return its id."""
    row = sessions.add_session(
        db, client_id, project_id=project_id, root="", branch="main", transcript_path="", now_ms=last_at
    )
    return row[0]


def test_old_lines_go_and_new_ones_stay(store: Connection) -> None:
    session_id = add_session(store, "one")
    rows = [("a", "user", "", "juniper", OLD_MS), ("b", "user", "", "quartz", NOW_MS)]
    log.append_rows(store, session_id, rows)
    sessions.add_prompt(store, session_id, "juniper", prompt_id="p", now_ms=OLD_MS)
    for number, at in enumerate((OLD_MS, NOW_MS)):
        place = 0, session_id, "", "/shop", "main"
        add_edits(store, place, [("a.py", ["juniper"], ["x"])], use_id=f"e{number}", now_ms=at)
        verdict = "test", "pytest", (), "failed", [["t", "", "", ""]], "f"
        add_run(store, place, verdict, use_id=f"r{number}", now_ms=at)
    old = {"log": 1, "tool_events": 0, "prompts": 1, "edits": 1, "check_runs": 1}
    assert count_old(store, before_ms=NOW_MS) == old
    assert prune(store, before_ms=NOW_MS) == old
    for table in ("edits", "check_runs"):
        assert store.execute(f"SELECT use_id FROM {table}").fetchall() == [
            (f"{table[0].replace('c', 'r')}1",)
        ]
    assert [row["text"] for row in browse_log(store, project_id=None)] == ["quartz"]
    assert search_log(store, ["juniper"], project_id=None) == []
    assert len(search_log(store, ["quartz"], project_id=None)) == 1
    assert check_store(store) == []


def test_nothing_old_changes_nothing(store: Connection) -> None:
    log.append_rows(store, add_session(store, "one"), [("a", "user", "", "juniper", NOW_MS)])
    before = store.total_changes
    assert sum(prune(store, before_ms=NOW_MS).values()) == 0
    assert store.total_changes == before


def test_more_than_a_batch_goes(store: Connection) -> None:
    rows = [(f"u{number}", "user", "", "text", OLD_MS) for number in range(BATCH + 3)]
    log.append_rows(store, add_session(store, "one"), rows)
    assert prune(store, before_ms=NOW_MS)["log"] == BATCH + 3
    assert prune(store, before_ms=NOW_MS)["log"] == 0


def test_sessions_are_listed_newest_first_with_how_they_began(store: Connection) -> None:
    first, second = add_session(store, "one", last_at=NOW_MS - 10), add_session(store, "two")
    log.append_rows(store, first, [("a", "user", "", "begin", 1), ("b", "user", "", "go on", 2)])
    sessions.add_prompt(store, second, "not logged yet", prompt_id="p", now_ms=NOW_MS)
    found = list_sessions(store, project_id=0)
    assert [(row["session"], row["lines"], row["first_prompt"]) for row in found] == [
        ("two", 0, "not logged yet"),
        ("one", 2, "begin"),
    ]


def test_empty_sessions_and_other_projects_are_not_listed(store: Connection) -> None:
    add_session(store, "silent")
    other = add_session(store, "other", project_id=7)
    log.append_rows(store, other, [("a", "user", "", "begin", 1)])
    assert list_sessions(store, project_id=0) == []
    assert [row["session"] for row in list_sessions(store, project_id=None)] == ["other"]
    assert list_sessions(store, project_id=None, since_ms=NOW_MS + 1) == []


def test_session_is_found_by_the_start_of_its_id(store: Connection) -> None:
    add_session(store, "abc-1")
    add_session(store, "abd-2")
    assert find_client_ids(store, "abc") == ["abc-1"]
    assert len(find_client_ids(store, "ab")) == 2
    assert find_client_ids(store, "x") == []
