"""Asking the brain: within its budget, with a row for every call, and nothing but None for every failure."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from sqlite3 import Connection
from typing import TYPE_CHECKING, Generic, TypeVar

from engram_hooks import paths
from engram_hooks.curate.brain import answers, prompts
from engram_hooks.curate.brain.command import (
    find_named_program,
    find_program,
    make_environ,
    split_command,
)
from engram_hooks.curate.brain.process import FAILED, OK, run_program
from engram_hooks.errors import EngramError, StoreError
from engram_hooks.guard.firewall import name_order
from engram_hooks.guard.redact import redact
from engram_hooks.spawn import BRAIN_MARK
from engram_hooks.store import brain as calls
from engram_hooks.store import settings, trouble

if TYPE_CHECKING:
    from typing import Any

    from engram_hooks.curate.brain.answers import Insight, Memory, Ruling
    from engram_hooks.curate.brain.prompts import Line

MALFORMED, DENIED = "malformed", "denied"
MAX_COMPLAINT_CHARS = 200

Value = TypeVar("Value")
Rehearsal = Callable[[str, str], None]
"""What is told a purpose and a prompt in place of asking the brain."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What the brain may cost: calls and tokens in an hour, seconds for an answer."""

    max_calls: int
    max_tokens: int
    timeout_s: int


@dataclass(frozen=True, slots=True)
class Reply(Generic[Value]):
    """What came of a call: the checked value, or None with the outcome and why.

    `denied` made no call; the other outcomes are those of `brain_calls`. `text` is what the program printed, redacted.
    """

    value: Value | None
    outcome: str
    reason: str = ""
    text: str = ""
    took_ms: int = 0


@dataclass(frozen=True, slots=True)
class Brain:
    """The user's command, ready to be asked. Made by `open_brain`, or `make_brain` where a person asks.

    With `rehearse` it is only told what it would be asked, and never answers.
    """

    db: Connection
    data: str
    environ: Mapping[str, str]
    command: str
    limits: Limits
    clock: Callable[[], int]
    rehearse: Rehearsal | None = None

    def extract(self, lines: Mapping[int, Line]) -> list[Memory] | None:
        """What `choose_lines` chose of a conversation as proposed memories; None where there is no usable answer."""
        return self.find_memories(lines).value

    def find_memories(self, lines: Mapping[int, Line]) -> Reply[list[Memory]]:
        """The same, with how the call went."""
        texts = {number: text for number, (_, text) in lines.items()}
        return self.consult(
            "extract", prompts.ask_memories(lines), lambda value: answers.read_memories(value, texts)
        )

    def resolve(self, new: Mapping[str, Any], olds: Sequence[Mapping[str, Any]]) -> Ruling | None:
        """What should become of a new record beside those like it (rows of `records`), None without a usable answer.

        It is an opinion: what it may change is for the caller to say.
        """
        olds = olds[: prompts.MAX_RECORDS]
        ids = {int(old["id"]) for old in olds}
        return self.consult(
            "resolve", prompts.ask_ruling(new, olds), lambda value: answers.read_ruling(value, ids)
        ).value

    def summarise(self, lines: Sequence[Line]) -> str | None:
        """What a session, as (role, text) lines, was about; None where there is no usable answer."""
        chosen = prompts.choose_lines(lines)
        if not chosen:
            return None
        return self.consult("summarise", prompts.ask_summary(chosen), _read_calm_summary).value

    def reflect(self, facts: Sequence[Mapping[str, Any]]) -> list[Insight] | None:
        """Patterns in records (rows of `records`); None where there is no usable answer, [] where there is none."""
        facts = facts[: prompts.MAX_RECORDS]
        ids = {int(fact["id"]) for fact in facts}
        if len(ids) < 2:
            return []
        reply = self.consult(
            "reflect", prompts.ask_insights(facts), lambda value: answers.read_insights(value, ids)
        )
        return None if reply.value is None else [one for one in reply.value if not name_order(one.text)]

    def consult(
        self, purpose: str, prompt: str, read: Callable[[object], Value], *, is_asked_for: bool = False
    ) -> Reply[Value]:
        """Make one call and check its answer with `read`, which raises `MalformedAnswer`.

        A person who asks for it (`is_asked_for`) is not held to the budget. Never within a transaction: the
        answer may take a minute.
        """
        if self.rehearse:
            self.rehearse(purpose, prompt)
            return Reply(None, DENIED, "nothing is asked in a rehearsal")
        if self.db.in_transaction:
            raise RuntimeError("the brain is asked within a transaction")
        try:
            start = prepare_start(self.command, self.data, self.environ)
            call_id = self._book(purpose, prompt, is_asked_for=is_asked_for)
        except EngramError as error:  # nothing to run, or a store that cannot be written now
            return Reply(None, DENIED, error.message)
        except OSError as error:
            return Reply(None, DENIED, f"no folder to run in: {error.strerror}")
        if call_id is None:
            return Reply(None, DENIED, "the budget of this hour is spent")
        reply = self._ask(start, prompt, read)
        tokens = count_tokens(prompt) + count_tokens(reply.text)
        with suppress(StoreError):  # then it counts as one under way
            calls.end_call(
                self.db,
                call_id,
                reply.outcome,
                reason=reply.reason,
                token_count=tokens,
                took_ms=reply.took_ms,
            )
        if reply.outcome != OK:
            self._note(f"{purpose}: {reply.outcome}, {reply.reason}")
        return reply

    def _book(self, purpose: str, prompt: str, *, is_asked_for: bool) -> int | None:
        now_ms = self.clock()
        if not is_asked_for and calls.rests_until(self.db, now_ms=now_ms):
            return None
        return calls.begin_call(
            self.db,
            purpose,
            token_count=count_tokens(prompt),
            max_calls=1 << 30 if is_asked_for else self.limits.max_calls,
            max_tokens=1 << 60 if is_asked_for else self.limits.max_tokens,
            now_ms=now_ms,
        )

    def _ask(
        self, start: tuple[list[str], str], prompt: str, read: Callable[[object], Value]
    ) -> Reply[Value]:
        began = time.monotonic()
        argv, folder = start
        ending = run_program(
            argv, prompt, cwd=folder, environ=make_environ(self.environ), timeout_s=self.limits.timeout_s
        )
        took_ms = int((time.monotonic() - began) * 1000)
        if ending.complaint and ending.outcome != OK:
            self._note(f"its program says: {redact(ending.complaint)[:MAX_COMPLAINT_CHARS]}")
        text = redact(ending.output)
        if ending.outcome != OK:
            return Reply(None, ending.outcome, ending.reason, text, took_ms)
        try:
            return Reply(read(answers.read_document(ending.output)), OK, "", text, took_ms)
        except answers.MalformedAnswer as error:
            return Reply(None, MALFORMED, str(error), text, took_ms)
        except answers.RefusedAnswer as error:
            return Reply(None, FAILED, str(error), text, took_ms)

    def _note(self, text: str) -> None:
        with suppress(OSError):
            trouble.add_line(self.data, "brain", text, now_ms=self.clock())


