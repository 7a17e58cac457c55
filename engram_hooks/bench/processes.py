"""Commands started and counted by a small process of their own."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engram_hooks.errors import EngramError


class Runner:
    """The small process that starts the commands and counts."""

    def __init__(self, python: str) -> None:
        script = str(Path(__file__).with_name("runner.py"))
        self._process = subprocess.Popen(
            [python, "-I", "-S", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, argv: list[str], stdin: Path, environ: dict[str, str]) -> dict[str, float]:
        """What `bench.runner.run` counted for one command. Raises `EngramError` for a failing one."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"argv": argv, "stdin": str(stdin), "env": environ}) + "\n")
        process.stdin.flush()
        reply: dict[str, float] = json.loads(process.stdout.readline())
        if reply["exit"] != 0:
            raise EngramError(f"{' '.join(argv)} ended with exit code {reply['exit']:.0f}")
        return reply

    def close(self) -> None:
        """End the process."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        process.stdout.close()
        process.wait()


@contextmanager
def open_runner(python: str) -> Iterator[Runner]:
    """A `Runner` that ends with the block."""
    runner = Runner(python)
    try:
        yield runner
    finally:
        runner.close()
