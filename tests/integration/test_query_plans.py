"""No query of a hook reads a table from end to end: the plan of each, on a store with rows."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks import Engram, entry
from engram_hooks.client.commands import EVENTS
from engram_hooks.client.sample_events import SampleSession, make_samples
from engram_hooks.store import connect, index_files
from tests.support.make_repo import Repo

# A scan of these is no matter of size: a value in the query itself, a virtual table that was given a word or a
# range (its index has a number or a letter), the settings of a full-text table, the few models of vectors.
_HARMLESS = re.compile(
    r"SCAN (CONSTANT ROW|\w+ VIRTUAL TABLE INDEX ([1-9]\d*:|\d+:\S)|main\.\w+_fts_config$|vector_models\b)"
)
_ASKED = "SELECT", "UPDATE", "DELETE", "INSERT", "WITH"


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements of all connections that are opened from now on, values filled in."""
    seen: list[str] = []
    connect_file = connect.connect_file

    def open_traced(path: str, mode: str, busy_ms: int = connect.READ_BUSY_MS) -> Connection:
        db = connect_file(path, mode, busy_ms)
        db.set_trace_callback(seen.append)
        return db

    monkeypatch.setattr(connect, "connect_file", open_traced)
    return seen


@pytest.fixture
def session(repo: Repo, data: str, tmp_path: Path) -> SampleSession:
    """A session in a repository that has notes, a candidate and a conversation behind it."""
    with Engram(cwd=repo.path) as memory:
        for number in range(60):
            memory.add(f"ERR_PAYMENT_{number:03d} came from a fresh key in shard {number}", kind="incident")
        memory.add("Never push to main directly", kind="constraint")
        memory.add("Notes of the branch", scope="branch")
        memory.import_records({"id": n, "kind": "turn", "text": f"line {n}"} for n in range(60))
    return SampleSession("plans", repo.path, tmp_path / "transcript.jsonl", int(time.time() * 1000))


def play(session: SampleSession, data: str) -> None:
    """Every event of a session through the rooms of the hooks, in this process."""
    session.say("user", "From now on use pnpm here, npm breaks the workspace links.")
    session.say("assistant", "Done.")
    environ = {"ENGRAM_HOME": data, "ENGRAM_WORKER": "1", "HOME": os.environ["HOME"]}
    for payload in [*make_samples(session), session.make_payload("SessionStart", source="resume")]:
        event = str(payload["hook_event_name"])
        if event == "UserPromptSubmit":
            payload["prompt"] = "The gateway test fails with ERR_PAYMENT_042 in shard 42, have a look."
        entry.serve(event, payload, data, environ)


def find_scans(db: Connection, statement: str) -> list[str]:
    """The steps of a statement's plan that read a whole table or index."""
    plan = [str(row[3]) for row in db.execute("EXPLAIN QUERY PLAN " + statement)]
    return [step for step in plan if step.startswith("SCAN") and not _HARMLESS.match(step)]


def test_no_hook_reads_a_table_from_end_to_end(
    session: SampleSession, data: str, statements: list[str], store: Connection
) -> None:
    play(session, data)
    own = dict.fromkeys(text for text in statements if text.lstrip().upper().startswith(_ASKED))
    assert len(own) >= 4  # the file, its guards, a symbol, partners0
    scans = {statement: found for statement in own if (found := find_scans(store, statement))}
    assert scans == {}


def test_no_hook_reads_a_table_of_an_index_from_end_to_end(
    repo: Repo, data: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def open_traced(path: str, *, version: int) -> Connection:
        db = connect.open_reader(path, version=version)
        db.set_trace_callback(asked.append)
        return db

    body = "def load(path):\n    return open(path).read()\n"
    repo.commit("feat: begin", {"app.py": body})
    repo.commit("fix: strip what is read", {"app.py": body.replace("read()", "read().strip()")})
    with Engram(cwd=repo.path) as memory:
        memory.index()
    monkeypatch.setattr("engram_hooks.store.index_files.open_reader", open_traced)
    line, path = "    return open(path).read().strip()", str(repo / "app.py")
    common = {
        "session_id": "plans",
        "cwd": str(repo.path),
        "tool_input": {"file_path": path, "content": body},
    }
    file = {"content": line, "startLine": 2, "totalLines": 2}
    read = {"hook_event_name": "PostToolUse", "tool_name": "Read", "tool_response": {"file": file}}
    environ = {"ENGRAM_HOME": data, "ENGRAM_WORKER": "1", "HOME": os.environ["HOME"]}
    for call in (read, {"hook_event_name": "PreToolUse", "tool_name": "Write"}):
        assert "strip what is read" in entry.serve("", {**common, **call}, data, environ)
    (found,) = Path(data, "index").glob("*.db")
    db = connect.open_reader(str(found), version=index_files.INDEX_VERSION)
    own = dict.fromkeys(text for text in asked if text.lstrip().upper().startswith(_ASKED))
    scans = {statement: steps for statement in own if (steps := find_scans(db, statement))}
    db.close()
    assert len(own) >= 4  # the file, its guards, a symbol, partners
    assert scans == {}


def test_hooks_that_are_looked_at_did_their_work(
    session: SampleSession, data: str, store: Connection
) -> None:
    play(session, data)
    assert store.execute(
        "SELECT count(*) FROM sessions WHERE client_id = ?", (session.session_id,)
    ).fetchone()[0]
    assert store.execute("SELECT count(*) FROM shown WHERE surface = 'minder'").fetchone()[0]
    assert store.execute("SELECT count(*) FROM log WHERE uuid NOT LIKE 'import%'").fetchone()[0] >= 2
    assert len(EVENTS) == 9


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT summary FROM records WHERE summary = 'x'",
        "SELECT count(*) FROM log",
        "UPDATE sessions SET is_running = 0",
        "SELECT rowid FROM records_fts",
        "SELECT term FROM records_terms WHERE doc > 3",
        "SELECT 1 FROM log WHERE session_id IN (SELECT id FROM sessions WHERE branch = 'x')",
    ],
)
def test_whole_table_is_noticed(store: Connection, statement: str) -> None:
    assert find_scans(store, statement)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT summary FROM records WHERE id = 5",
        "SELECT id FROM sessions WHERE client_id = 'x'",
        "SELECT rowid FROM records_fts WHERE records_fts MATCH 'x'",
        "SELECT term, doc FROM records_terms WHERE term IN ('x', 'y')",
        "SELECT coalesce(max(id), 0) FROM records",
    ],
)
def test_look_up_is_let_pass(store: Connection, statement: str) -> None:
    assert find_scans(store, statement) == []
