"""Payloads reduced to what is kept, and applied: idempotent, pinned to one project, redacted."""

from __future__ import annotations

from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks.sessions import events
from engram_hooks.store import sessions
from tests.support.make_repo import Repo, make_repo

SECRET = "ghp_" + "a1B2c3D4e5" * 4
ENV: dict[str, str] = {}


def reduce(name: str, payload: dict[str, object], environ: dict[str, str] | None = None) -> dict[str, str]:
    return events.reduce(name, payload, environ or {}, now_ms=1_000)


def payload(repo: Repo, **more: object) -> dict[str, object]:
    return {"session_id": "s1", "cwd": str(repo.path), "transcript_path": "/none/t.jsonl", **more}


@pytest.mark.parametrize("name", list(events.NAMES.values()))
@pytest.mark.parametrize(
    "odd",
    [
        pytest.param({}, id="empty"),
        pytest.param(
            dict.fromkeys(("session_id", "cwd", "tool_input", "tool_response", "source", "prompt")),
            id="nulls",
        ),
        pytest.param(
            {"session_id": 5, "cwd": [], "tool_input": "x", "tool_response": 7, "prompt": {}}, id="types"
        ),
        pytest.param({"session_id": "s", "tool_input": {"command": None, "file_path": 3}}, id="inner types"),
        pytest.param({"session_id": "s\ud800", "cwd": "/x\ud800", "prompt": "\udc00"}, id="surrogates"),
    ],
)
def test_any_payload_is_reduced_to_texts_and_applied(
    store: Connection, name: str, odd: dict[str, object]
) -> None:
    event = reduce(name, odd)
    assert all(isinstance(value, str) for value in event.values())
    "".join(event.values()).encode()
    events.apply(store, event, ENV)


def test_payload_without_session_writes_nothing(store: Connection) -> None:
    assert events.apply(store, reduce("stop", {"cwd": "/"}), ENV) is None
    assert store.execute("SELECT count(*) FROM sessions").fetchone() == (0,)


def test_project_directory_of_the_client_wins_over_cwd(repo: Repo, tmp_path: Path) -> None:
    event = reduce("stop", payload(repo), {"CLAUDE_PROJECT_DIR": str(tmp_path)})
    assert event["directory"] == str(tmp_path)


def test_session_stays_with_the_project_it_started_in(store: Connection, repo: Repo, tmp_path: Path) -> None:
    other = make_repo(tmp_path / "other")
    first = events.apply(store, reduce("session-start", payload(repo)), ENV)
    later = events.apply(store, reduce("stop", payload(other)), ENV)
    assert first is not None
    assert later is not None
    assert first[1] == later[1]


def test_new_start_before_anything_was_said_pins_the_session_anew(
    store: Connection, repo: Repo, tmp_path: Path
) -> None:
    other = make_repo(tmp_path / "other")
    first = events.apply(store, reduce("session-start", payload(repo, source="startup")), ENV)
    later = events.apply(store, reduce("session-start", payload(other, source="startup")), ENV)
    assert first is not None
    assert later is not None
    assert first[1] != later[1]


def test_prompt_is_kept_once_and_redacted(store: Connection, repo: Repo) -> None:
    event = reduce("user-prompt-submit", payload(repo, prompt=f"use {SECRET} now", prompt_id="p1"))
    assert SECRET not in str(event)
    for _ in range(2):
        events.apply(store, event, ENV)
    rows = store.execute("SELECT text FROM prompts").fetchall()
    assert len(rows) == 1
    assert rows[0][0].startswith("use ")
    assert store.execute("SELECT is_running FROM sessions").fetchone() == (1,)


def test_stop_ends_the_turn_and_queues_the_session(store: Connection, repo: Repo) -> None:
    events.apply(store, reduce("user-prompt-submit", payload(repo, prompt="x")), ENV)
    events.apply(store, reduce("stop", payload(repo)), ENV)
    assert store.execute("SELECT is_running FROM sessions").fetchone() == (0,)
    assert store.execute("SELECT key FROM jobs WHERE kind = 'session'").fetchall() == [("s1",)]


@pytest.mark.parametrize(
    ("source", "epoch"), [("compact", 1), ("startup", 0), ("resume", 0), ("clear", 0), ("new", 0)]
)
def test_only_a_compaction_opens_an_epoch(store: Connection, repo: Repo, source: str, epoch: int) -> None:
    session = events.apply(store, reduce("session-start", payload(repo, source=source)), ENV)
    assert session is not None
    assert session[4] == epoch


@pytest.mark.parametrize(
    ("name", "part", "outcome"),
    [
        pytest.param("pre-tool-use", {}, "started", id="start"),
        pytest.param("post-tool-use", {"tool_response": {"stdout": "0 errors"}}, "ok", id="success"),
        pytest.param("post-tool-use", {"tool_response": "text with error: in it"}, "ok", id="text response"),
        pytest.param("post-tool-use", {"tool_response": [{"text": "fails"}]}, "ok", id="list response"),
        pytest.param("post-tool-use", {"tool_response": {"is_error": True}}, "failed", id="is_error"),
        pytest.param("post-tool-use", {"is_error": True}, "failed", id="is_error outside"),
        pytest.param("post-tool-use", {"tool_response": {"exit_code": 2}}, "failed", id="exit code"),
        pytest.param("post-tool-use", {"tool_response": {"exit_code": 0}}, "ok", id="exit code 0"),
        pytest.param("post-tool-use", {"tool_response": {"success": False}}, "failed", id="success false"),
        pytest.param("post-tool-use-failure", {"error": "Exit code 1"}, "failed", id="failure"),
        pytest.param(
            "post-tool-use-failure", {"error": "x", "is_interrupt": True}, "interrupted", id="interrupt"
        ),
    ],
)
def test_outcome_comes_from_fields_not_from_words(name: str, part: dict[str, object], outcome: str) -> None:
    assert reduce(name, {"session_id": "s", "tool_name": "Bash", **part})["outcome"] == outcome


def test_long_error_keeps_both_ends() -> None:
    event = reduce("post-tool-use-failure", {"error": "FIRST" + "x" * 50_000 + "LAST"})
    assert event["error"].startswith("FIRST")
    assert event["error"].endswith("LAST")
    assert len(event["error"]) <= 2_000


def test_session_of_a_gone_directory_belongs_to_the_transcript_s_first(
    store: Connection, repo: Repo, tmp_path: Path
) -> None:
    transcript = tmp_path / "t.jsonl"
    line = (
        '{"type": "user", "uuid": "u1", "cwd": "%s", "message": {"role": "user", "content": "hello there"}}\n'
    )
    transcript.write_text(line % repo.path)
    deep = str(tmp_path / "gone" / "deep")
    gone: dict[str, object] = {"session_id": "s1", "cwd": deep, "transcript_path": str(transcript)}
    session = events.apply(store, reduce("stop", gone), ENV)
    assert session is not None
    assert session[2] == str(repo.path)
    assert sessions.find_session(store, "s1") == session


def test_branch_of_a_session_is_that_of_its_last_start(store: Connection, repo: Repo) -> None:
    def branch_after(source: str) -> str:
        session = events.apply(store, reduce("session-start", payload(repo, source=source)), ENV)
        assert session is not None
        return session[3]

    first = branch_after("startup")
    repo.git("switch", "-q", "-c", "retry-backoff")
    assert (first, branch_after("compact")) == ("main", "retry-backoff")
    repo.git("switch", "-q", "--detach")
    assert branch_after("resume") == ""
