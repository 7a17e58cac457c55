"""The spool: nothing lost while no store can take an event, nothing twice when it is drained."""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks.errors import StoreBusy
from engram_hooks.sessions import events, spool
from engram_hooks.store.connect import open_store
from engram_hooks.store.create import ensure_store
from tests.support.make_repo import Repo


def event(repo: Repo, prompt: str, at: int = 1) -> dict[str, str]:
    payload: dict[str, object] = {
        "session_id": "s1",
        "cwd": str(repo.path),
        "prompt": prompt,
        "prompt_id": prompt,
    }
    return events.reduce("user-prompt-submit", payload, {}, now_ms=at)


def prompts(store: Connection) -> list[str]:
    return [row[0] for row in store.execute("SELECT text FROM prompts ORDER BY id")]


def test_events_are_applied_in_their_order_and_removed(store: Connection, data: str, repo: Repo) -> None:
    for at, text in enumerate(("first", "second", "third")):
        assert spool.write_event(data, event(repo, text, at))
    assert spool.backlog(data) == 3
    assert spool.drain(store, data, {}) == 3
    assert prompts(store) == ["first", "second", "third"]
    assert spool.backlog(data) == 0
    assert spool.drain(store, data, {}) == 0


def test_files_are_private(data: str, repo: Repo) -> None:
    old = os.umask(0)
    try:
        spool.write_event(data, event(repo, "x"))
    finally:
        os.umask(old)
    folder = Path(data, spool.FOLDER)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()] == [0o600]


def test_full_spool_refuses(data: str, repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "MAX_FILES", 2)
    assert spool.write_event(data, event(repo, "a"))
    assert spool.write_event(data, event(repo, "b"))
    assert not spool.write_event(data, event(repo, "c"))


def test_locked_store_leaves_the_events_where_they_are(store: Connection, data: str, repo: Repo) -> None:
    spool.write_event(data, event(repo, "kept"))
    other = open_store(f"{data}/engram.db", busy_ms=10)
    store.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy):
        spool.drain(other, data, {})
    store.execute("ROLLBACK")
    assert spool.drain(other, data, {}) == 1
    assert prompts(other) == ["kept"]
    other.close()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"name": "stop"}', "\x00\xff"])
def test_broken_file_is_dropped_and_the_rest_applied(
    store: Connection, data: str, repo: Repo, text: str
) -> None:
    spool.write_event(data, event(repo, "good", at=5))
    Path(data, spool.FOLDER, "000000000000001-0-0.json").write_text(text)
    assert spool.drain(store, data, {}) == 1
    assert prompts(store) == ["good"]
    assert spool.backlog(data) == 0


