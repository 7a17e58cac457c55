"""The log against the transcript that the real client writes: equal, whole, and each project's own."""

from __future__ import annotations

import json
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.claude_client import ClaudeClient, Run, prepare_home, seen_by_model
from tests.support.conversation import Statement, read_conversation
from tests.support.installed_engram import InstalledEngram
from tests.support.make_repo import make_repo
from tests.support.messages_api import MessagesApi
from tests.support.scripted_turns import Lane, Script, ToolCall, Turn

pytestmark = pytest.mark.client

SPOKEN = ("user", "assistant")


def bash(command: str, text: str = "") -> Turn:
    """Return a turn in which the model runs a command."""
    return Turn(text, (ToolCall("Bash", {"command": command, "description": "Run it"}),))


def strip_inexact(statements: list[Statement]) -> list[Statement]:
    """Return statements without the text of tools and results: the log keeps those in a shorter form."""
    return [s if s.role in SPOKEN else Statement(s.uuid, s.role, "") for s in statements]


def as_statement(row: dict[str, object]) -> Statement:
    """Return what a command printed of a line of the log."""
    return Statement(str(row["uuid"]), str(row["role"]), str(row["text"]))


def assert_log_equals(engram: InstalledEngram, session_id: str, transcript: Path) -> None:
    """Compare the store's rows with the transcript's lines: order, uuid and role; text where it is exact."""
    said = read_conversation(transcript)
    assert said, "the transcript holds no conversation"
    assert strip_inexact(engram.read_log(session_id)) == strip_inexact(said)


def find_transcript(client: ClaudeClient, project: Path, session_id: str) -> Path:
    """Return the transcript of a session."""
    (found,) = [path for path in client.transcripts_of(project) if path.stem == session_id]
    return found


def test_log_equals_the_transcript(each_client: Path, engram: InstalledEngram, project: Path) -> None:
    prompt = 'Zähle die Dateien: "ünïcode" 日本語 😀\n\nwith a second paragraph and <b>markup</b>'
    turns: list[Turn | str] = [
        bash("ls; printf 'a\\nb\\n'", "I look first."),
        "There is one:\n\n- app.py — fine",
        bash("exit 3"),
        "No.",
    ]
    with MessagesApi(Script(turns)) as api:
        client = ClaudeClient(each_client, engram.home, api.url)
        run = client.run(project, prompt, "and now fail")
    transcript = find_transcript(client, project, run.session_id)
    assert_log_equals(engram, run.session_id, transcript)
    log = engram.read_log(run.session_id)
    assert [s.text for s in log if s.role == "user"] == [prompt, "and now fail"]
    assert sum(s.role == "result" for s in log) == 2
    assert "There is one:\n\n- app.py — fine" in [s.text for s in log if s.role == "assistant"]


def test_command_shows_the_log_of_the_session(
    newest_client: Path, engram: InstalledEngram, project: Path
) -> None:
    both = (
        ToolCall("Bash", {"command": "sleep 0.2; echo left", "description": "Wait"}),
        bash("echo right").calls[0],
    )
    with MessagesApi(Script(["first answer", Turn("Both at once.", both), "second answer"])) as api:
        client = ClaudeClient(newest_client, engram.home, api.url)
        run = client.run(project, "first question", "second question")
    said = read_conversation(find_transcript(client, project, run.session_id))
    shown = engram.read_json(project, "log", "--session", run.session_id)
    assert strip_inexact([as_statement(row) for row in shown]) == strip_inexact(said)
    lines = engram.run(project, "log", "export", "--session", "last").splitlines()
    exported = [json.loads(line) for line in lines]
    assert strip_inexact([as_statement(row) for row in exported]) == strip_inexact(said)


def test_log_goes_on_through_compaction_and_clear(
    newest_client: Path, engram: InstalledEngram, project: Path
) -> None:
    with MessagesApi(Script(["one", "two", "three", "four"])) as api:
        client = ClaudeClient(newest_client, engram.home, api.url)
        client.run(project, "first", "second", "/compact", "third", "/clear", "fourth")
    transcripts = client.transcripts_of(project)
    assert len(transcripts) == 2
    for transcript in transcripts:
        assert_log_equals(engram, transcript.stem, transcript)


