"""The commands that say why: recall --explain, why-not, shown."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from engram_hooks.memory import Engram, now
from engram_hooks.store import sessions, shown
from tests.support.command_runs import Run, read
from tests.support.make_repo import Repo

STRIPE = "Billing runs through Stripe usage-based prices, one metered item per label."
PROMPT = "send the monthly label usage to stripe"


def test_recall_explains_ranks_and_signals(run: Run) -> None:
    run("add", "-s", STRIPE)
    run("add", "-s", "Stripe is not for labels of the zoo")
    first = next(hit for hit in read(run, "recall", "--explain", "-q", PROMPT) if hit["summary"] == STRIPE)
    assert first["why"]["matched"] == ["label", "usage", "stripe"]
    assert first["why"]["ranks"]["words"] == first["why"]["ranks"]["meaning"] == 1
    assert abs(sum(first["why"]["signals"].values()) - first["why"]["odds"]) < 0.01
    text = run("recall", "--explain", "-q", PROMPT)[1]
    assert "words: label, usage, stripe" in text
    assert "(number 1)" in text


def test_why_not_of_a_note_that_is_shown(run: Run) -> None:
    run("add", "-s", STRIPE)
    found = read(run, "why-not", "d1", "-q", PROMPT)
    assert (found["is_shown"], found["verdict"], found["id"]) == (True, "shown", "d1")
    assert found["route"]["intent"] == "change"
    assert all(is_so for _, is_so in found["filters"])
    assert found["ranks"]["words"] == 1
    assert "would be shown" in run("why-not", "d1", "-q", PROMPT)[1]


@pytest.mark.parametrize(
    ("prompt", "verdict"),
    [
        pytest.param("continue", "a filter says no: the prompt asks for something", id="trivial"),
        pytest.param(
            "paint the zoo gates blue", "less likely needed than minder.eagerness asks for", id="beside"
        ),
    ],
)
def test_why_not_of_a_note_that_is_not_shown(run: Run, prompt: str, verdict: str) -> None:
    run("add", "-s", STRIPE)
    found = read(run, "why-not", "d1", "-q", prompt)
    assert (found["is_shown"], found["verdict"]) == (False, verdict)
    assert found["score"] < found["floors"][0]
    out = run("why-not", "d1", "-q", prompt)[1]
    assert "would not be shown" in out
    assert verdict in out


def test_why_not_of_a_note_that_is_no_longer_true(run: Run) -> None:
    run("add", "-s", STRIPE)
    run("forget", "d1", "--yes")
    found = read(run, "why-not", "d1", "-q", PROMPT)
    assert found["verdict"] == "a filter says no: the record is told as true (it is retracted)"


def test_why_not_of_no_note(run: Run) -> None:
    assert run("why-not", "d7", "-q", PROMPT)[0] == 1
    assert run("why-not", "d7")[0] == 2


def test_shown_without_a_session(run: Run) -> None:
    assert read(run, "shown") == {"session": "", "shown": []}
    assert "no such session" in run("shown")[1]


def test_shown_lists_what_the_last_session_was_given_and_why(run: Run, repo: Repo) -> None:
    run("add", "-s", STRIPE)
    client_id = str(uuid.uuid4())
    with Engram(cwd=Path(repo.path)) as memory:
        session, *_ = sessions.add_session(
            memory.db,
            client_id,
            project_id=memory.project_id or 0,
            root="",
            branch="",
            transcript_path="",
            now_ms=now(),
        )
        items = [(1, 20, "0.99: words label, usage, stripe")]
        shown.add_shown(memory.db, session, 0, items, surface="minder", now_ms=now(), prompt_id="p1")
        memory.db.commit()
    found = read(run, "shown")
    assert found["session"] == client_id
    assert [(item["id"], item["surface"], item["tokens"]) for item in found["shown"]] == [
        ("d1", "minder", 20)
    ]
    out = run("shown", "--session", client_id[:6])[1]
    assert "words label, usage, stripe" in out
    assert STRIPE in out
    assert read(run, "shown", "--session", "zz")["shown"] == []
