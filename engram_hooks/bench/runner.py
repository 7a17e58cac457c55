"""A small process that starts commands and reports what the system counted for them.

Run with `python -I -S`: its own memory stays below that of any hook, so that the peak reported for a
child is the child's. Requests and replies are JSON, one a line.
"""

from __future__ import annotations

import json
import os
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
ORPHAN_WAIT_S = 20.0


def become_subreaper() -> bool:
    """Let processes that the children leave behind become ours, so that their time can be counted (Linux)."""
    try:
        import ctypes

        return bool(ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)
    except (ImportError, OSError, AttributeError):
        return False


def run(argv: list[str], stdin_path: str, environ: dict[str, str]) -> dict[str, float]:
    """Run one command to its end: cpu_ms, wall_ms, peak_kb, exit code; orphan_ms is the CPU of what it left behind."""
    files = [
        (os.POSIX_SPAWN_OPEN, 0, stdin_path, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    started = time.perf_counter()
    pid = os.posix_spawnp(argv[0], argv, environ, file_actions=files)
    _, status, usage = os.wait4(pid, 0)
    wall_ms = (time.perf_counter() - started) * 1000
    return {
        "cpu_ms": (usage.ru_utime + usage.ru_stime) * 1000,
        "wall_ms": wall_ms,
        "peak_kb": usage.ru_maxrss if sys.platform != "darwin" else usage.ru_maxrss // 1024,
        "exit": os.waitstatus_to_exitcode(status),
        "orphan_ms": reap_orphans(),
    }


def reap_orphans() -> float:
    """Wait for the processes that were left behind; their CPU time in ms."""
    spent = 0.0
    limit = time.monotonic() + ORPHAN_WAIT_S
    while time.monotonic() < limit:
        try:
            pid, _, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            break
        if pid:
            spent += (usage.ru_utime + usage.ru_stime) * 1000
        else:
            time.sleep(0.005)
    return spent


def main() -> None:
    """Answer requests (argv, stdin, env) until standard input ends."""
    become_subreaper()
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(run(request["argv"], request["stdin"], request["env"])), flush=True)


if __name__ == "__main__":
    main()