def test_resumed_session_is_logged_once(newest_client: Path, engram: InstalledEngram, project: Path) -> None:
    with MessagesApi(Script(["one", "two"])) as api:
        client = ClaudeClient(newest_client, engram.home, api.url)
        first = client.run(project, "first")
        client.run(project, "second", resume=first.session_id)
    assert_log_equals(engram, first.session_id, find_transcript(client, project, first.session_id))
    assert [s.text for s in engram.read_log(first.session_id)] == ["first", "one", "second", "two"]


def test_forked_session_adds_only_what_is_new(
    newest_client: Path, engram: InstalledEngram, project: Path
) -> None:
    with MessagesApi(Script(["one", "two"])) as api:
        client = ClaudeClient(newest_client, engram.home, api.url)
        first = client.run(project, "first")
        fork = client.run(project, "second", resume=first.session_id, arguments=["--fork-session"])
    assert fork.session_id != first.session_id
    texts = [s.text for s in engram.read_log(first.session_id)] + [
        s.text for s in engram.read_log(fork.session_id)
    ]
    assert texts == ["first", "one", "second", "two"]


def test_held_store_delays_nobody_and_loses_nothing(
    newest_client: Path, engram: InstalledEngram, project: Path
) -> None:
    with (
        MessagesApi(Script([bash("echo busy"), "done"])) as api,
        closing(sqlite3.connect(engram.data_dir() / "engram.db", isolation_level=None)) as holder,
    ):
        holder.execute("BEGIN IMMEDIATE")
        client = ClaudeClient(newest_client, engram.home, api.url)
        run = client.run(project, "work while the store is held")
        holder.execute("ROLLBACK")
    assert [call for call in run.hook_calls if (call.outcome, call.stderr) != ("success", "")] == []
    assert engram.read_log(run.session_id) == []
    engram.run(project, "log")
    assert_log_equals(engram, run.session_id, find_transcript(client, project, run.session_id))


def test_session_without_a_store_is_logged_once_there_is_one(
    newest_client: Path, engram: InstalledEngram, project: Path
) -> None:
    for file in engram.data_dir().glob("engram.db*"):
        file.unlink()
    with MessagesApi(Script([bash("echo none"), "done"])) as api:
        client = ClaudeClient(newest_client, engram.home, api.url)
        run = client.run(project, "work without a store")
    assert [call for call in run.hook_calls if (call.outcome, call.stderr) != ("success", "")] == []
    engram.run(project, "log")
    assert_log_equals(engram, run.session_id, find_transcript(client, project, run.session_id))


def test_subagent_is_logged_under_its_own_name(
    newest_client: Path, engram: InstalledEngram, project: Path
) -> None:
    errand = {"prompt": "quartz: count files", "description": "count", "subagent_type": "general-purpose"}
    call = Turn("", (ToolCall("Agent", {**errand, "run_in_background": False}),))
    lanes = {"errand": Lane("quartz", ["The errand found seven files."])}
    with MessagesApi(Script([call, "done"], lanes=lanes)) as api:
        client = ClaudeClient(newest_client, engram.home, api.url)
        run = client.run(project, "hello")
    engram.run(project, "log")  # finishes what the worker has not yet done
    assert_log_equals(engram, run.session_id, find_transcript(client, project, run.session_id))
    main = {s.uuid for s in engram.read_log(run.session_id)}
    others = [s for s in engram.read_log(run.session_id, agent=None) if s.uuid not in main]
    assert [s.text for s in others if s.role in SPOKEN] == [
        "quartz: count files",
        "The errand found seven files.",
    ]


def test_secret_in_a_prompt_reaches_no_file_of_ours(
    newest_client: Path, engram: InstalledEngram, project: Path
) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    with MessagesApi(Script([bash(f"echo {secret}"), f"I saw {secret}."])) as api:
        client = ClaudeClient(newest_client, engram.home, api.url)
        run = client.run(project, f"the token is {secret}, keep it in mind")
    engram.run(project, "log")
    assert secret in find_transcript(client, project, run.session_id).read_text(encoding="utf-8")
    (prompt,) = [s.text for s in engram.read_log(run.session_id) if s.role == "user"]
    assert prompt.startswith("the token is ")
    assert prompt.endswith(", keep it in mind")
    leaked = [
        path
        for path in engram.data_dir().rglob("*")
        if path.is_file() and secret.encode() in path.read_bytes()
    ]
    assert leaked == []


