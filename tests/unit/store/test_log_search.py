"""Reading the log and the tool events back."""

from __future__ import annotations

from sqlite3 import Connection

import pytest

from engram_hooks.store import log, log_search, sessions, tool_events

NOW = 1_780_000_000_000
UUID = "00000000-0000-4000-8000-0000000000{:02d}"


@pytest.fixture
def talk(store: Connection) -> Connection:
    """One session in each of two projects, four lines each."""
    for project_id in (1, 2):
        client_id = f"session-{project_id}"
        session = sessions.add_session(
            store, client_id, project_id=project_id, root="", branch="", transcript_path="", now_ms=NOW
        )
        rows = [
            (UUID.format(project_id * 10 + i), role, "", f"{text} of project{project_id}", NOW + i)
            for i, (role, text) in enumerate(
                [
                    ("user", "quartz please"),
                    ("assistant", "granite"),
                    ("user", "quartz again"),
                    ("tool", "ls"),
                ]
            )
        ]
        log.append_rows(store, session[0], rows)
        event = {"tool": "Bash", "target": "", "command": f"make project{project_id}", "outcome": "failed"}
        tool_events.record_event(
            store, session[0], {**event, "error": "no rule", "use_id": client_id, "agent": ""}, now_ms=NOW
        )
    return store


def test_log_is_browsed_in_the_order_it_was_said(talk: Connection) -> None:
    rows = log_search.browse_log(talk, project_id=1, limit=2)
    assert [row["text"] for row in rows] == ["quartz again of project1", "ls of project1"]
    assert rows[0]["session"] == "session-1"
    assert rows[0]["uuid"] == UUID.format(12)


def test_log_pages_backwards(talk: Connection) -> None:
    last = log_search.browse_log(talk, project_id=1, limit=2)
    before = log_search.browse_log(talk, project_id=1, limit=2, before_id=last[0]["id"])
    assert [row["text"].split()[0] for row in before] == ["quartz", "granite"]


@pytest.mark.parametrize(
    ("filters", "count"),
    [
        pytest.param({"project_id": 1}, 4, id="one project"),
        pytest.param({"project_id": None}, 8, id="all projects"),
        pytest.param({"project_id": 1, "roles": ["user"]}, 2, id="role"),
        pytest.param({"project_id": 1, "since_ms": NOW + 2}, 2, id="since"),
        pytest.param({"project_id": 1, "until_ms": NOW + 1}, 1, id="until"),
        pytest.param({"project_id": None, "session": "session-2"}, 4, id="session"),
        pytest.param({"project_id": 1, "session": "session-2"}, 0, id="session of another project"),
        pytest.param({"project_id": 3}, 0, id="unknown project"),
        pytest.param({"project_id": None, "session": "%"}, 0, id="a wildcard is text"),
    ],
)
def test_log_filters(talk: Connection, filters: dict[str, object], count: int) -> None:
    assert len(log_search.browse_log(talk, **filters)) == count  # type: ignore[arg-type]


def test_search_finds_the_project_only(talk: Connection) -> None:
    found = log_search.search_log(talk, ["quartz"], project_id=1)
    assert {row["text"] for row in found} == {"quartz please of project1", "quartz again of project1"}
    assert log_search.search_log(talk, ["quartz"], project_id=3) == []
    assert log_search.search_log(talk, [], project_id=1) == []


def test_failed_commands_are_found_by_the_start_of_a_word(talk: Connection) -> None:
    found = log_search.search_events(talk, ["proj"], project_id=2)
    assert [(row["command"], row["error"]) for row in found] == [("make project2", "no rule")]
    assert log_search.search_events(talk, ["roject"], project_id=2) == []
    assert [row["outcome"] for row in log_search.browse_events(talk, project_id=1)] == ["failed"]


def test_export_gives_every_line_once(talk: Connection) -> None:
    rows = list(log_search.export_log(talk, project_id=None))
    assert len({row["uuid"] for row in rows}) == len(rows) == 8


def test_line_is_found_by_its_uuid(talk: Connection) -> None:
    line = log_search.find_line(talk, UUID.format(11))
    assert line is not None
    assert line["role"] == "assistant"
    assert log_search.find_line(talk, UUID.format(99)) is None
