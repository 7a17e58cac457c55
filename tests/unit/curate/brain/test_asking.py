"""Asking the brain: what comes of each way in which a program answers or fails, and what it may cost."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks.curate.brain import asking, prompts
from engram_hooks.curate.brain.asking import Brain, count_tokens, open_brain
from engram_hooks.curate.brain.prompts import choose_lines
from engram_hooks.store import brain as calls
from engram_hooks.store import trouble
from engram_hooks.store.transactions import Transaction
from tests.conftest import NOW_MS
from tests.support.scripted_brain import brain_command, read_calls

LINES = [("user", "From now on always use pnpm here."), ("assistant", "Understood, pnpm it is.")]
FACTS = [
    {"id": 12, "kind": "incident", "summary": "The retry loop charged twice."},
    {"id": 14, "kind": "incident", "summary": "The retry loop was repaired again."},
]
NEW = {"kind": "fact", "summary": "The build runs on pnpm."}
OLD = {"id": 12, "kind": "fact", "summary": "The build runs on npm.", "detail": "since March"}

FAILURES = {
    "half": "malformed",
    "malformed": "malformed",
    "wrong-ids": "malformed",
    "long": "too_long",
    "exit": "failed",
    "hang": "timeout",
}


class Asker:
    """A store, a data folder, and the brain of a mode."""

    def __init__(self, store: Connection, data: str, record: Path) -> None:
        self.store, self.data, self.record = store, data, record
        self.environ = {"PATH": os.environ["PATH"], "ENGRAM_HOME": data}

    def open(self, mode: str, text: str = "", *, now_ms: int = NOW_MS, **knobs: object) -> Brain | None:
        """The brain as it is at a moment."""
        command = brain_command(mode, text, record=self.record) if mode else ""
        given = {"command": command, "timeout_s": 20, **knobs}
        environ = {f"ENGRAM_BRAIN_{key.upper()}": str(value) for key, value in given.items()}
        return open_brain(self.store, {**self.environ, **environ}, now_ms=now_ms)

    def brain(self, mode: str, text: str = "", *, now_ms: int = NOW_MS, **knobs: object) -> Brain:
        """The brain, which must be open."""
        found = self.open(mode, text, now_ms=now_ms, **knobs)
        assert found is not None
        return found

    def outcomes(self) -> list[tuple[str, str]]:
        """(purpose, outcome) of each call, oldest first."""
        return [(call[0], call[1]) for call in calls.last_calls(self.store, limit=99)][::-1]

    def log_lines(self) -> list[str]:
        """The lines of the log of hooks."""
        path = Path(self.data) / trouble.LOG_NAME
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


@pytest.fixture
def asker(store: Connection, data: str, tmp_path: Path) -> Asker:
    return Asker(store, data, tmp_path / "seen")


@pytest.mark.parametrize("mode", ["right", "fenced", "envelope", "complain", "child"])
def test_right_answers_are_taken_in_every_form(mode: str, asker: Asker) -> None:
    brain = asker.brain(mode)
    memories = brain.extract(choose_lines(LINES))
    assert memories is not None
    assert [(one.kind, one.quote, one.line) for one in memories] == [
        ("feedback", "From now on always use pnpm here", 1)
    ]
    ruling = brain.resolve(NEW, [OLD])
    assert ruling is not None
    assert (ruling.action, ruling.target_id) == ("supersede", 12)
    assert str(brain.summarise(LINES)).startswith("The session moved the build")
    insights = brain.reflect(FACTS)
    assert insights is not None
    assert [one.record_ids for one in insights] == [(12, 14)]
    assert asker.outcomes() == [(name, "ok") for name in ("extract", "resolve", "summarise", "reflect")]
    assert asker.log_lines() == []


@pytest.mark.parametrize(("mode", "outcome"), FAILURES.items())
def test_every_failure_is_none_with_a_row_and_a_line(mode: str, outcome: str, asker: Asker) -> None:
    brain = asker.brain(mode, timeout_s=1 if mode == "hang" else 20)
    assert brain.resolve(NEW, [OLD]) is None
    assert asker.outcomes() == [("resolve", outcome)]
    assert f"brain resolve: {outcome}, " in asker.log_lines()[-1]
    assert trouble.count_failures(asker.data) == 0


QUESTIONS: dict[str, Callable[[Brain], object]] = {
    "extract": lambda brain: brain.extract(choose_lines(LINES)),
    "resolve": lambda brain: brain.resolve(NEW, [OLD]),
    "summarise": lambda brain: brain.summarise(LINES),
    "reflect": lambda brain: brain.reflect(FACTS),
}


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("mode", ["malformed", "exit"])
def test_every_question_stands_a_failure(mode: str, question: str, asker: Asker) -> None:
    assert QUESTIONS[question](asker.brain(mode)) is None
    assert [purpose for purpose, _ in asker.outcomes()] == [question]


def test_summary_that_gives_orders_is_no_summary(asker: Asker) -> None:
    assert asker.brain("order").summarise(LINES) is None
    assert asker.outcomes() == [("summarise", "malformed")]


def test_what_the_program_complains_of_is_logged_without_secrets(asker: Asker) -> None:
    brain = asker.brain("exit")
    brain.summarise(LINES)
    assert any("the model is overloaded" in line for line in asker.log_lines())


def test_program_runs_in_a_marked_folder_of_its_own(asker: Asker) -> None:
    asker.brain("right").summarise(LINES)
    (seen,) = read_calls(asker.record)
    folder = Path(os.path.realpath(asker.data)) / "brain"
    assert seen["cwd"] == str(folder)
    assert (folder / ".engram-brain").is_file()
    assert folder.stat().st_mode & 0o777 == 0o700
    environ = seen["environ"]
    assert isinstance(environ, dict)
    assert {name for name in environ if name.startswith("ENGRAM")} == {"ENGRAM_BRAIN"}


@pytest.mark.parametrize("command", ["/nowhere/judge", "no-such-program-here -p", "judge 'open", "./judge"])
def test_command_that_cannot_run_is_not_asked(command: str, asker: Asker) -> None:
    environ = {**asker.environ, "ENGRAM_BRAIN_COMMAND": command}
    assert open_brain(asker.store, environ, now_ms=NOW_MS) is None
    brain = asking.make_brain(asker.store, environ, now_ms=NOW_MS)
    reply = brain.consult("test", "?", lambda value: value, is_asked_for=True)
    assert (reply.value, reply.outcome) == (None, "denied")
    assert asker.outcomes() == []


def test_brain_is_off_until_a_command_is_set(asker: Asker) -> None:
    assert asker.open("") is None
    assert asker.open("right") is not None


def test_brain_has_no_brain(asker: Asker) -> None:
    asker.environ["ENGRAM_BRAIN"] = "1"
    assert asker.open("right") is None


def test_calls_of_an_hour_are_counted(asker: Asker) -> None:
    brain = asker.brain("right", calls_per_hour=2)
    answers = [brain.summarise(LINES) for _ in range(4)]
    assert [answer is not None for answer in answers] == [True, True, False, False]
    assert asker.open("right", calls_per_hour=2) is None
    assert len(read_calls(asker.record)) == 2
    later = asker.brain("right", calls_per_hour=2, now_ms=NOW_MS + calls.HOUR_MS + 60_000)
    assert later.summarise(LINES) is not None


def test_tokens_of_an_hour_are_counted(asker: Asker) -> None:
    tokens = count_tokens(prompts.ask_summary(choose_lines(LINES)))
    brain = asker.brain("right", tokens_per_hour=tokens)
    assert brain.summarise(LINES) is not None  # its answer goes over, and nobody could know
    assert asker.open("right", tokens_per_hour=tokens) is None
    assert asker.brain("right", tokens_per_hour=2 * tokens).summarise(LINES) is None
    assert len(read_calls(asker.record)) == 1
    spent = calls.spent(asker.store, since_ms=0)[1]
    assert tokens < spent < 2 * tokens


@pytest.mark.parametrize("mode", ["exit", "malformed"])
def test_three_failures_in_a_row_mean_an_hour_of_rest(mode: str, asker: Asker) -> None:
    brain = asker.brain(mode)
    assert [brain.resolve(NEW, [OLD]) for _ in range(5)] == [None] * 5
    assert len(read_calls(asker.record)) == 3
    assert asker.open("right", now_ms=NOW_MS + 50 * 60_000) is None
    again = asker.brain("right", now_ms=NOW_MS + 61 * 60_000)
    assert again.summarise(LINES) is not None


def test_a_success_between_failures_keeps_it_awake(asker: Asker) -> None:
    for mode in ("exit", "exit", "right", "exit", "exit"):
        asker.brain(mode).resolve(NEW, [OLD])
    assert asker.open("right") is not None
    assert calls.rests_until(asker.store, now_ms=NOW_MS) == 0


def test_first_failure_after_the_rest_sends_it_to_rest_again(asker: Asker) -> None:
    for _ in range(3):
        asker.brain("exit").resolve(NEW, [OLD])
    later = NOW_MS + 61 * 60_000
    asker.brain("exit", now_ms=later).resolve(NEW, [OLD])
    assert asker.open("right", now_ms=later + 60_000) is None


def test_a_person_may_ask_whatever_was_spent(asker: Asker) -> None:
    for _ in range(3):
        asker.brain("exit").resolve(NEW, [OLD])
    environ = {**asker.environ, "ENGRAM_BRAIN_COMMAND": brain_command("right")}
    brain = asking.make_brain(asker.store, environ, now_ms=NOW_MS)
    reply = brain.consult("test", prompts.ask_readiness(), lambda value: value, is_asked_for=True)
    assert (reply.outcome, reply.value) == ("ok", {"ready": True})
    assert asker.open("right") is not None  # it works again


def test_brain_is_never_asked_within_a_transaction(asker: Asker) -> None:
    brain = asker.brain("right")
    with Transaction(asker.store), pytest.raises(RuntimeError):
        brain.summarise(LINES)
    assert read_calls(asker.record) == []


def test_store_that_is_held_by_another_means_no_call(asker: Asker) -> None:
    from engram_hooks.paths import store_path
    from engram_hooks.store.connect import open_store

    brain = asker.brain("right")
    other = open_store(store_path(asker.data))
    try:
        with Transaction(other):
            assert brain.summarise(LINES) is None
    finally:
        other.close()
    assert read_calls(asker.record) == []


def test_too_little_to_go_on_is_not_asked_about(asker: Asker) -> None:
    brain = asker.brain("right")
    assert brain.reflect(FACTS[:1]) == []
    assert brain.summarise([("tool", "Bash: ls"), ("result", "app.py")]) is None
    assert read_calls(asker.record) == []
