"""The question which of two notes holds, where both seem to be about one thing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from sqlite3 import Connection
from typing import Any

from engram_hooks.curate.changes.claims import read_claims
from engram_hooks.curate.changes.judging import Verdict, find_restatements
from engram_hooks.curate.changes.resolve import SAME, relate
from engram_hooks.curate.lineage import fold
from engram_hooks.curate.promote import settle
from engram_hooks.curate.record import Record, from_row
from engram_hooks.errors import EngramError
from engram_hooks.store import lookup, records, rivals
from engram_hooks.store.transactions import Transaction

QUESTION = "rivals"
BETWEEN = "/"
MAX_AT_ONCE = 5


@dataclass(frozen=True, slots=True)
class Rivals:
    """Two notes that are told as true, of which the older may be out of date."""

    newer: Record
    older: Record
    says_same: bool = False

    @property
    def ref(self) -> str:
        """What an answer names them by, such as `k48/d12`."""
        return f"{self.newer.short_id}{BETWEEN}{self.older.short_id}"

    def ask(self) -> tuple[str, ...]:
        """(the newer one, what is asked)."""
        asked = "the same as" if self.says_same else "in place of"
        return (
            f"{self.newer.kind}: {self.newer.summary}",
            f"{asked} {self.older.short_id} {self.older.summary!r}?",
        )

    def as_question(self) -> dict[str, Any]:
        """The pair for JSON; `id` is what an answer names it by."""
        pair = {"newer": self.newer.as_dict(), "older": self.older.as_dict()}
        return {"id": self.ref, "question": QUESTION, "says_same": self.says_same, **pair}


def list_rivals(db: Connection, project_id: int, *, limit: int = MAX_AT_ONCE) -> list[Rivals]:
    """Pairs of a project that nobody has answered to, the most alike first."""
    found = rivals.list_open(db, project_id, limit=limit)
    pairs = [lookup.read_many(db, pair) for pair in found]
    return [Rivals(from_row(newer), from_row(older), _say_same(newer, older)) for newer, older in pairs]


def replace(db: Connection, newer_id: int, older_id: int, *, now_ms: int) -> None:
    """Let the newer note replace the older one, and what says the same as that, or go into it where it says the same.

    A person said so.
    Raises `EngramError` where nobody is asked about the two.
    """
    with Transaction(db):
        _close(db, newer_id, older_id)
        newer, older = records.read(db, newer_id), records.read(db, older_id)
        if _say_same(newer, older):
            reason = f"says the same as {older_id}"
            fold(db, newer_id, older_id, reason=reason, now_ms=now_ms, actor="person")
            return
        also = tuple(one for one in find_restatements(db, older) if one != newer_id)
        verdict = Verdict("supersede", older_id, also, reason="said to replace it")
        settle(db, newer_id, verdict, actor="person", now_ms=now_ms)


def keep_both(db: Connection, newer_id: int, older_id: int) -> None:
    """Let both hold, and never ask again. Raises `EngramError` where nobody is asked about the two."""
    with Transaction(db):
        _close(db, newer_id, older_id)


def _say_same(newer: Mapping[str, Any], older: Mapping[str, Any]) -> bool:
    claims = [read_claims(row["summary"], row["kind"]) for row in (newer, older)]
    return relate(claims[0], claims[1]).kind == SAME


def _close(db: Connection, newer_id: int, older_id: int) -> None:
    if not rivals.close(db, newer_id, older_id):
        raise EngramError("these two are not in question", hint="engram review")
