"""One index run in a process of its own: read by `bench.index`, which counts its time."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path


def main(package: str, repo: str, answer: str) -> None:
    """Index the repository into `ENGRAM_HOME`; write the report and the peak memory in KB into a file."""
    sys.path.insert(0, package)
    from engram_hooks.bench.scan_once import peak_kb
    from engram_hooks.memory import Engram

    with Engram(cwd=repo) as memory:
        report = memory.index()
    Path(answer).write_text(json.dumps({**asdict(report), "peak_kb": peak_kb()}), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:4])