def test_claim_of_a_dead_drain_is_taken_over(
    store: Connection, data: str, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    spool.write_event(data, event(repo, "orphan"))
    path = next(Path(data, spool.FOLDER).iterdir())
    path.rename(f"{path}.99999")
    assert spool.drain(store, data, {}) == 0
    monkeypatch.setattr(spool, "STALE_CLAIM_S", -1)
    assert spool.drain(store, data, {}) == 1
    assert prompts(store) == ["orphan"]


def test_part_file_of_a_writer_at_work_is_left_alone(store: Connection, data: str, repo: Repo) -> None:
    spool.write_event(data, event(repo, "x"))
    part = Path(data, spool.FOLDER, "000000000000001-0-0.part")
    part.write_text("{")
    assert spool.drain(store, data, {}) == 1
    assert part.exists()


def test_part_file_of_a_dead_writer_is_removed(
    store: Connection, data: str, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    spool.write_event(data, event(repo, "x"))
    part = Path(data, spool.FOLDER, "000000000000001-0-0.part")
    part.write_text("{")
    assert spool.backlog(data) == 1
    monkeypatch.setattr(spool, "STALE_PART_S", -1)
    assert spool.drain(store, data, {}) == 1
    assert not part.exists()


@pytest.mark.parametrize("taken", [0, 1, 40])
def test_full_disk_leaves_no_half_of_an_event(
    store: Connection, data: str, repo: Repo, monkeypatch: pytest.MonkeyPatch, taken: int
) -> None:
    """The system takes some bytes, then none: the caller is told, and nothing is drained later."""
    real = os.write
    rooms = [taken]

    def write(fd: int, part: bytes) -> int:
        if not rooms or not rooms[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(fd, part[: rooms.pop()])

    monkeypatch.setattr(os, "write", write)
    with pytest.raises(OSError, match="No space"):
        spool.write_event(data, event(repo, "x"))
    monkeypatch.undo()
    assert os.listdir(Path(data, spool.FOLDER)) == []
    assert spool.drain(store, data, {}) == 0


def test_event_that_is_taken_in_small_pieces_is_whole(
    store: Connection, data: str, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, part: real(fd, part[:7]))
    spool.write_event(data, event(repo, "in pieces"))
    monkeypatch.undo()
    assert spool.drain(store, data, {}) == 1
    assert prompts(store) == ["in pieces"]


@pytest.mark.parametrize("change", [{"at": "soon"}, {"rows": "{"}, {"rows": "[[1]]"}])
def test_event_that_cannot_be_applied_does_not_stand_in_the_way(
    store: Connection, data: str, repo: Repo, change: dict[str, str]
) -> None:
    spool.write_event(data, {**event(repo, "bad"), "at": "1"})
    path = next(Path(data, spool.FOLDER).iterdir())
    path.write_text(json.dumps({**event(repo, "bad"), **change}))
    spool.write_event(data, event(repo, "good", at=5))
    assert spool.drain(store, data, {}) == 1
    assert prompts(store) == ["good"]
    assert spool.backlog(data) == 0
    assert [left.suffix for left in Path(data, spool.FOLDER).iterdir()] == [".failed"]


def test_folder_with_the_ending_of_an_event_in_its_name_is_drained(tmp_path: Path, repo: Repo) -> None:
    data = str(tmp_path / "notes.json.d")
    db = ensure_store(data, now_ms=1)
    spool.write_event(data, event(repo, "odd place"))
    assert spool.drain(db, data, {}) == 1
    assert prompts(db) == ["odd place"]
    db.close()


def test_project_of_the_event_wins_over_that_of_the_drain(store: Connection, data: str, repo: Repo) -> None:
    payload: dict[str, object] = {"session_id": "s1", "cwd": str(repo.path)}
    spool.write_event(data, events.reduce("stop", payload, {"ENGRAM_PROJECT": "alpha"}, now_ms=1))
    spool.drain(store, data, {"ENGRAM_PROJECT": "beta"})
    names = store.execute("SELECT p.name FROM sessions s JOIN projects p ON p.id = s.project_id").fetchall()
    assert names == [("alpha",)]


def test_new_store_takes_what_waited_for_it(data: str, repo: Repo) -> None:
    spool.write_event(data, event(repo, "early"))
    db = ensure_store(data, now_ms=1)
    assert spool.drain(db, data, {}) == 1
    assert prompts(db) == ["early"]
    db.close()


def test_conversation_before_there_is_a_store_survives_its_transcript(
    data: str, repo: Repo, tmp_path: Path
) -> None:
    transcript = tmp_path / "t.jsonl"
    line = '{"type": "user", "uuid": "u%d", "message": {"role": "user", "content": "%s"}}\n'
    for at, text in enumerate(("first quietotter rule", "then amberyak")):
        transcript.write_text(line % (at, text))
        payload: dict[str, object] = {
            "session_id": "s1",
            "cwd": str(repo.path),
            "transcript_path": str(transcript),
        }
        event_now = events.reduce("stop", payload, {}, now_ms=at)
        spool.attach_rows(event_now)
        spool.write_event(data, event_now)
    transcript.unlink()
    db = ensure_store(data, now_ms=1)
    assert spool.drain(db, data, {}) == 2
    assert [row[0] for row in db.execute("SELECT plain(text) FROM log ORDER BY id")] == [
        "first quietotter rule",
        "then amberyak",
    ]
    db.close()


@pytest.mark.parametrize("name", ["user-prompt-submit", "post-tool-use", "session-start"])
def test_other_events_take_no_conversation_along(repo: Repo, tmp_path: Path, name: str) -> None:
    transcript = tmp_path / "t.jsonl"
    transcript.write_text('{"type": "user", "uuid": "u", "message": {"role": "user", "content": "x"}}\n')
    payload: dict[str, object] = {
        "session_id": "s1",
        "cwd": str(repo.path),
        "transcript_path": str(transcript),
    }
    reduced = events.reduce(name, payload, {}, now_ms=1)
    spool.attach_rows(reduced)
    assert "rows" not in reduced
