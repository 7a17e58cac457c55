"""What became of what hooks injected: judged by the worker's code out of transcripts, felt by the next prompts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engram_hooks import Engram
from engram_hooks.curate.asking import search_records
from engram_hooks.curate.jobs import finish_session
from engram_hooks.spawn import lock_worker
from engram_hooks.store import sessions
from tests.support.make_repo import Repo
from tests.support.make_transcript import Transcript
from tests.support.run_hook import context_of, run_hook

USEFUL = "Checkout retries are capped at 5 by RetryBudget in src/checkout/retry_budget.py"
USELESS = "Checkout work was planned in the quarterly roadmap meeting with the finance people"
ASKED = "the checkout retries never stop, cap them"
VAIN = "show the checkout page to finance people first"
WORK = (
    "I looked at the page, moved the form up and checked it in a browser; nothing else had to be changed. "
    * 3
)


class Session:
    """One session of the client: its hooks as processes, its transcript as the client writes it."""

    def __init__(self, memory: Engram, repo: Repo, folder: Path, number: int) -> None:
        self.memory, self.repo, self.id = memory, repo, f"5a1e0000-0000-4000-8000-{number:012d}"
        self.path = folder / f"{self.id}.jsonl"
        self.script = Transcript(session_id=self.id, cwd=str(repo.path))
        self.script._count = number * 1_000  # ids of their own
        self.count = 0

    def fire(self, event: str, **more: object) -> str:
        self.script.write(self.path)
        payload: dict[str, object] = {"session_id": self.id, "transcript_path": str(self.path)}
        payload |= {"cwd": str(self.repo.path), "hook_event_name": event, **more}
        names = {"UserPromptSubmit": "user-prompt-submit", "PostToolUse": "post-tool-use", "Stop": "stop"}
        names |= {"SessionEnd": "session-end", "SessionStart": "session-start"}
        return context_of(run_hook(self.memory.data, names[event], payload))

    def ask(self, prompt: str) -> str:
        self.count += 1
        text = self.fire("UserPromptSubmit", prompt=prompt, prompt_id=f"{self.id}-{self.count}")
        self.script.prompt(prompt)
        return text

    def edit(self, path: str, added: str) -> None:
        file = str(self.repo.path / path)
        given = {"file_path": file, "old_string": "x = 1", "new_string": added}
        self.script.call("Edit", given)
        self.script.result("The file has been updated.")
        hunk = {
            "oldStart": 1,
            "newStart": 1,
            "lines": ["-x = 1", *(f"+{line}" for line in added.split("\n"))],
        }
        response = {"filePath": file, "structuredPatch": [hunk]}
        self.count += 1
        self.fire(
            "PostToolUse",
            tool_name="Edit",
            tool_input=given,
            tool_response=response,
            tool_use_id=f"{self.id}-use-{self.count}",
        )

    def say(self, text: str) -> None:
        self.script.reply(text)

    def stop(self, event: str = "Stop") -> None:
        self.fire(event, **({"reason": "clear"} if event == "SessionEnd" else {}))
        finish_session(self.memory.db, self.memory.data, self.id, settle=False)

    def verdicts(self) -> dict[str, str]:
        found = sessions.find_session(self.memory.db, self.id)
        assert found is not None
        rows = self.memory.db.execute(
            "SELECT r.summary, s.is_used, coalesce(v.verdict, '') FROM shown s JOIN records r ON r.id = s.record_id"
            " LEFT JOIN verdicts v ON v.shown_id = s.id WHERE s.session_id = ? AND s.surface = 'minder'",
            (found[0],),
        ).fetchall()
        flags = {"used": 1, "ignored": 0, "wrong": 0}
        assert all(is_used == flags.get(verdict) for _, is_used, verdict in rows)
        return {summary: verdict for summary, _, verdict in rows}


@pytest.fixture
def memory(repo: Repo, data: str) -> Iterator[Engram]:
    """A memory with a record that is of use, one that only looks so, and others; the worker's lock is held."""
    with Engram(cwd=repo.path) as memory:
        for text in (USEFUL, USELESS, "Icons come from our own sprite", "Backups run at night"):
            memory.add(text, kind="fact")
        search_records.catch_up(memory.db, memory.question("x"))
        lock = lock_worker(memory.data)
        yield memory
        os.close(lock)


@pytest.fixture
def begin(memory: Engram, repo: Repo, tmp_path: Path) -> Callable[[], Session]:
    """Begins one session after the other."""
    numbers = iter(range(1, 100))
    return lambda: Session(memory, repo, tmp_path, next(numbers))


def test_edit_that_brings_what_a_record_says_is_use(begin: Callable[[], Session]) -> None:
    session = begin()
    assert "RetryBudget" in session.ask(ASKED)
    session.edit("src/checkout/charge.py", "budget = RetryBudget(5)")
    session.say("The loop ends now.")
    session.stop()
    assert session.verdicts() == {USEFUL: "used"}


def test_turn_that_does_something_else_ignores(begin: Callable[[], Session]) -> None:
    session = begin()
    assert "roadmap" in session.ask(VAIN)
    session.edit("src/pages/pay.html", "<form class=top>")
    session.say("The form stands at the top.")
    session.stop()
    assert session.verdicts() == {USELESS: "ignored"}


