"""What a person may want to know of the brain: is it at work, what would it be sent, does it answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any

from engram_hooks.curate.brain import answers, prompts
from engram_hooks.curate.brain.asking import Reply, make_brain, prepare_start
from engram_hooks.curate.brain.command import find_named_program
from engram_hooks.curate.brain.extraction import choose_session_lines
from engram_hooks.curate.nearness import find_near
from engram_hooks.errors import EngramError
from engram_hooks.guard.redact import redact
from engram_hooks.spawn import BRAIN_MARK
from engram_hooks.store import brain as calls
from engram_hooks.store import log, lookup

if TYPE_CHECKING:
    from engram_hooks.memory import Engram

MAX_CALLS_SHOWN = 10
MAX_SHOWN_ROWS = 2_000
_CALL_FIELDS = "purpose", "outcome", "reason", "tokens", "took_ms", "at"


@dataclass(frozen=True, slots=True)
class Status:
    """Where the brain stands. `state` is off, ready, missing, spent, resting or within (this is its own session).

    `command` is redacted, `program` the whole path ('' where there is none), `rests_until` in ms UTC (0: it does
    not), `calls` the last ones, newest first.
    """

    state: str
    command: str
    program: str
    calls_used: int
    max_calls: int
    tokens_used: int
    max_tokens: int
    timeout_s: int
    rests_until: int
    calls: tuple[dict[str, Any], ...]

    def as_dict(self) -> dict[str, Any]:
        """The status for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Trial:
    """One call that a person asked for: what was sent, and what came of it."""

    prompt: str
    reply: Reply[bool]

    def as_dict(self) -> dict[str, Any]:
        """The trial for JSON."""
        reply = self.reply
        said = {
            "outcome": reply.outcome,
            "reason": reply.reason,
            "answer": reply.text,
            "took_ms": reply.took_ms,
        }
        return {"prompt": self.prompt, "ok": reply.value is True, **said}


def read_status(db: Connection, environ: Mapping[str, str], *, now_ms: int) -> Status:
    """Where the brain stands at a moment."""
    brain = make_brain(db, environ, now_ms=now_ms)
    used_calls, used_tokens = calls.spent(db, since_ms=now_ms - calls.HOUR_MS)
    rests_until = calls.rests_until(db, now_ms=now_ms)
    program = find_named_program(brain.command, environ)
    limits = brain.limits
    state = "ready"
    if environ.get(BRAIN_MARK):
        state = "within"
    elif not brain.command.strip():
        state = "off"
    elif not program:
        state = "missing"
    elif rests_until:
        state = "resting"
    elif used_calls >= limits.max_calls or used_tokens >= limits.max_tokens:
        state = "spent"
    return Status(
        state,
        redact(brain.command),
        program,
        used_calls,
        limits.max_calls,
        used_tokens,
        limits.max_tokens,
        limits.timeout_s,
        rests_until,
        tuple(
            dict(zip(_CALL_FIELDS, call, strict=True)) for call in calls.last_calls(db, limit=MAX_CALLS_SHOWN)
        ),
    )


def try_brain(memory: Engram, *, now_ms: int) -> Trial:
    """Make one tiny call, whatever the budget says.

    Raises `EngramError` where no command is set, or one whose program is not there.
    """
    brain = make_brain(memory.db, memory.environ, now_ms=now_ms, data=memory.data)
    if memory.environ.get(BRAIN_MARK):
        raise EngramError("this is a session of the brain itself: it asks nobody")
    if not brain.command.strip():
        raise EngramError("no brain is set: brain.command is empty", hint="engram setup --brain")
    prepare_start(brain.command, brain.data, brain.environ)
    prompt = prompts.ask_readiness()
    return Trial(prompt, brain.consult("test", prompt, answers.read_readiness, is_asked_for=True))


def show_prompts(memory: Engram, *, session_id: int | None = None, ref: str = "") -> list[tuple[str, str]]:
    """(purpose, prompt) of what would be sent now, to the letter; nothing is sent.

    About a session (by default the last one here) what is asked behind it, about the record `ref` what is asked
    beside those like it, and about all records of the project what is asked in consolidation.
    """
    if ref:
        row = lookup.find(memory.db, ref)
        near = find_near(memory.db, row["summary"], project_ids=_projects(memory))
        return [("resolve", prompts.ask_ruling(row, [old for _, old in near if old["id"] != row["id"]]))]
    found: list[tuple[str, str]] = []
    if session_id is not None:
        rows = log.rows_after(memory.db, session_id, 0, context=0)[-MAX_SHOWN_ROWS:]
        lines, _ = choose_session_lines(rows)
        if lines:
            found += [("extract", prompts.ask_memories(lines)), ("summarise", prompts.ask_summary(lines))]
    facts = lookup.list_records(memory.db, project_ids=_projects(memory), statuses=["active", "compacted"])
    if len(facts) > 1:
        found.append(("reflect", prompts.ask_insights(facts[: prompts.MAX_RECORDS])))
    return found


def _projects(memory: Engram) -> list[int]:
    return list(dict.fromkeys((memory.project_id or 0, 0)))
