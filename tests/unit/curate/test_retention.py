"""The worker prunes the log once a day, where the user wants that."""

from __future__ import annotations

from sqlite3 import Connection

import pytest

from engram_hooks.curate.retention import DAY_MS, prune_when_due
from engram_hooks.store import log, sessions

NOW_MS = 1_780_000_000_000


@pytest.fixture
def aged(store: Connection) -> Connection:
    """A store with a line of today and one that is forty days old."""
    session = sessions.add_session(
        store, "one", project_id=0, root="", branch="", transcript_path="", now_ms=NOW_MS
    )
    rows = [("a", "user", "", "old", NOW_MS - 40 * DAY_MS), ("b", "user", "", "new", NOW_MS)]
    log.append_rows(store, session[0], rows)
    return store


def test_lines_beyond_the_retention_go_once_a_day(aged: Connection) -> None:
    environ = {"ENGRAM_LOG_RETENTION_DAYS": "30"}
    done = prune_when_due(aged, environ, now_ms=NOW_MS)
    assert done is not None
    assert done["log"] == 1
    assert prune_when_due(aged, environ, now_ms=NOW_MS + DAY_MS - 1) is None
    again = prune_when_due(aged, environ, now_ms=NOW_MS + DAY_MS)
    assert again is not None
    assert set(again.values()) == {0}


@pytest.mark.parametrize("environ", [{}, {"ENGRAM_LOG_RETENTION_DAYS": "0"}])
def test_log_is_kept_for_good_unless_told(aged: Connection, environ: dict[str, str]) -> None:
    assert prune_when_due(aged, environ, now_ms=NOW_MS) is None