@pytest.mark.parametrize("ending", ["short", "broken off", "under way"])
def test_turn_that_tells_nothing_is_not_judged(begin: Callable[[], Session], ending: str) -> None:
    session = begin()
    session.ask(VAIN)
    if ending == "short":
        session.say("Which page?")
        session.stop()
        assert session.verdicts() == {USELESS: "unknown"}
    elif ending == "broken off":
        session.script.call("Read", {"file_path": "src/pages/pay.html"})
        session.ask("run the tests")
        session.say("They pass.")
        session.stop()
        assert session.verdicts() == {USELESS: "unknown"}
    else:
        session.say(WORK)
        session.script.write(session.path)
        finish_session(session.memory.db, session.memory.data, session.id, settle=False)
        assert session.verdicts() == {USELESS: ""}
        session.stop()
        assert session.verdicts() == {USELESS: "ignored"}


def test_correction_counts_against_what_the_turn_followed(begin: Callable[[], Session]) -> None:
    session = begin()
    session.ask(ASKED)
    session.edit("src/checkout/charge.py", "budget = RetryBudget(5)")
    session.say("The loop ends now.")
    session.stop()
    session.ask("no, we don't use RetryBudget any more")
    session.say("I took it out again.")
    session.stop()
    assert session.verdicts() == {USEFUL: "wrong"}


def test_what_the_user_says_again_was_needed(begin: Callable[[], Session]) -> None:
    session = begin()
    session.ask(ASKED)
    session.edit("src/checkout/charge.py", "for _ in range(9): charge()")
    session.say("The loop ends now.")
    session.stop()
    assert session.verdicts() == {USEFUL: "ignored"}
    session.ask("no, use RetryBudget for that")
    session.say("Done.")
    session.stop()
    assert session.verdicts() == {USEFUL: "used"}


def test_pack_is_judged_by_the_whole_session_and_mildly(begin: Callable[[], Session]) -> None:
    session = begin()
    pack = session.fire("SessionStart", source="startup")
    assert "RetryBudget" in pack
    assert session.ask(ASKED) == ""  # it is known already
    session.say(WORK)
    session.stop()
    session.ask("what limits it?")
    session.say("RetryBudget does, five times in all.")
    session.stop("SessionEnd")
    rows = session.memory.db.execute(
        "SELECT r.summary, v.verdict, v.step > 0 FROM verdicts v JOIN records r ON r.id = v.record_id"
    ).fetchall()
    assert (USEFUL, "used", 1) in rows
    assert (USELESS, "ignored", 0) in rows
    standing = session.memory.db.execute("SELECT min(standing) FROM usage").fetchone()
    assert standing[0] > 0


def test_record_that_is_ignored_again_and_again_falls_silent_and_one_use_brings_it_back(
    begin: Callable[[], Session],
) -> None:
    shown = []
    for _ in range(6):
        session = begin()
        shown.append(bool(session.ask(VAIN)))
        session.edit("src/pages/pay.html", "<form class=top>")
        session.say("The form stands at the top.")
        session.stop()
    assert shown[0]
    assert not shown[-1]
    session = begin()
    assert "roadmap" in session.ask("how was the checkout work planned in the roadmap meeting with finance?")
    session.say("Per [k2] it was planned with the finance people.")
    session.stop()
    assert session.verdicts() == {USELESS: "used"}
    assert begin().ask(VAIN)


def test_judging_twice_changes_nothing(begin: Callable[[], Session]) -> None:
    session = begin()
    session.ask(VAIN)
    session.say(WORK)
    session.stop()
    db = session.memory.db
    tables = "verdicts", "usage", "judged", "misses"
    before = [db.execute(f"SELECT * FROM {table}").fetchall() for table in tables]
    finish_session(db, session.memory.data, session.id, settle=False)
    assert [db.execute(f"SELECT * FROM {table}").fetchall() for table in tables] == before


def test_what_a_user_had_to_say_although_a_record_says_it_is_a_miss(begin: Callable[[], Session]) -> None:
    session = begin()
    assert session.ask("speed the nightly thing up") == ""
    session.edit("ops/cron", "0 12 * * * backup")
    session.say("It runs at noon now.")
    session.stop()
    session.ask("no, backups run at night")
    session.say("I put it back.")
    session.stop()
    (miss,) = session.memory.db.execute(
        "SELECT r.summary FROM misses m JOIN records r ON r.id = m.record_id"
    ).fetchall()
    assert miss == ("Backups run at night",)


def test_counts_beside_a_record_follow_its_verdicts(begin: Callable[[], Session]) -> None:
    session = begin()
    session.ask(ASKED)
    session.edit("src/checkout/charge.py", "for _ in range(9): charge()")
    session.say("The loop ends now.")
    session.stop()
    columns = "SELECT use_count, ignored_count, last_used_at > 0 FROM records WHERE id = 1"
    assert session.memory.db.execute(columns).fetchone() == (0, 1, None)
    session.memory.db.execute("UPDATE records SET use_count = 4 WHERE id = 1")  # those of a duplicate, say
    session.ask("no, use RetryBudget for that")
    session.say("Done.")
    session.stop()
    assert session.memory.db.execute(columns).fetchone() == (5, 0, 1)
