"""The first hook after an installation or an upgrade: there is no store yet, or an older one, and nothing is lost."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks import Engram
from engram_hooks.client.commands import EVENTS
from engram_hooks.client.sample_events import SampleSession, make_samples
from engram_hooks.errors import StoreOutdated
from engram_hooks.paths import store_path
from engram_hooks.sessions import spool
from engram_hooks.spawn import is_worker_running, lock_worker
from engram_hooks.store.connect import SCHEMA_VERSION, open_store
from engram_hooks.store.create import STEPS, ensure_store
from tests.support.make_repo import Repo
from tests.support.run_hook import run_hook

SAID = "From now on use pnpm here, npm breaks the workspace links."
STARTS = "none", "older"
WAIT_S = 30
TAILING = "Stop", "SessionEnd", "PreCompact"


@pytest.fixture
def samples(repo: Repo, tmp_path: Path) -> dict[str, dict[str, object]]:
    """The payload of each event in one session with a conversation, by the client's name of the event."""
    now_ms = int(time.time() * 1000)
    session = SampleSession("first", repo.path, tmp_path / "transcript.jsonl", now_ms)
    session.say("user", SAID)
    session.say("assistant", "Done.")
    return {str(payload["hook_event_name"]): payload for payload in make_samples(session)}


@pytest.fixture(params=STARTS)
def start(request: pytest.FixtureRequest, data: str, repo: Repo) -> str:
    """What stands in the data folder: nothing at all, or a store of the first version with a note."""
    if request.param == "older":
        ensure_store(data, now_ms=1, steps=STEPS[:1]).close()
    return str(request.param)


@pytest.fixture
def no_worker(data: str, start: str) -> Iterator[None]:
    """The worker's lock is held, so that hooks start none."""
    Path(data).mkdir(mode=0o700, exist_ok=True)
    lock = lock_worker(data)
    yield
    os.close(lock)


def read_events(db: Connection) -> set[str]:
    """What hooks have left in a store, in words."""
    found = {f"session {row[0]}" for row in db.execute("SELECT client_id FROM sessions")}
    found |= {f"prompt {row[0]}" for row in db.execute("SELECT text FROM prompts")}
    found |= {f"tool {row[0]} {row[1]}" for row in db.execute("SELECT tool, outcome FROM tool_events")}
    found |= {f"said {row[0]}" for row in db.execute("SELECT plain(text) FROM log WHERE role = 'user'")}
    found |= {"ended" for _ in db.execute("SELECT 1 FROM sessions WHERE ended_at IS NOT NULL")}
    return found


def expect(payload: dict[str, object]) -> set[str]:
    """What must be in the store after one event has come alone."""
    name = payload["hook_event_name"]
    found = {f"session {payload['session_id']}"}
    if name == "UserPromptSubmit":
        found.add(f"prompt {payload['prompt']}")
    outcome = {"PreToolUse": "started", "PostToolUse": "ok", "PostToolUseFailure": "failed"}.get(str(name))
    if outcome:
        found.add(f"tool {payload['tool_name']} {outcome}")
    if name in TAILING:
        found.add(f"said {SAID}")
    if name == "SessionEnd":
        found.add("ended")
    return found


def wait_for_worker(data: str) -> None:
    """Wait until the worker that a hook has started is done."""
    ends_at = time.monotonic() + WAIT_S
    while spool.backlog(data) or is_worker_running(data):
        assert time.monotonic() < ends_at, "the worker did not end"
        time.sleep(0.05)


def test_sample_of_every_event_is_there(samples: dict[str, dict[str, object]]) -> None:
    assert sorted(samples) == sorted(event for event, _, _, _ in EVENTS)


def test_start_is_what_it_is_called(start: str, data: str) -> None:
    if start == "none":
        assert not Path(data).exists()
        return
    with pytest.raises(StoreOutdated):
        open_store(store_path(data))


@pytest.mark.parametrize("event", [event for event, _, _, _ in EVENTS])
def test_event_waits_in_the_spool_and_the_worker_writes_it(
    start: str, data: str, samples: dict[str, dict[str, object]], event: str
) -> None:
    payload = samples[event]
    done = run_hook(data, event, payload)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    wait_for_worker(data)
    db = open_store(store_path(data))
    try:
        assert read_events(db) == expect(payload)
    finally:
        db.close()


@pytest.mark.parametrize("event", [event for event, _, _, _ in EVENTS])
def test_event_waits_in_the_spool_and_the_next_command_writes_it(
    start: str, data: str, repo: Repo, samples: dict[str, dict[str, object]], event: str, no_worker: None
) -> None:
    payload = samples[event]
    run_hook(data, event, payload)
    assert spool.backlog(data) == 1
    with Engram(cwd=repo.path) as memory:
        memory.finish_jobs()
        assert read_events(memory.db) == expect(payload)
        assert memory.db.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
    assert spool.backlog(data) == 0


def test_whole_session_before_there_is_a_store_keeps_its_order(
    start: str, data: str, repo: Repo, samples: dict[str, dict[str, object]], no_worker: None
) -> None:
    for event, payload in samples.items():
        run_hook(data, event, payload)
    Path(str(samples["Stop"]["transcript_path"])).unlink()  # the client may replace it before anybody looks
    with Engram(cwd=repo.path) as memory:
        (proposal,) = memory.review()
        assert "pnpm" in proposal.record.summary
        assert read_events(memory.db) >= expect(samples["Stop"]) | expect(samples["UserPromptSubmit"])
