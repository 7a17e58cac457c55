"""What every step of consolidation is given, and what it gives back."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from sqlite3 import Connection
from typing import Any

from engram_hooks.curate.sameness import Reader
from engram_hooks.store.tidying import checkpoint
from engram_hooks.store.transactions import Transaction

ACTOR = "consolidation"
BATCH_MS = 15  # a transaction is closed after so long
PAUSE_S = 0.02  # others write between two: who waits for the lock looks again within this time
MAX_CHANGES = 1_000


@contextmanager
def _hold_garbage() -> Iterator[None]:
    """Look for no garbage meanwhile: among very many records that takes longer than a transaction may."""
    is_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_on:
            gc.enable()


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that a step does or would do to a record (0: none yet). `reason` names no text of a record."""

    record_id: int
    action: str
    reason: str
    target_id: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """The change for the report."""
        return {
            "record": self.record_id,
            "action": self.action,
            "reason": self.reason,
            "target": self.target_id,
        }


@dataclass(frozen=True, slots=True)
class StepReport:
    """What a step did: counts by name, its changes, sentences of other parts, whether it came to its end."""

    name: str
    counts: Mapping[str, int] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()
    notes: tuple[str, ...] = ()
    is_complete: bool = True
    took_ms: int = 0
    lock_ms: float = 0.0
    lock_cpu_ms: float = 0.0

    def timed(self, *, took_ms: int, lock_ms: float, lock_cpu_ms: float) -> StepReport:
        """The same with the time that it took, and the longest that it held the store's lock."""
        return replace(self, took_ms=took_ms, lock_ms=lock_ms, lock_cpu_ms=lock_cpu_ms)


@dataclass(slots=True)
class Work:
    """One run: the open store, the moment it believes in, its budget, and the records it has touched.

    `until` is a moment of the monotonic clock. In a dry run nothing is written. A record is changed by one step of
    a run at most: `touched` holds what earlier steps changed, or would have. `is_wanted` says whether to go on. A dry
    run tells `on_question` (purpose, prompt) what the brain would be asked.
    """

    db: Connection
    data: str
    environ: Mapping[str, str]
    now_ms: int
    until: float
    is_dry: bool = False
    project_id: int | None = None
    is_wanted: Callable[[], bool] = lambda: True
    max_changes: int = MAX_CHANGES
    touched: set[int] = field(default_factory=set)
    reader: Reader = field(default_factory=Reader)
    on_question: Callable[[str, str], None] | None = None

    def may_go_on(self) -> bool:
        """Whether there is time left and nobody needs the machine."""
        return time.monotonic() < self.until and self.is_wanted()

    def write(
        self, changes: Sequence[Change], do: Callable[[Change], bool]
    ) -> tuple[tuple[Change, ...], bool]:
        """Carry changes out in short transactions: (those that were made, whether all had their turn).

        `do` makes one change within a transaction and says whether it was still to be made. A dry run makes none
        and returns all.
        """
        wanted = list(changes[: self.max_changes])
        done: list[Change] = []
        if self.is_dry:
            done, at = wanted, len(wanted)
        else:
            at = 0
            while at < len(wanted) and self.may_go_on():
                if at:
                    checkpoint(self.db)
                    time.sleep(PAUSE_S)
                at = self._write_batch(wanted, at, do, done)
        for change in done:
            self.touched.update(number for number in (change.record_id, change.target_id) if number)
        return tuple(done), at == len(changes)

    def _write_batch(
        self, wanted: Sequence[Change], at: int, do: Callable[[Change], bool], done: list[Change]
    ) -> int:
        with _hold_garbage(), Transaction(self.db):
            limit = time.monotonic() + BATCH_MS / 1000
            while at < len(wanted):
                if do(wanted[at]):
                    done.append(wanted[at])
                at += 1
                if time.monotonic() >= limit:
                    break
        return at
