"""Made-up but plausible memories, prompts and transcripts, the same for the same seed."""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Iterator

SUBJECTS = (
    "the payment gateway",
    "the order parser",
    "the retry queue",
    "the session cache",
    "the search index",
    "the mobile client",
    "the billing worker",
    "the audit log",
    "the rate limiter",
    "the image pipeline",
    "the webhook sender",
    "the login form",
    "the export job",
    "the feature flags",
    "the config loader",
    "the event bus",
    "the price table",
    "the mail renderer",
)
CHOICES = (
    "Postgres over Mongo",
    "exponential backoff",
    "one idempotency key per order",
    "a write-ahead journal",
    "UTC everywhere",
    "structured logs",
    "a bounded thread pool",
    "optimistic locking",
    "server-side rendering",
    "feature toggles",
    "zstd frames",
    "content hashes",
    "a nightly snapshot",
    "strict schemas",
    "cursor pagination",
    "lazy imports",
    "two-phase rollout",
)
REASONS = (
    "because retries charged customers twice",
    "since the old way lost rows under load",
    "for relational integrity",
    "after the incident in March",
    "because the vendor limits us to ten calls a second",
    "to keep cold starts short",
    "so that replays stay deterministic",
    "because support needs to read it",
    "to survive a node restart",
)
VERBS = ("load", "sync", "parse", "flush", "merge")
THINGS = ("orders", "users", "tiles")
KINDS = (
    "decision",
    "fact",
    "constraint",
    "incident",
    "procedure",
    "feedback",
    "architecture",
    "module",
    "reference",
)


def record_texts(count: int, *, seed: int = 7) -> Iterator[tuple[str, str]]:
    """(kind, summary) of `count` made-up records, each with a name of its own in it."""
    rng = random.Random(seed)  # noqa: S311 (data for a benchmark)
    for at in range(count):
        name = f"{rng.choice(VERBS)}_{rng.choice(THINGS)}_{at}"
        text = f"For {rng.choice(SUBJECTS)} we use {rng.choice(CHOICES)} in {name} {rng.choice(REASONS)}"
        yield rng.choice(KINDS), text


def turn_lines(count: int, *, session: str, cwd: str, seed: int) -> str:
    """`count` turns as the client writes them: a prompt, a call with its result, an answer, and bookkeeping lines."""
    rng = random.Random(seed)  # noqa: S311 (data for a benchmark)
    lines = []
    for _ in range(count):
        subject, choice = rng.choice(SUBJECTS), rng.choice(CHOICES)
        lines += [
            _line("user", f"How does {subject} handle {choice}?", session, cwd, rng=rng),
            _line("assistant", [_call(rng)], session, cwd, rng=rng),
            _line("user", [_result(rng)], session, cwd, rng=rng),
            _line(
                "assistant", [{"type": "text", "text": _answer(subject, choice, rng)}], session, cwd, rng=rng
            ),
            json.dumps({"type": "api-request-blob", "sessionId": session, "message": {"content": "x" * 600}}),
        ]
    return "".join(line + "\n" for line in lines)


def _line(role: str, content: object, session: str, cwd: str, *, rng: random.Random) -> str:
    entry = {
        "parentUuid": None,
        "isSidechain": False,
        "type": role,
        "message": {"role": role, "content": content},
        "uuid": str(uuid.UUID(int=rng.getrandbits(128), version=4)),
        "timestamp": "2026-03-02T10:15:00.000Z",
        "cwd": cwd,
        "sessionId": session,
        "version": "2.1.332",
        "gitBranch": "main",
    }
    return json.dumps(entry)


def _call(rng: random.Random) -> dict[str, object]:
    command = f"pytest -q tests/test_{rng.choice(('orders', 'users'))}.py"
    return {
        "type": "tool_use",
        "id": f"toolu_{rng.getrandbits(60):x}",
        "name": "Bash",
        "input": {"command": command},
    }


def _result(rng: random.Random) -> dict[str, object]:
    text = "\n".join(f"tests/test_{at}.py::test_case_{rng.randrange(90)} PASSED" for at in range(30))
    return {"type": "tool_result", "tool_use_id": f"toolu_{rng.getrandbits(60):x}", "content": text}


def _answer(subject: str, choice: str, rng: random.Random) -> str:
    return f"{subject.capitalize()} goes through {choice} {rng.choice(REASONS)}. The tests pass now. " * 4
