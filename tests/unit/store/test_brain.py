"""The budget of the brain: booked before it is spent, and never twice."""

from __future__ import annotations

from sqlite3 import Connection

from engram_hooks.store import brain, log, sessions
from tests.conftest import NOW_MS

HOUR = brain.HOUR_MS


def book(
    store: Connection, *, now_ms: int = NOW_MS, tokens: int = 10, max_calls: int = 9, max_tokens: int = 99
) -> int:
    """Book a call; 0 where there was no room."""
    call_id = brain.begin_call(
        store, "extract", token_count=tokens, max_calls=max_calls, max_tokens=max_tokens, now_ms=now_ms
    )
    return call_id or 0


def end(store: Connection, call_id: int, outcome: str) -> None:
    brain.end_call(store, call_id, outcome, reason="", token_count=10, took_ms=50)


def test_call_under_way_counts(store: Connection) -> None:
    assert book(store, max_calls=1)
    assert not book(store, max_calls=1)
    assert not book(store, max_calls=1, now_ms=NOW_MS + HOUR - 1)
    assert book(store, max_calls=1, now_ms=NOW_MS + HOUR)


def test_tokens_are_booked_beforehand(store: Connection) -> None:
    assert book(store, tokens=60)
    assert not book(store, tokens=60)
    assert book(store, tokens=39)
    assert brain.spent(store, since_ms=NOW_MS - HOUR) == (2, 99)


def test_clock_set_back_grants_nothing(store: Connection) -> None:
    assert book(store, max_calls=1)
    assert not book(store, max_calls=1, now_ms=NOW_MS - 10 * HOUR)


def test_old_calls_are_dropped(store: Connection) -> None:
    book(store)
    book(store, now_ms=NOW_MS + 31 * 24 * HOUR)
    assert len(brain.last_calls(store, limit=9)) == 1


def test_only_ended_calls_send_it_to_rest(store: Connection) -> None:
    for outcome in ("failed", "timeout"):
        end(store, book(store), outcome)
    book(store)  # still running
    assert brain.rests_until(store, now_ms=NOW_MS) == 0
    end(store, book(store), "malformed")
    assert brain.rests_until(store, now_ms=NOW_MS + 50) == NOW_MS + 50 + HOUR
    assert brain.rests_until(store, now_ms=NOW_MS + 50 + HOUR) == 0


def test_rest_ends_even_where_the_clock_was_set_back(store: Connection) -> None:
    for _ in range(brain.REST_AFTER):
        end(store, book(store), "failed")
    assert brain.rests_until(store, now_ms=NOW_MS - 100 * HOUR) <= NOW_MS - 99 * HOUR


def start(store: Connection, name: str, *, last_at: int, is_ended: bool) -> int:
    """A session in which one thing was said; returns its id."""
    session = sessions.add_session(
        store, name, project_id=1, root="", branch="", transcript_path=f"/{name}", now_ms=last_at
    )
    log.append_rows(store, session[0], [(f"u-{name}", "user", "", "hello", last_at)])
    if is_ended:
        sessions.end_session(store, session[0], reason="other", now_ms=last_at)
    return session[0]


def test_sessions_that_are_over_are_listed_until_they_were_read(store: Connection) -> None:
    ended = start(store, "ended", last_at=NOW_MS - 1_000, is_ended=True)
    quiet = start(store, "quiet", last_at=NOW_MS - 2 * HOUR, is_ended=False)
    start(store, "open", last_at=NOW_MS - 1_000, is_ended=False)
    start(store, "old", last_at=NOW_MS - 48 * HOUR, is_ended=True)
    start(store, "import:1:talk", last_at=NOW_MS - 2 * HOUR, is_ended=True)

    def unread() -> list[int]:
        found = brain.list_unread(store, since_ms=NOW_MS - 24 * HOUR, quiet_before_ms=NOW_MS - HOUR, limit=9)
        return [row[0] for row in found]

    assert unread() == [ended, quiet]
    last = store.execute("SELECT max(id) FROM log WHERE session_id = ?", (ended,)).fetchone()[0]
    brain.set_read(store, ended, last)
    brain.set_read(store, ended, last - 1)  # never backwards
    assert brain.read_until(store, ended) == last
    assert unread() == [quiet]
    log.append_rows(store, ended, [("u-more", "user", "", "and one more thing", NOW_MS)])
    assert unread() == [ended, quiet]
