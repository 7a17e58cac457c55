"""A shop whose notes are held against its code: the repository, what is noted of it, and looking at it again."""

from __future__ import annotations

import time

from engram_hooks import Engram
from engram_hooks.curate.ground.staleness import refresh_staleness
from engram_hooks.curate.record import Record
from tests.conftest import NOW_MS

RETRY = '''"""Retries."""

import time


def wait(attempt):
    """Wait before an attempt."""
    time.sleep(2**attempt)


def charge(order):
    for attempt in range(5):
        wait(attempt)
    return order
'''
FILES = {"src/retry.py": RETRY, "src/gateway.py": "URL = 'x'\n", "docs/notes.md": "notes\n" * 9}
NOTES = {
    "file": "src/retry.py sleeps twice as long before each attempt",
    "name alone": "The sleeps are in retry.py",
    "symbol": "charge() tries five times, see src/retry.py",
    "lines": "The wait before an attempt is at src/retry.py:6-8",
    "folder": "All that talks to the bank lives in src/",
}


def refresh(memory: Engram, *, is_dry: bool = False, until: float | None = None) -> list[str]:
    return refresh_staleness(
        memory.db,
        memory.data,
        memory.environ,
        project_id=memory.project_id or 0,
        now_ms=NOW_MS,
        until=time.monotonic() + 60 if until is None else until,
        is_dry=is_dry,
    )


def add(memory: Engram, text: str, *, kind: str = "fact", **more: object) -> Record:
    """A note whose anchors are found at once."""
    record = memory.add(text, kind=kind, **more)  # type: ignore[arg-type]
    refresh(memory)
    return record


def state(memory: Engram, record: Record) -> tuple[str, str]:
    found = memory.find(record.short_id)
    return found.status, found.status_reason
