"""Compressed texts of the log: every text comes back, long ones take less room, SQL reads both forms."""

from __future__ import annotations

from sqlite3 import Connection

from hypothesis import given
from hypothesis import strategies as st

from engram_hooks.store import log, sessions
from engram_hooks.store.packing import MIN_PACKED_CHARS, pack_text, unpack_text

PROSE = "The parser splits orders at the gateway, and the queue retries what the bank refused. " * 6


@given(st.text(max_size=500))
def test_every_text_comes_back(text: str) -> None:
    assert unpack_text(pack_text(text)) == text


def test_prose_takes_less_room() -> None:
    packed = pack_text(PROSE)
    assert isinstance(packed, bytes)
    assert len(packed) < len(PROSE) / 2


def test_short_text_is_stored_as_it_is() -> None:
    text = "x" * (MIN_PACKED_CHARS - 1)
    assert pack_text(text) is text


@given(st.text(max_size=300))
def test_stored_form_is_never_longer(text: str) -> None:
    stored = pack_text(text)
    size = len(stored) if isinstance(stored, bytes) else len(stored.encode())
    assert size <= len(text.encode())


def test_sql_reads_both_forms(store: Connection) -> None:
    session = sessions.add_session(
        store, "s", project_id=1, root="", branch="", transcript_path="", now_ms=1
    )[0]
    log.append_rows(store, session, [("u1", "user", "", PROSE, 1), ("u2", "user", "", "short", 2)])
    found = store.execute("SELECT plain(text), typeof(text) FROM log ORDER BY id").fetchall()
    assert found == [(PROSE, "blob"), ("short", "text")]
