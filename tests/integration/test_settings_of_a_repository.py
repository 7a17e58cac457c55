"""A repository's settings reach the hooks: noticed when a session starts, compiled by the worker."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

from engram_hooks.paths import store_path
from engram_hooks.store.connect import open_store
from engram_hooks.store.create import ensure_store
from engram_hooks.store.settings import read
from engram_hooks.worker import work
from tests.conftest import NOW_MS
from tests.support.make_repo import Repo


def start_session(repo: Repo, name: str) -> subprocess.CompletedProcess[str]:
    """Send the event of a session's start to a hook process."""
    event = {"session_id": name, "transcript_path": "", "cwd": str(repo.path), "source": "startup"}
    event["hook_event_name"] = "SessionStart"
    return subprocess.run(
        [sys.executable, "-m", "engram_hooks", "hook", "session-start"],
        input=json.dumps(event),
        cwd=repo.path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )


def budget(data: str) -> object:
    """The size of the boot pack in the only project."""
    db = open_store(store_path(data))
    try:
        return read(db, 1, {})["boot.max_chars"]
    finally:
        db.close()


def do_the_work(data: str) -> None:
    """Do what the worker does; one that the hook has started may be at it too."""
    work(data, until=time.monotonic() + 30)


def test_file_that_no_command_has_seen_is_compiled_after_a_session_started(data: str, repo: Repo) -> None:
    ensure_store(data, now_ms=NOW_MS).close()
    start_session(repo, "one")
    do_the_work(data)
    assert budget(data) == 4000
    file = repo / ".engram" / "config.toml"
    file.parent.mkdir()
    file.write_text("[boot]\nmax_chars = 1234\n", encoding="utf-8")
    start_session(repo, "two")
    do_the_work(data)
    assert budget(data) == 1234
    Path(file).unlink()
    start_session(repo, "three")
    do_the_work(data)
    assert budget(data) == 4000
