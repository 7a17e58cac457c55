"""Many processes on one store: nothing lost, nothing twice, nobody waits, whatever is killed."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks import Engram
from engram_hooks.sessions.transcript import read_chunk
from engram_hooks.spawn import is_worker_running
from engram_hooks.store.check import check_store
from engram_hooks.store.connect import open_store
from tests.support.make_repo import Repo
from tests.support.make_transcript import make_mixed
from tests.support.run_hook import hook_argv

READ_LIMIT_S = 0.3
KILLS = int(os.environ.get("ENGRAM_TEST_KILLS", "40"))


def start(data: str, event: str, payload: dict[str, object]) -> subprocess.Popen[bytes]:
    """Start a hook and hand it its payload."""
    process = subprocess.Popen(
        hook_argv(data, event), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(payload).encode())
    process.stdin.close()
    return process


def finish(process: subprocess.Popen[bytes]) -> tuple[int, bytes]:
    """(exit code, what it wrote to standard error)."""
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read()
    errors = process.stderr.read()
    process.stdout.close()
    process.stderr.close()
    return process.wait(timeout=60), errors


def settle(data: str, repo: Repo) -> None:
    """Wait for the worker, then do as a command does."""
    limit = time.monotonic() + 60
    while is_worker_running(data) and time.monotonic() < limit:
        time.sleep(0.05)
    with Engram(home=data, cwd=repo.path) as memory:
        memory.finish_jobs()


def stop_payload(repo: Repo, session: str, transcript: Path) -> dict[str, object]:
    """What the client sends at the end of a turn."""
    common = {"session_id": session, "transcript_path": str(transcript), "cwd": str(repo.path)}
    return {**common, "hook_event_name": "Stop", "stop_hook_active": False}


def logged(store: Connection) -> list[bytes]:
    """The uuids of all log rows."""
    return [row[0] for row in store.execute("SELECT uuid FROM log ORDER BY id")]


def test_many_stops_on_one_transcript_log_each_line_once(
    store: Connection, data: str, repo: Repo, tmp_path: Path
) -> None:
    transcript = tmp_path / "session.jsonl"
    transcript.write_bytes(make_mixed(1 << 20))
    expected = len(read_chunk(str(transcript), max_bytes=1 << 30)[0])
    processes = [start(data, "stop", stop_payload(repo, "s1", transcript)) for _ in range(32)]
    assert [finish(process) for process in processes] == [(0, b"")] * 32
    settle(data, repo)
    found = logged(store)
    assert len(found) == expected
    assert len(set(found)) == expected
    cursor = store.execute("SELECT cursor_bytes FROM transcripts").fetchone()[0]
    assert cursor == transcript.stat().st_size


def test_readers_do_not_wait_for_sessions_that_write(
    store: Connection, data: str, repo: Repo, tmp_path: Path
) -> None:
    processes = []
    expected = 0
    for at in range(8):
        transcript = tmp_path / f"s{at}.jsonl"
        lines = make_mixed(60_000, seed=at + 1)
        transcript.write_bytes(lines.replace(b'"00000000-0000', b'"0000000%d-0000' % at))
        expected += len(read_chunk(str(transcript), max_bytes=1 << 30)[0])
        processes += [start(data, "stop", stop_payload(repo, f"s{at}", transcript)) for _ in range(3)]
    waits = []
    while any(process.poll() is None for process in processes):
        begun = time.monotonic()
        reader = open_store(f"{data}/engram.db")
        reader.execute("SELECT count(*) FROM log").fetchone()
        reader.close()
        waits.append(time.monotonic() - begun)
        time.sleep(0.005)
    assert [finish(process) for process in processes] == [(0, b"")] * len(processes)
    settle(data, repo)
    assert len(set(logged(store))) == len(logged(store)) == expected
    waits.sort()
    assert waits[len(waits) // 2] < READ_LIMIT_S


@pytest.mark.slow
def test_kills_at_random_moments_lose_nothing_that_was_done(data: str, repo: Repo, tmp_path: Path) -> None:
    source = random.Random(5)
    done_notes: list[str] = []
    done_prompts: list[str] = []
    environ = {**os.environ, "ENGRAM_HOME": data}
    with Engram(home=data, cwd=repo.path):
        pass
    for at in range(KILLS):
        text = f"note number {at} about subject{at}"
        if at % 2:
            argv = [sys.executable, "-m", "engram_hooks", "add", "-s", text]
            process = subprocess.Popen(
                argv, cwd=repo.path, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            longest = 0.8
        else:
            payload: dict[str, object] = {"session_id": f"s{at % 7}", "cwd": str(repo.path), "prompt": text}
            payload |= {"hook_event_name": "UserPromptSubmit", "prompt_id": f"p{at}"}
            process = start(data, "user-prompt-submit", payload)
            longest = 0.12
        time.sleep(source.uniform(0, longest))
        if source.random() < 0.75:
            process.send_signal(signal.SIGKILL)
        if process.stdout is not None:
            finish(process)
        if process.wait(timeout=60) == 0:
            (done_notes if at % 2 else done_prompts).append(text)
    settle(data, repo)
    with Engram(home=data, cwd=repo.path) as memory:
        assert check_store(memory.db) == []
        notes = {row[0] for row in memory.db.execute("SELECT summary FROM records")}
        prompts = {row[0] for row in memory.db.execute("SELECT text FROM prompts")}
    assert set(done_notes) <= notes
    assert set(done_prompts) <= prompts
    assert done_prompts
    assert done_notes
