"""Secrets of an older store are found, never printed, and taken out of rows, full text, files and index."""

from __future__ import annotations

import json
import os
from sqlite3 import Connection

import pytest

from engram_hooks.guard import redact
from engram_hooks.store import connect, log, records, sessions
from tests.support.command_runs import Run

SECRET = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
NOW = 1_780_000_000_000
LONG = "and some more words so that the row is kept in its packed form, " * 5


@pytest.fixture
def old(store: Connection, data: str) -> Connection:
    """A store that an engram without redaction has written."""
    patch = pytest.MonkeyPatch()
    for module in (records, redact):
        patch.setattr(module, "redact", lambda text: text)
    fields = {"kind": "fact", "project_id": 0, "summary": f"the token is {SECRET} here"}
    records.insert(store, fields, now_ms=NOW, actor="person")
    session = sessions.add_session(
        store, "s1", project_id=0, root="", branch="", transcript_path="", now_ms=NOW
    )
    log.append_rows(store, session[0], [("u1", "user", "", f"use {SECRET} {LONG}", NOW)])
    patch.undo()
    os.makedirs(os.path.join(data, "spool"), exist_ok=True)
    with open(os.path.join(data, "spool", "1.json.failed"), "w", encoding="utf-8") as file:
        file.write(json.dumps({"text": f"export TOKEN={SECRET}"}))
    return store


def everything(data: str) -> bytes:
    found = b""
    for folder, _, names in os.walk(data):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                found += file.read()
    return found


def test_secrets_are_counted_and_not_printed(run: Run, old: Connection, data: str) -> None:
    code, out, _ = run("scan-secrets")
    assert code == 1
    assert SECRET not in out
    assert [line.split()[0] for line in out.split("\n") if "text" in line] == [
        "audit",
        "log",
        "records",
        "spool/1.json.failed",
    ]
    rows = json.loads(run("scan-secrets", "--json")[1])
    assert {row["place"]: row["texts"] for row in rows}["log"] == 1
    assert SECRET.encode() in everything(data)


def test_fixing_leaves_no_trace(run: Run, old: Connection, data: str) -> None:
    old.close()
    code, out, _ = run("scan-secrets", "--fix")
    assert (code, SECRET in out) == (0, False)
    assert run("scan-secrets") == (0, "No secrets are kept.\n", "")
    assert SECRET.encode() not in everything(data)
    db = connect.open_store(os.path.join(data, "engram.db"), busy_ms=1000)
    assert db.execute("SELECT summary FROM records").fetchone() == ("the token is [redacted] here",)
    assert db.execute("SELECT plain(text) FROM log").fetchone() == (f"use [redacted] {LONG}",)
    words = db.execute("SELECT count(*) FROM records_terms WHERE term LIKE 'a1b2%'").fetchone()
    assert words == (0,)
    db.close()
    with open(os.path.join(data, "spool", "1.json.failed"), encoding="utf-8") as file:
        assert json.load(file) == {"text": "export TOKEN=[redacted]"}


def test_clean_store_holds_none(run: Run) -> None:
    run("add", "-s", "Postgres over Mongo")
    assert run("scan-secrets") == (0, "No secrets are kept.\n", "")
