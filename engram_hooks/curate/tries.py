"""Failed approaches as people ask for them: listed, shown, searched, decided by hand, forgotten."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engram_hooks.curate.attempts import learn
from engram_hooks.errors import EngramError, UsageError
from engram_hooks.guard.redact import redact
from engram_hooks.sessions.trials import relative_path
from engram_hooks.store import attempts, audit
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from engram_hooks.memory import Engram

OUTCOMES = ("abandoned", "resolved", "open", "dropped")
MAX_LISTED = 200


@dataclass(frozen=True, slots=True)
class Try:
    """One approach that failed: what was changed, how it failed, what became of it, and what passed in the end."""

    id: int
    outcome: str
    intent: str
    check: str
    faults: tuple[tuple[str, ...], ...]
    files: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]
    cure: str
    note: str
    branch: str
    count: int
    first_at: int
    last_at: int


def list_here(
    memory: Engram, *, outcomes: tuple[str, ...] = (), file: str = "", limit: int = MAX_LISTED
) -> list[Try]:
    """The approaches of the project here, latest first; of some outcomes, on one file.

    Raises `UsageError` outside any project.
    """
    project_id = _bring_up(memory)
    path = relative_path(_absolute(memory, file), memory.root) if file else ""
    found = [
        _read(memory, row)
        for outcome in outcomes or OUTCOMES[:3]
        for row in attempts.latest_attempts(memory.db, project_id, outcome=outcome, limit=limit)
    ]
    kept = [one for one in found if not path or any(name == path for name, _, _ in one.files)]
    return sorted(kept, key=lambda one: (-one.last_at, one.id))[:limit]


def find_here(memory: Engram, ref: str) -> Try:
    """The approach `t12` or `12`. Raises `EngramError` where the project here has none of that number."""
    project_id = _bring_up(memory)
    number = ref.strip().lower().removeprefix("t")
    found = attempts.read_attempt(memory.db, int(number)) if number.isdigit() else None
    if found is None or found[0] != project_id:
        raise EngramError(f"there is no attempt {ref[:40]!r} here", hint="engram attempts list")
    return _read(memory, found[1])


def search_here(memory: Engram, query: str, *, limit: int = 10) -> list[Try]:
    """The approaches, whatever became of them, whose words a query names, best first. Raises `UsageError`."""
    from engram_hooks.terms import query_terms

    project_id = _bring_up(memory)
    terms = query_terms(query)
    if not terms:
        raise UsageError("there is nothing to search for", hint='engram attempts search "idempotency key"')
    match = " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)
    rows = attempts.matching_attempts(memory.db, project_id, match, limit=limit, outcomes=OUTCOMES)
    return [_read(memory, row) for row in rows]


def resolve_here(memory: Engram, ref: str, *, note: str = "") -> Try:
    """Say that an approach is no warning any more, with what is to be known instead."""
    return _decide(memory, ref, "resolved", note)


def reopen_here(memory: Engram, ref: str) -> Try:
    """Let an approach warn again."""
    return _decide(memory, ref, "abandoned", "")


def forget_here(memory: Engram, ref: str) -> Try:
    """Delete an approach, its lines and its words."""
    one = find_here(memory, ref)
    with Transaction(memory.db):
        attempts.delete_attempt(memory.db, one.id)
        before = {"project": memory.project_id, "attempt": one.id, "outcome": one.outcome}
        audit.add_entry(memory.db, None, "delete attempt", actor="person", now_ms=_now_ms(), before=before)
    return one


def _decide(memory: Engram, ref: str, outcome: str, note: str) -> Try:
    one = find_here(memory, ref)
    with Transaction(memory.db):
        attempts.decide(memory.db, one.id, outcome=outcome, note=redact(note), now_ms=_now_ms())
        which = {"project": memory.project_id, "attempt": one.id}
        before = {**which, "outcome": one.outcome, "note": one.note}
        after = {**which, "outcome": outcome, "note": redact(note)}
        audit.add_entry(
            memory.db, None, "decide attempt", actor="person", now_ms=_now_ms(), before=before, after=after
        )
    return find_here(memory, str(one.id))


def _bring_up(memory: Engram) -> int:
    if memory.project_id is None:
        raise UsageError("you are outside any project", hint="cd to a repository, or --project NAME")
    learn(memory.db, memory.project_id, now_ms=_now_ms())
    return memory.project_id


def _read(memory: Engram, row: tuple[Any, ...]) -> Try:
    files = attempts.files_of(memory.db, row[0])
    return Try(
        id=row[0],
        outcome=row[1],
        intent=row[2],
        check=row[3],
        faults=tuple(tuple(fault) for fault in row[4]),
        files=tuple((path, tuple(removed), tuple(added)) for path, _, removed, added in files),
        cure=row[6],
        note=row[7],
        branch=row[8],
        count=row[10],
        first_at=row[11],
        last_at=row[12],
    )


def _absolute(memory: Engram, file: str) -> str:
    from engram_hooks.paths import home_dir
    from engram_hooks.sessions.whereabouts import make_absolute

    return make_absolute(file, cwd=memory.cwd, home=home_dir(memory.environ))


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