def test_what_a_killed_client_left_is_logged_at_the_next_start(
    each_client: Path, engram: InstalledEngram, project: Path
) -> None:
    with MessagesApi(Script([bash("echo half''way", "I begin."), Turn(hold=True)])) as api:
        client = ClaudeClient(each_client, engram.home, api.url)
        transcript = kill_halfway(client, api, project)
        assert engram.read_log(transcript.stem) == []
        api.script.append("Hello.")
        with client.start(project) as live:
            live.ask("Hello!")
            assert_log_equals(engram, transcript.stem, transcript)
    assert [s.text for s in engram.read_log(transcript.stem) if s.role in SPOKEN] == ["go", "I begin."]


def test_what_was_logged_before_a_kill_is_not_logged_again(
    newest_client: Path, engram: InstalledEngram, project: Path
) -> None:
    turns: list[Turn | str] = ["one", bash("echo half''way"), Turn(hold=True), "Hello."]
    with MessagesApi(Script(turns)) as api:
        client = ClaudeClient(newest_client, engram.home, api.url)
        transcript = kill_halfway(client, api, project, "first")
        client.run(project, "Hello!")
    assert_log_equals(engram, transcript.stem, transcript)
    assert [s.text for s in engram.read_log(transcript.stem) if s.role == "user"] == ["first", "go"]


def kill_halfway(client: ClaudeClient, api: MessagesApi, project: Path, *before: str) -> Path:
    """Play prompts, kill the client in the turn of one more, after its tool has run; return the transcript."""
    with client.start(project) as live:
        for prompt in before:
            live.ask(prompt)
        live.send("go")
        ends_at = time.monotonic() + 30
        while not any("halfway" in path.read_text("utf-8") for path in client.transcripts_of(project)):
            assert time.monotonic() < ends_at, "the result of the tool is not in the transcript"
            time.sleep(0.05)
        assert api.wait_for_requests(len(before) + 2), "the client has not gone on"
        live.kill()
    (transcript,) = client.transcripts_of(project)
    return transcript


def test_two_sessions_of_a_project_at_once_lose_nothing(
    newest_client: Path, engram: InstalledEngram, project: Path
) -> None:
    prompts = ("alpha", "beta", "gamma")

    def converse(name: str) -> tuple[Run, Path]:
        turns = [turn for prompt in prompts for turn in (bash(f"echo {prompt}"), f"{name} {prompt}")]
        with MessagesApi(Script(turns)) as api:
            client = ClaudeClient(newest_client, engram.home, api.url)
            run = client.run(project, *(f"{name}: {prompt}" for prompt in prompts))
            return run, find_transcript(client, project, run.session_id)

    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(converse, ("left", "right")))
    assert len({run.session_id for run, _ in both}) == 2
    for run, transcript in both:
        assert [call.outcome for call in run.hook_calls if call.outcome != "success"] == []
        assert len(engram.read_log(run.session_id)) == 4 * len(prompts)
        assert_log_equals(engram, run.session_id, transcript)


def test_projects_never_see_each_other(
    newest_client: Path, engram: InstalledEngram, project: Path, tmp_path: Path
) -> None:
    other = make_repo(tmp_path / "bakery").path
    prepare_home(engram.home, [project, other])
    secret, shared = "The cashier module uses optimistic locking", "Answer in British spelling"
    question = "Does the cashier module use optimistic or pessimistic locking?"
    engram.run(project, "add", "-t", "decision", "-s", secret)
    engram.run(project, "add", "-t", "user", "--global", "-s", shared)
    with MessagesApi(Script(["mine"])) as own_api:
        ClaudeClient(newest_client, engram.home, own_api.url).run(project, question)
    with MessagesApi(Script(["theirs"])) as other_api:
        ClaudeClient(newest_client, engram.home, other_api.url).run(other, question)
    assert seen_by_model(own_api.requests, secret) == [0]
    assert seen_by_model(other_api.requests, secret) == []
    assert seen_by_model(own_api.requests, shared) == [0]
    assert seen_by_model(other_api.requests, shared) == [0]
    assert '"mine"' in engram.run(project, "log", "export")
    assert '"mine"' not in engram.run(other, "log", "export")
    assert '"theirs"' in engram.run(other, "log", "export")
    assert secret not in engram.run(other, "recall", "-q", question)
