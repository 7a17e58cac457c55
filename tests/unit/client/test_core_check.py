"""Doctor looks at the files of core memory."""

from __future__ import annotations

from pathlib import Path
from sqlite3 import Connection

from engram_hooks.client.core_check import check_core
from engram_hooks.sessions.core_mirror import conflict_of, file_of, write_file
from engram_hooks.store.core import write_block
from tests.conftest import NOW_MS


def slugs(data: str) -> list[str]:
    """What is found, by slug."""
    return [item.slug for item in check_core(Path(data), {})]


def test_files_that_say_what_is_told_are_fine(store: Connection, data: str) -> None:
    assert slugs(data) == []
    write_block(store, "user", ["My name is Ana"], actor="person", action="add", now_ms=NOW_MS)
    write_file(store, data, "user", 1_200)
    assert slugs(data) == []
    Path(file_of(data, "user")).write_text("My name is Eva")
    assert slugs(data) == [], "the next command takes it over"


def test_file_that_cannot_be_taken_over_is_found(store: Connection, data: str) -> None:
    path = Path(file_of(data, "agent"))
    path.parent.mkdir()
    path.write_text("x" * 1_801)
    (found,) = check_core(Path(data), {})
    assert (found.slug, found.hint) == ("core-refused", "engram core show agent")
    assert "1,801 characters where 1,800 fit" in found.text


def test_conflict_is_found(store: Connection, data: str) -> None:
    path = Path(conflict_of(data, "user"))
    path.parent.mkdir()
    path.write_text("lost")
    assert slugs(data) == ["core-conflict"]


def test_missing_store_is_for_others_to_say(data: str) -> None:
    assert slugs(data) == []
