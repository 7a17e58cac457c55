"""Memories that the brain finds in sessions that are over: candidates beside those that are found without it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any

from engram_hooks.curate.brain.asking import DENIED, Brain, open_brain
from engram_hooks.curate.brain.prompts import choose_lines
from engram_hooks.curate.nearness import NEAR_SHARE, find_near, share_words
from engram_hooks.sessions.candidates import split_calls
from engram_hooks.store import brain as calls
from engram_hooks.store import log, records, sessions, tombstones
from engram_hooks.store.tombstones import normalise
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from engram_hooks.curate.brain.answers import Memory
    from engram_hooks.curate.brain.prompts import Line

LOOK_BACK_MS = 86_400_000
QUIET_MS = 3_600_000
MAX_SESSIONS = 5
MIN_CHARS = 120
"""What was said in fewer characters holds nothing that a model would find and the rules would not."""
ALIKE = 0.7
MAX_CONFIDENCE = 0.75
"""No candidate of the brain counts for surer than what a person said in so many words."""

_REASON = "found by brain.command"


def extract_ended(
    db: Connection,
    data: str,
    environ: Mapping[str, str],
    *,
    until: float,
    is_needed: Callable[[], bool] = lambda: False,
) -> int:
    """Ask the brain about the sessions of the last day that are over, newest first; returns how many candidates came.

    For the worker, behind all else: it ends at `until` (monotonic clock), when the budget is spent, and between two
    calls as soon as `is_needed` says that other work waits. Each part of a session is sent once, whatever came of it.
    Raises a `StoreError`.
    """
    added = 0
    for _ in range(MAX_SESSIONS):
        now_ms = time.time_ns() // 1_000_000
        brain = open_brain(db, environ, now_ms=now_ms, data=data)
        if brain is None or time.monotonic() + brain.limits.timeout_s > until or is_needed():
            break
        waiting = calls.list_unread(
            db, since_ms=now_ms - LOOK_BACK_MS, quiet_before_ms=now_ms - QUIET_MS, limit=1
        )
        if not waiting:
            break
        found = extract_session(db, brain, waiting[0][0])
        if found is None:
            break
        added += found
    return added


def extract_session(db: Connection, brain: Brain, session_id: int) -> int | None:
    """Ask the brain about what a session said since it was asked last; returns how many candidates came.

    None where the budget had no room for it: that part then waits. Raises a `StoreError`.
    """
    after = calls.read_until(db, session_id)
    rows = log.rows_after(db, session_id, after, context=0)
    if not rows:
        return 0
    lines, uuids = choose_session_lines(rows)
    found: list[Memory] = []
    if sum(len(text) for _, text in lines.values()) >= MIN_CHARS and any(
        role == "user" for role, _ in lines.values()
    ):
        reply = brain.find_memories(lines)
        if reply.outcome == DENIED:
            return None
        found = reply.value or []
    with Transaction(db):
        if calls.read_until(db, session_id) != after:
            return 0  # another process was faster
        calls.set_read(db, session_id, rows[-1][0])
        if not found:
            return 0
        project_id = sessions.project_of(db, session_id)
        place = session_id, project_id, brain.clock()
        # a line may have been forgotten while the answer came: what is in the log now counts
        said = {row[1]: " ".join(row[3].split()) for row in log.rows_after(db, session_id, after, context=0)}
        real = [memory for memory in found if memory.quote in said.get(uuids[memory.line][0], "")]
        return sum(_add_candidate(db, place, memory, uuids[memory.line]) for memory in real)


def choose_session_lines(
    rows: Sequence[tuple[int, str, str, str, int]],
) -> tuple[dict[int, Line], dict[int, tuple[str, int]]]:
    """(lines as they are sent by their number, (uuid, moment) of each) out of log rows; calls of tools are left out."""
    said = [
        (role, split_calls(text, role)[0] if role == "assistant" else text) for _, _, role, text, _ in rows
    ]
    lines = choose_lines(said)
    return lines, {number: (rows[number - 1][1], rows[number - 1][4]) for number in lines}


def _add_candidate(
    db: Connection, place: tuple[int, int, int], memory: Memory, source: tuple[str, int]
) -> bool:
    """Keep one proposed memory, with its line as evidence; False for what is known, waits already, or was refused."""
    session_id, project_id, now_ms = place
    uuid, at_ms = source
    if tombstones.is_buried(db, memory.summary, project_id=project_id):
        return False
    if any(_says_the_same(memory, *known) for known in calls.list_resting_on(db, session_id, uuid)):
        return False
    near = find_near(
        db,
        memory.summary,
        project_ids=list(dict.fromkeys((project_id, 0))),
        statuses=("active", "compacted", "candidate", "needs_review", "quarantined"),
    )
    if near and near[0][0] >= ALIKE:
        return False
    fields: dict[str, Any] = {  # Any: values of the types of their columns
        "kind": memory.kind,
        "project_id": project_id,
        "summary": memory.summary,
        "detail": memory.quote if memory.quote != memory.summary else "",
        "status": "candidate",
        "confidence": min(memory.confidence, MAX_CONFIDENCE),
        "trust": 0.4,
        "valid_from": at_ms or now_ms,
        "source": "log",
        "session_id": session_id,
    }
    record_id = records.insert(db, fields, now_ms=now_ms, actor="brain", reason=_REASON)
    records.add_evidence(db, record_id, "log", uuid, now_ms=now_ms)
    return True


def _says_the_same(memory: Memory, summary: str, detail: str) -> bool:
    """Whether a record out of the same line rests on the same words of it, or says nearly the same."""
    quote, known = normalise(memory.quote), normalise(detail or summary)
    return quote in known or known in quote or share_words(memory.summary, summary) >= NEAR_SHARE
