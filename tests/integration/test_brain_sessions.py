"""The brain's own session: no hook of ours does anything in it, and nothing of it is ever learnt from."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks import spawn
from engram_hooks.client.commands import EVENTS, hook_commands
from engram_hooks.client.launcher import write_launcher
from engram_hooks.client.sample_events import SampleSession, make_samples
from engram_hooks.curate.brain.asking import prepare_start
from engram_hooks.paths import BRAIN_MARKER, is_brain_folder
from engram_hooks.sessions.tail import tail_session
from engram_hooks.store import sessions
from tests.conftest import NOW_MS
from tests.support.run_hook import run_hook

SAID = "From now on use pnpm here, npm breaks the workspace links."


@pytest.fixture
def folder(data: str, store: Connection) -> Path:
    """The folder that the brain runs in."""
    return Path(prepare_start("sh", data, os.environ)[1])


def make_payloads(directory: Path, transcript: Path) -> dict[str, dict[str, object]]:
    """The payload of each event in a session in a directory, by the client's name of the event."""
    session = SampleSession("own", directory, transcript, NOW_MS)
    session.say("user", SAID)
    session.say("assistant", "Done.")
    return {str(payload["hook_event_name"]): payload for payload in make_samples(session)}


def read_all(data: str) -> dict[str, bytes]:
    """Every file of a data folder that hooks could have touched."""
    files = [
        path for path in Path(data).rglob("*") if path.is_file() and not path.name.endswith(("-shm", "-wal"))
    ]
    return {str(path): path.read_bytes() for path in files}


@pytest.mark.parametrize("name", [event for event, _, _, _ in EVENTS])
def test_hook_with_the_mark_does_nothing(name: str, data: str, store: Connection, tmp_path: Path) -> None:
    project = tmp_path / "shop"
    (project / ".claude").mkdir(parents=True)
    payload = make_payloads(project, tmp_path / "transcript.jsonl")[name]
    before = read_all(data)
    done = run_hook(data, "any", payload, env={"ENGRAM_BRAIN": "1", "ENGRAM_HOME": data})
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert read_all(data) == before
    assert store.execute("SELECT count(*) FROM sessions").fetchone() == (0,)


@pytest.mark.parametrize("name", [event for event, _, _, _ in EVENTS])
def test_hook_in_the_folder_of_the_brain_does_nothing_without_the_mark(
    name: str, data: str, store: Connection, folder: Path, tmp_path: Path
) -> None:
    payload = make_payloads(folder, tmp_path / "transcript.jsonl")[name]
    before = read_all(data)
    done = run_hook(data, "any", payload, env={"ENGRAM_HOME": data, "CLAUDE_PROJECT_DIR": str(folder)})
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert read_all(data) == before
    assert store.execute("SELECT count(*) FROM sessions").fetchone() == (0,)


def test_hook_in_a_project_of_that_name_works(data: str, store: Connection, tmp_path: Path) -> None:
    project = tmp_path / "brain"
    (project / ".claude").mkdir(parents=True)
    payload = make_payloads(project, tmp_path / "transcript.jsonl")["SessionStart"]
    run_hook(data, "session-start", payload, env={"ENGRAM_HOME": data})
    assert store.execute("SELECT count(*) FROM sessions").fetchone() == (1,)


@pytest.mark.skipif(os.name == "nt", reason="not on Windows: a shell script")
def test_launcher_does_not_even_start_an_interpreter(tmp_path: Path) -> None:
    data = tmp_path / "data"
    trace = tmp_path / "started"
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\necho started >> '{trace}'\n", encoding="utf-8")
    python.chmod(0o755)
    write_launcher(data, python=str(python), windows=False)
    command = ["sh", "-c", hook_commands(data, windows=False)["Stop"]]
    for environ, runs in (({"ENGRAM_BRAIN": "1"}, False), ({}, True)):
        done = subprocess.run(command, input=b"{}", env={"PATH": os.environ["PATH"], **environ}, check=False)
        assert done.returncode == 0
        assert trace.exists() == runs


def test_worker_is_not_started_by_the_brain(data: str) -> None:
    assert spawn.start_worker(data, {"ENGRAM_BRAIN": "1"}) == 0


def test_transcript_of_the_brain_is_not_logged(
    data: str, store: Connection, folder: Path, tmp_path: Path
) -> None:
    transcript = tmp_path / "transcript.jsonl"
    places = [str(folder), str(tmp_path), f"{folder}/", str(tmp_path / "brain")]
    lines = [
        {
            "type": "user",
            "uuid": f"00000000-0000-4000-8000-00000000000{number}",
            "cwd": place,
            "message": {"role": "user", "content": f"said in {number}"},
        }
        for number, place in enumerate(places)
    ]
    transcript.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    session = sessions.add_session(
        store, "s", project_id=1, root="", branch="", transcript_path=str(transcript), now_ms=NOW_MS
    )
    tail_session(store, session[0], max_bytes=1 << 20, max_ms=10_000, now_ms=NOW_MS)
    logged = [row[0] for row in store.execute("SELECT plain(text) FROM log ORDER BY id")]
    assert logged == ["said in 1", "said in 3"]


def test_folder_of_the_brain_is_known_by_its_marker(tmp_path: Path) -> None:
    folder = tmp_path / "brain"
    folder.mkdir()
    assert not is_brain_folder(str(folder))
    (folder / BRAIN_MARKER).touch()
    assert is_brain_folder(str(folder))
    assert is_brain_folder(f"{folder}{os.sep}")
    (tmp_path / BRAIN_MARKER).touch()
    assert not is_brain_folder(str(tmp_path))
    assert not is_brain_folder("")
