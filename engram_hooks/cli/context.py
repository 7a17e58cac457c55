"""The open memory that a command works on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from engram_hooks.cli import output
from engram_hooks.errors import StoreError, StoreReadOnly

if TYPE_CHECKING:
    from engram_hooks.memory import Engram

EVERYWHERE = " (everywhere)"  # of a note that is told in all projects
OUTSIDE = "You are outside any project: only notes that hold everywhere are at hand."


@contextmanager
def open_memory(*, project: str | None = None) -> Iterator[Engram]:
    """The memory seen from the working directory, or from the project named; notices go to stderr once.

    `ENGRAM_PROJECT` names a project too. Raises `StoreError`, and `EngramError` for an unknown project.
    """
    from engram_hooks.curate.backfill import leave_ready
    from engram_hooks.memory import Engram, now
    from engram_hooks.store.connect import run
    from engram_hooks.store.meta import take_notices
    from engram_hooks.store.settings import is_anything_stale

    with Engram() as memory:
        for _, text in take_notices(memory.db):
            output.say(output.style(output.safe(text), "warn"), to_stderr=True)
        if is_anything_stale(memory.db, memory.environ, memory.root):
            from engram_hooks.client.config import refresh_settings

            with suppress(StoreReadOnly):
                refresh_settings(memory.db, memory.environ, memory.cwd)
        if project:
            memory.turn_to(project)
        yield memory
        with suppress(StoreError):
            run(partial(leave_ready, memory.db, memory.data, memory.environ, now_ms=now()))


def say_outside(memory: Engram) -> None:
    """Say on stderr that there is no project here, where that is so."""
    if memory.project_id is None:
        output.say(output.style(OUTSIDE, "dim"), to_stderr=True)