def open_brain(
    db: Connection,
    environ: Mapping[str, str],
    *,
    now_ms: int,
    data: str = "",
    rehearse: Rehearsal | None = None,
) -> Brain | None:
    """The brain, None where it is off, gone, at rest after failures, out of budget, or this is its own session.

    `data` is the data folder, where it is not that of the environment; with `rehearse` nothing will be asked.
    """
    if environ.get(BRAIN_MARK):
        return None
    brain = make_brain(db, environ, now_ms=now_ms, data=data)
    if not find_named_program(brain.command, environ) or calls.rests_until(db, now_ms=now_ms):
        return None
    spent_calls, spent_tokens = calls.spent(db, since_ms=now_ms - calls.HOUR_MS)
    if spent_calls >= brain.limits.max_calls or spent_tokens >= brain.limits.max_tokens:
        return None
    return replace(brain, rehearse=rehearse)


def make_brain(db: Connection, environ: Mapping[str, str], *, now_ms: int, data: str = "") -> Brain:
    """The brain as the settings have it, whatever was spent; its command is '' where it is off."""
    knobs = settings.read(db, 0, environ)
    limits = Limits(
        int(knobs["brain.calls_per_hour"]), int(knobs["brain.tokens_per_hour"]), int(knobs["brain.timeout_s"])
    )
    began = time.monotonic()

    def tell_time() -> int:
        return now_ms + int((time.monotonic() - began) * 1000)

    return Brain(db, data or paths.data_dir(environ), environ, str(knobs["brain.command"]), limits, tell_time)


def prepare_start(command: str, data: str, environ: Mapping[str, str]) -> tuple[list[str], str]:
    """(argument list, folder to run in): the folder is marked, so that no conversation in it is ever learnt from.

    Raises `EngramError` where the command names no program that is there, `OSError` where the folder cannot be made.
    """
    words = split_command(command)
    program = find_program(words[0], environ)
    if not program:
        raise EngramError("the program of brain.command is not found", hint="engram brain status")
    folder = os.path.join(os.path.realpath(data), paths.BRAIN_FOLDER)
    paths.make_private_dir(folder)
    marker = os.open(os.path.join(folder, paths.BRAIN_MARKER), os.O_WRONLY | os.O_CREAT, 0o600)
    os.close(marker)
    return [program, *words[1:]], folder


def count_tokens(text: str) -> int:
    """About how many tokens a text is: a quarter of its characters."""
    return (len(text) + 3) // 4


def _read_calm_summary(value: object) -> str:
    summary = answers.read_summary(value)
    if name_order(summary):
        raise answers.MalformedAnswer("summary reads as an order to an agent")
    return summary
