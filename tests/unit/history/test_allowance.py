"""The time of a check: it runs while the process works, not while it waits."""

from __future__ import annotations

import time

import pytest

from engram_hooks.history.allowance import Allowance, OutOfTime


def test_time_runs_out() -> None:
    now_s = 100.0
    allowance = Allowance(0.5, clock=lambda: now_s)
    now_s += 0.4
    allowance.check()
    now_s += 0.2
    with pytest.raises(OutOfTime):
        allowance.check()


def test_waiting_costs_nothing() -> None:
    allowance = Allowance(0.1)
    time.sleep(0.2)
    allowance.check()


def test_work_costs() -> None:
    allowance = Allowance(0.02)
    began_at = time.process_time()
    while time.process_time() < began_at + 0.03:
        pass
    with pytest.raises(OutOfTime):
        allowance.check()
