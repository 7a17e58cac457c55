"""How long a connection holds the store's write lock: a connection that takes the time of its transactions."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from sqlite3 import Connection


class LockClock:
    """A connection that behaves as the one it wraps and remembers its longest hold of the write lock.

    A hold begins when a transaction has the lock and ends with its commit; a statement that writes outside a
    transaction is one of its own. `longest_ms` is by the clock on the wall, `longest_cpu_ms` by the processor: on a
    machine with much else to do the first says more of that than of the work. Both are 0 before the first hold.
    """

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._since = 0.0, 0.0
        self._is_open = False
        self.longest_ms = self.longest_cpu_ms = 0.0

    def __getattr__(self, name: str) -> Any:  # Any: whatever a connection has
        return getattr(self._db, name)

    def execute(self, sql: str, values: Any = (), /) -> Any:  # Any: as sqlite3 has it
        """Run one statement, timed where it holds the lock."""
        before, changes = _read_clocks(), self._db.total_changes
        done = self._db.execute(sql, values)
        is_open = self._db.in_transaction
        if is_open and not self._is_open:
            self._since = _read_clocks()
        elif self._is_open and not is_open:
            self._note(self._since)
        elif not is_open and self._db.total_changes != changes:
            self._note(before)
        self._is_open = is_open
        return done

    def executescript(self, script: str, /) -> Any:  # Any: as sqlite3 has it
        """Run statements to their ends, outside a transaction, timed as one hold."""
        before = _read_clocks()
        done = self._db.executescript(script)
        self._note(before)
        return done

    def _note(self, since: tuple[float, float]) -> None:
        wall_s, cpu_s = _read_clocks()
        self.longest_ms = max(self.longest_ms, (wall_s - since[0]) * 1000)
        self.longest_cpu_ms = max(self.longest_cpu_ms, (cpu_s - since[1]) * 1000)


def _read_clocks() -> tuple[float, float]:
    return time.perf_counter(), time.thread_time()


def watch_lock(db: Connection) -> Connection:
    """The connection with a clock on its write lock; `take_longest_ms` reads it."""
    return cast("Connection", LockClock(db))


def take_longest_ms(db: Connection) -> tuple[float, float]:
    """The longest time in ms that a watched connection held the lock since this was asked last: (wall, processor)."""
    if not isinstance(db, LockClock):
        return 0.0, 0.0
    found = round(db.longest_ms, 1), round(db.longest_cpu_ms, 1)
    db.longest_ms = db.longest_cpu_ms = 0.0
    return found
