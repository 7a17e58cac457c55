"""One query in a process of its own, as a hook does it: read by `bench.scan`, run with `python -I -S`."""

from __future__ import annotations

import sys
import time


def main(package: str) -> None:
    """Read what to search on standard input; write CPU time in ms and peak memory in MB as JSON."""
    sys.path.insert(0, package)
    from engram_hooks.embed.planes import search
    from engram_hooks.jsontext import dumps, loads
    from engram_hooks.store.segments import Segment, file_path

    order = loads(sys.stdin.read())
    assert isinstance(order, dict)
    count, rows = order["count"], order["rows"]
    started = time.process_time()
    segments = [
        Segment(
            file_path(order["folder"], str(start)),
            segment_id=start + 1,
            row_count=min(rows, count - start),
            dims=len(order["query"]),
        )
        for start in range(0, count, rows)
    ]
    search(order["query"], segments, [], limit=order["limit"])
    cpu_ms = (time.process_time() - started) * 1000
    sys.stdout.write(dumps({"cpu_ms": cpu_ms, "peak_mb": peak_kb() / 1024}))


def peak_kb() -> int:
    """The peak memory of this process in KB, where the system tells (Linux), else 0."""
    try:
        with open("/proc/self/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmHWM:"))
    except OSError:
        return 0


if __name__ == "__main__":
    main(sys.argv[1])
