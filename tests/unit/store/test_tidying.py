"""The store's file is kept tidy a little at a time."""

from __future__ import annotations

import os
import time
from sqlite3 import Connection

import pytest

from engram_hooks.paths import store_path
from engram_hooks.store import erase, lock_time, log, sessions, tidying
from engram_hooks.store.transactions import Transaction
from tests.conftest import NOW_MS


def fill(db: Connection, *, rows: int) -> None:
    """Log much, then delete it."""
    session = sessions.add_session(
        db, "s", project_id=1, root="", branch="", transcript_path="", now_ms=NOW_MS
    )
    lines = [(f"u{n}", "user", "", os.urandom(400).hex(), NOW_MS) for n in range(rows)]
    with Transaction(db):
        log.append_rows(db, session[0], lines)
        db.execute("DELETE FROM log")


def test_deleted_rows_give_their_room_back(store: Connection, data: str) -> None:
    fill(store, rows=2_000)
    tidying.checkpoint(store)
    size, free = os.path.getsize(store_path(data)), tidying.count_free_pages(store)
    assert free > tidying.FREE_PAGES
    assert tidying.free_pages(store, max_steps=1_000, may_go_on=lambda: True) == free
    tidying.checkpoint(store)
    assert os.path.getsize(store_path(data)) < size


def test_room_is_left_for_later_where_time_is_up(store: Connection) -> None:
    fill(store, rows=2_000)
    free = tidying.count_free_pages(store)
    assert tidying.free_pages(store, max_steps=1, may_go_on=lambda: True) == tidying.FREE_PAGES
    assert tidying.free_pages(store, max_steps=10, may_go_on=lambda: False) == 0
    assert tidying.count_free_pages(store) == free - tidying.FREE_PAGES


def test_older_store_can_free_pages_once_it_was_rewritten(store: Connection) -> None:
    store.execute("PRAGMA auto_vacuum = NONE")
    store.execute("VACUUM")
    assert not tidying.can_free(store)
    erase.compact(store)
    assert tidying.can_free(store)


def test_full_text_is_merged_to_an_end(store: Connection) -> None:
    session = sessions.add_session(
        store, "s", project_id=1, root="", branch="", transcript_path="", now_ms=NOW_MS
    )
    for number in range(40):
        with Transaction(store):
            log.append_rows(
                store, session[0], [(f"u{number}", "user", "", f"words about case {number}", NOW_MS)]
            )
    assert tidying.merge_full_text(store, may_go_on=lambda: True) > 0
    assert tidying.merge_full_text(store, may_go_on=lambda: True) == 0
    found = store.execute("SELECT count(*) FROM log_fts WHERE log_fts MATCH 'words'").fetchone()
    assert found == (40,)


class TestLockTime:
    def test_hold_lasts_from_the_lock_to_the_commit(
        self, store: Connection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        moments = iter([0.0, 1.0, 3.0, 5.0, 5.5, 6.0, 7.0, 8.0])
        monkeypatch.setattr(time, "perf_counter", lambda: next(moments))
        watched = lock_time.watch_lock(store)
        watched.execute("BEGIN IMMEDIATE")
        watched.execute("INSERT INTO meta VALUES ('a', '1')")
        watched.execute("COMMIT")
        assert lock_time.take_longest_ms(watched)[0] == 4_500.0
        assert lock_time.take_longest_ms(watched) == (0.0, 0.0)

    def test_write_outside_a_transaction_is_one(self, store: Connection) -> None:
        watched = lock_time.watch_lock(store)
        watched.execute("INSERT INTO meta VALUES ('a', '1')")
        assert lock_time.take_longest_ms(watched)[0] > 0

    def test_reading_holds_nothing(self, store: Connection) -> None:
        watched = lock_time.watch_lock(store)
        assert watched.execute("SELECT count(*) FROM records").fetchone() == (0,)
        assert lock_time.take_longest_ms(watched) == (0.0, 0.0)

    def test_connection_that_is_not_watched_has_no_times(self, store: Connection) -> None:
        assert lock_time.take_longest_ms(store) == (0.0, 0.0)
