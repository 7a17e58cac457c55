"""What a note replaces, through the commands: it is said, with a reason and an undo that works."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from typing import Any

import pytest

from engram_hooks.memory import Engram, now
from engram_hooks.store import records
from tests.support.make_repo import Repo

ENGRAM = [sys.executable, "-m", "engram_hooks"]


def run(repo: Repo, *arguments: str) -> str:
    """Run a command in the repository; what it printed."""
    done = subprocess.run(
        [*ENGRAM, *arguments],
        cwd=repo.path,
        env=dict(os.environ),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout


def run_line(repo: Repo, line: str) -> None:
    """Run commands as a person copies them: `engram ... && engram ...`."""
    for command in line.split(" && "):
        name, *arguments = shlex.split(command)
        assert name == "engram"
        run(repo, *arguments)


def list_told(repo: Repo) -> list[str]:
    """The summaries of all notes that are told as true, sorted."""
    return sorted(row["summary"] for row in json.loads(run(repo, "list", "--json")))


def test_added_note_says_what_it_replaces_and_the_undo_works(repo: Repo, data: str) -> None:
    run(repo, "add", "-s", "Docs are built with Sphinx.")
    said = run(repo, "add", "-s", "We moved the docs from Sphinx to MkDocs.")
    assert "replaces d1: Docs are built with Sphinx. (says that sphinx is no longer it)" in said
    assert list_told(repo) == ["We moved the docs from Sphinx to MkDocs."]
    run_line(repo, said.split("undo: ")[1].strip())
    assert list_told(repo) == ["Docs are built with Sphinx."]


def test_undo_brings_all_back_that_went(repo: Repo, data: str) -> None:
    run(repo, "add", "-s", "Docs are built with Sphinx.", "-t", "fact")
    run(repo, "add", "-s", "Sphinx builds the docs.", "-t", "procedure")
    before = list_told(repo)
    found: dict[str, Any] = json.loads(
        run(repo, "add", "--json", "-s", "The docs moved from Sphinx to MkDocs.")
    )
    assert len(before) == 2
    assert {found["superseded"], *found["retired"]} == {"k1", "p2"}
    run_line(repo, found["undo"])
    assert list_told(repo) == before


def test_restatement_is_kept_with_the_note_and_can_come_back(repo: Repo, data: str) -> None:
    run(repo, "add", "-s", "Docs are built with Sphinx.")
    said = run(repo, "add", "-s", "Sphinx is used for the docs.")
    assert "Already there: d1 Docs are built with Sphinx." in said
    assert list_told(repo) == ["Docs are built with Sphinx."]
    run_line(repo, said.split("to keep both: ")[1].strip())
    assert list_told(repo) == ["Docs are built with Sphinx.", "Sphinx is used for the docs."]
    assert "Also:" not in run(repo, "show", "d1")


@pytest.mark.parametrize(
    "text",
    [
        "We looked at MkDocs for the docs and decided against it.",
        "There is still a leftover of Sphinx in the tox file.",
        "The Sphinx docs use the furo theme.",
    ],
)
def test_other_notes_replace_nothing(repo: Repo, data: str, text: str) -> None:
    run(repo, "add", "-s", "Docs are built with Sphinx.")
    found = json.loads(run(repo, "add", "--json", "-s", text))
    assert (found["superseded"], found["merged"], found["undo"]) == (None, None, "")
    assert list_told(repo) == sorted(["Docs are built with Sphinx.", text])


def test_note_about_the_past_is_closed_by_what_came_after(repo: Repo, data: str) -> None:
    run(repo, "add", "-s", "Docs are built with Sphinx.")
    said = run(repo, "add", "-s", "Docs are built with DocBook.", "--valid-from", "2020-01-01")
    assert "when d1 took its place" in said
    assert list_told(repo) == ["Docs are built with Sphinx."]
    past = json.loads(
        run(repo, "recall", "--json", "-q", "what are the docs built with", "--as-of", "2021-06-01")
    )
    assert [hit["summary"] for hit in past][:1] == ["Docs are built with DocBook."]


def propose(repo: Repo, text: str, status: str) -> str:
    """Let something wait for a review; returns its short id."""
    with Engram(cwd=repo.path) as memory:
        fields = {
            "kind": "fact",
            "project_id": memory.project_id,
            "summary": text,
            "status": status,
            "source": "log",
        }
        return f"k{records.insert(memory.db, fields, now_ms=now(), actor='miner')}"


@pytest.mark.parametrize("status", ["candidate", "needs_review"])
def test_review_says_what_would_be_replaced_and_does_it(repo: Repo, data: str, status: str) -> None:
    run(repo, "add", "-s", "Docs are built with Sphinx.")
    waiting = propose(repo, "We moved the docs from Sphinx to MkDocs.", status)
    assert "would replace [d1] Docs are built with Sphinx." in run(repo, "review")
    (shown,) = json.loads(run(repo, "review", "--json"))
    assert [item["id"] for item in shown["would_replace"]] == ["d1"]
    said = run(repo, "review", "--accept", waiting)
    assert "in place of d1" in said
    assert list_told(repo) == ["We moved the docs from Sphinx to MkDocs."]
    run_line(repo, said.split("undo: ")[1].strip())
    assert list_told(repo) == ["Docs are built with Sphinx."]


def test_held_back_note_is_told_to_nobody_and_shown_as_a_dispute(repo: Repo, data: str) -> None:
    from engram_hooks.curate.promote import promote_candidate

    run(repo, "add", "-s", "Logins go through Okta.")
    waiting = propose(repo, "Logins moved from Okta to Keycloak.", "candidate")
    with Engram(cwd=repo.path) as memory:
        promote_candidate(memory.db, int(waiting[1:]), actor="miner", now_ms=now())
    assert list_told(repo) == ["Logins go through Okta."]
    assert f"active (disputed by {waiting})" in run(repo, "show", "d1")
    assert "held back: says that okta is no longer it" in run(repo, "review")
    run(repo, "review", "--never", waiting)
    assert "disputed" not in run(repo, "show", "d1").split("changes")[0]
