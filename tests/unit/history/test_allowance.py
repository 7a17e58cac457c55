"""The time of a check: it runs while nothing is waited for."""

from __future__ import annotations

import pytest

from engram_hooks.history.allowance import Allowance, OutOfTime


class Clock:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_time_runs_out() -> None:
    clock = Clock()
    allowance = Allowance(0.5, clock=clock)
    clock.now_s += 0.4
    allowance.check()
    clock.now_s += 0.2
    with pytest.raises(OutOfTime):
        allowance.check()


def test_waiting_costs_nothing() -> None:
    clock = Clock()
    allowance = Allowance(0.5, clock=clock)
    for _ in range(3):
        clock.now_s += 0.1
        with allowance.waiting():
            clock.now_s += 60
        allowance.check()
    clock.now_s += 0.3
    with pytest.raises(OutOfTime), allowance.waiting():
        pass


def test_failed_wait_stops_the_clock_too() -> None:
    clock = Clock()
    allowance = Allowance(0.5, clock=clock)

    def wait_in_vain() -> None:
        with allowance.waiting():
            clock.now_s += 60
            raise KeyError

    with pytest.raises(KeyError):
        wait_in_vain()
    allowance.check()
