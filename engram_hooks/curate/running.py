"""A command that somebody ran in a terminal, kept as if the agent had run it: what it checked, and what was changed."""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Mapping
from contextlib import suppress
from sqlite3 import Connection

from engram_hooks import paths
from engram_hooks.curate.attempts import learn
from engram_hooks.errors import EngramError
from engram_hooks.history.worktree import read_changes
from engram_hooks.jsontext import dumps
from engram_hooks.sessions import events, trials
from engram_hooks.sessions.edits import difference
from engram_hooks.store import sessions
from engram_hooks.store.create import ensure_store
from engram_hooks.store.transactions import Transaction
from engram_hooks.store.trials import list_edits

EXIT_PREFIX = "Exit code "


def record_run(
    command: str, output: str, code: int, *, cwd: str, environ: Mapping[str, str], note: str = ""
) -> bool:
    """Keep how a command ended, with the lines in which the checkout differs from its head.

    Returns whether it was a check that came to judge; other commands are kept as commands alone. Raises a
    `StoreError` where the store cannot be used.
    """
    now_ms = time.time_ns() // 1_000_000
    name = "post-tool-use" if code == 0 else "post-tool-use-failure"
    payload: dict[str, object] = {
        "session_id": _name_session(cwd, environ),
        "cwd": cwd,
        "tool_name": "Bash",
        "tool_use_id": f"exec-{now_ms}-{os.getpid()}",
        "tool_input": {"command": command},
    }
    if code:
        payload["error"] = f"{EXIT_PREFIX}{code}\n{output}"
        payload["is_interrupt"] = code < 0
    else:
        payload["tool_response"] = {"stdout": output, "stderr": ""}
    event = events.reduce(name, payload, {**environ, "CLAUDE_PROJECT_DIR": ""}, now_ms=now_ms)
    data = paths.data_dir(environ)
    db = ensure_store(data, now_ms=now_ms)
    try:
        with Transaction(db):
            session = events.apply(db, {**event, "verdicts": "[]"}, environ)
            if note and session is not None:
                sessions.add_prompt(db, session[0], note, prompt_id=str(now_ms), now_ms=now_ms)
        if session is None or "verdicts" not in event:
            return False
        changes = _news(db, session[1], session[2], environ=environ, now_ms=now_ms)
        with Transaction(db):
            events.apply(db, {**event, "changes": dumps(changes)} if changes else event, environ)
        learn(db, session[1], now_ms=now_ms)
        return True
    finally:
        db.close()


def _news(
    db: Connection, project_id: int, root: str, *, environ: Mapping[str, str], now_ms: int
) -> list[trials.Change]:
    """The lines in which the checkout differs from its head, without those of edits that are known."""
    known: dict[str, tuple[list[str], list[str]]] = {}
    for _, _, _, path, removed, added, _ in list_edits(db, project_id, root, now_ms=now_ms):
        sides = known.setdefault(path, ([], []))
        sides[0].extend(removed)
        sides[1].extend(added)
    news: list[trials.Change] = []
    with suppress(EngramError):
        for path, (removed, added) in read_changes(root, environ=environ).items():
            old, new = known.get(path, ([], []))
            gone, _ = difference("\n".join(removed), "\n".join(old))
            come, _ = difference("\n".join(added), "\n".join(new))
            if gone or come:
                news.append(trials.redact_change((path, gone, come)))
    return news


def _name_session(cwd: str, environ: Mapping[str, str]) -> str:
    """One session for each terminal and checkout: people change directories, a session stays where it began."""
    terminal = os.getsid(0) if hasattr(os, "getsid") else os.getppid()
    _, root, _ = paths.find_place(cwd, paths.home_dir(environ))
    return f"terminal-{terminal}-{zlib.crc32(os.fsencode(root)):08x}"
