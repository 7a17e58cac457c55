"""The ready line: written whole or not at all, and never in the way of what a hook has to say."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks.sessions import ready
from engram_hooks.store import sessions

NOW_MS = 1_780_000_000_000


def write(store: Connection, data: str) -> None:
    session = sessions.add_session(
        store, "s1", project_id=1, root="", branch="", transcript_path="", now_ms=NOW_MS
    )
    ready.write_ready(store, data, "s1", session=session[:2], is_settled=True)


def test_line_says_how_a_session_stands(store: Connection, data: str) -> None:
    write(store, data)
    assert Path(data, "ready", "s1").read_text() == "1|idle|0|0|0|0|\n"


@pytest.mark.parametrize("refused", ["write", "replace"])
def test_full_disk_leaves_the_old_line_and_nothing_beside_it(
    store: Connection, data: str, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    write(store, data)
    path = Path(data, "ready", "s1")
    path.write_text("1|running|0|0|0|0|\n")

    def refuse(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, refused, refuse)
    write(store, data)
    monkeypatch.undo()
    assert path.read_text() == "1|running|0|0|0|0|\n"
    assert os.listdir(path.parent) == ["s1"]


@pytest.mark.parametrize("name", ["", "../s1", "a/b", "x" * 101, "s 1"])
def test_id_that_is_no_file_name_writes_nothing(store: Connection, data: str, name: str) -> None:
    ready.write_ready(store, data, name, session=(1, 1), is_settled=True)
    assert not Path(data, "ready").exists()
