"""The yardstick of budget tests: what a bare interpreter costs here and now."""

from __future__ import annotations

import functools
import os
import subprocess
import sys


@functools.cache
def bare_start_s(runs: int = 5) -> float:
    """CPU seconds of `python -I -S -c pass`, the best of some runs; measured once a test run."""
    spent = []
    for _ in range(runs):
        before = os.times()
        subprocess.run([sys.executable, "-I", "-S", "-c", "pass"], check=True)
        after = os.times()
        spent.append(
            after.children_user + after.children_system - before.children_user - before.children_system
        )
    return max(min(spent), 0.005)
