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
        before = _read_children_s()
        subprocess.run([sys.executable, "-I", "-S", "-c", "pass"], check=True)
        spent.append(_read_children_s() - before)
    return max(min(spent), 0.005)


def _read_children_s() -> float:
    """CPU seconds of the children that ended; where the system tells, finer than the ticks of `os.times`."""
    if sys.platform == "win32":
        times = os.times()
        return times.children_user + times.children_system
    import resource

    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
