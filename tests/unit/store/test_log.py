"""The conversation log: each line once, redacted, searchable, never brought back."""

from __future__ import annotations

from sqlite3 import Connection

import pytest

from engram_hooks.store import log, sessions, tombstones

UUID = "3f2b9f0a-1c1d-4e5f-8a9b-0c1d2e3f4a5b"


@pytest.fixture
def session(store: Connection) -> int:
    return sessions.add_session(
        store, "s1", project_id=1, root="/r", branch="main", transcript_path="/t.jsonl", now_ms=1
    )[0]


@pytest.mark.parametrize(
    "uuid",
    [
        pytest.param(UUID, id="canonical"),
        pytest.param("not-a-uuid", id="other text"),
        pytest.param(UUID.upper(), id="capitals"),
        pytest.param("x" * 36, id="36 other characters"),
    ],
)
def test_uuid_comes_back_as_written(uuid: str) -> None:
    assert log.unpack_uuid(log.pack_uuid(uuid)) == uuid


def test_canonical_uuid_takes_sixteen_bytes() -> None:
    assert len(log.pack_uuid(UUID)) == 16


def test_row_is_stored_once_and_counted(store: Connection, session: int) -> None:
    rows = [(UUID, "user", "", "use pnpm here", 5), ("u2", "assistant", "", "done", 6)]
    assert log.append_rows(store, session, rows) == 2
    assert log.append_rows(store, session, rows) == 0
    assert log.last_rows(store, session, limit=9) == [("user", "use pnpm here", 5), ("assistant", "done", 6)]
    assert store.execute("SELECT logged_count FROM sessions").fetchone() == (2,)


def test_row_is_found_by_its_words(store: Connection, session: int) -> None:
    log.append_rows(store, session, [("u1", "user", "", "rename orderParser", 5)])
    found = store.execute("SELECT rowid FROM log_fts WHERE log_fts MATCH '\"parser\"'").fetchall()
    assert len(found) == 1


def test_secret_does_not_reach_the_table(store: Connection, session: int) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 4
    log.append_rows(store, session, [("u1", "user", "", f"the token is {secret} ok", 5)])
    text = store.execute("SELECT text FROM log").fetchone()[0]
    assert secret not in text
    assert text.startswith("the token is ")
    assert text.endswith(" ok")


def test_forgotten_line_stays_away(store: Connection, session: int) -> None:
    tombstones.bury_uuid(store, UUID, now_ms=1)
    assert (
        log.append_rows(store, session, [(UUID, "user", "", "gone", 5), ("u2", "user", "", "here", 6)]) == 1
    )
    assert [row[1] for row in log.last_rows(store, session, limit=9)] == ["here"]


def test_subagent_rows_are_not_the_main_conversation(store: Connection, session: int) -> None:
    log.append_rows(store, session, [("u1", "user", "", "main", 5), ("u2", "user", "a1", "sub", 6)])
    assert [row[1] for row in log.last_rows(store, session, limit=9)] == ["main"]


def test_rows_after_come_with_context_before_them(store: Connection, session: int) -> None:
    log.append_rows(store, session, [(f"u{at}", "user", "", f"t{at}", at) for at in range(8)])
    ids = [row[0] for row in log.rows_after(store, session, 0, context=2)]
    assert len(ids) == 8
    assert [row[4] for row in log.rows_after(store, session, ids[5], context=2)] == [4, 5, 6, 7]


def test_mined_mark_is_kept(store: Connection, session: int) -> None:
    assert log.mined_until(store, session) == 0
    log.set_mined(store, session, 7)
    assert log.mined_until(store, session) == 7
