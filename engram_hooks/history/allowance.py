"""The time that a check may take of its own: it is at work for so long; what it waits for does not count."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from engram_hooks.errors import EngramError

if TYPE_CHECKING:
    from collections.abc import Callable


class OutOfTime(EngramError):
    """The time is used up."""


class Allowance:
    """A number of seconds of this process, from now on; neither git nor a busy machine uses them up."""

    def __init__(self, limit_s: float, *, clock: Callable[[], float] = time.process_time) -> None:
        self._clock = clock
        self._until_s = clock() + limit_s

    def check(self) -> None:
        """Raise `OutOfTime` where nothing is left."""
        if self._clock() > self._until_s:
            raise OutOfTime("the check took too long")
