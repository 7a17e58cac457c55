"""The time that a check may take of its own; that of the git processes it waits for does not count."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from engram_hooks.errors import EngramError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class OutOfTime(EngramError):
    """The time is used up."""


class Allowance:
    """A number of seconds that runs while nothing is waited for."""

    def __init__(self, limit_s: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left_s = limit_s
        self._since = clock()

    def check(self) -> None:
        """Raise `OutOfTime` where nothing is left."""
        if self._clock() - self._since > self._left_s:
            raise OutOfTime("the check took too long")

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Stop the clock within the block. Raises `OutOfTime` before it where nothing is left."""
        self.check()
        self._left_s -= self._clock() - self._since
        try:
            yield
        finally:
            self._since = self._clock()
