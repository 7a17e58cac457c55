"""What an index costs beside `git log -p` of the same history: CPU, memory, size, and one commit more."""

from __future__ import annotations

import json
import os
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engram_hooks.bench.borrowed import add_commit, borrow, packed_bytes
from engram_hooks.bench.processes import Runner, open_runner
from engram_hooks.client.launcher import compile_package
from engram_hooks.history import git

FLOOR = "log", "-p", "-U0", "-M", "--no-merges"
STEPS_A_ROUND = 4
_MB = 1 << 20


@dataclass(frozen=True, slots=True)
class Cost:
    """Medians over the rounds; `ratio` is CPU of the index to that of the floor, `share` its size to the objects'.

    CPU time is of all processes, memory of the one that indexes.
    """

    name: str
    commits: int
    files: int
    symbols: int
    floor_cpu_s: float
    index_cpu_s: float
    ratio: float
    floor_wall_s: float
    index_wall_s: float
    peak_mb: float
    nothing_new_cpu_s: float
    nothing_new_wall_s: float
    one_more_cpu_s: float
    one_more_wall_s: float
    index_mb: float
    objects_mb: float
    share: float


def measure(
    repo: Path, folder: Path, *, rounds: int, name: str = "", tick: Callable[[], None] = lambda: None
) -> Cost:
    """Index the history of `repo` anew in each round behind a run of the floor, again, and with one commit more.

    All is written into `folder`; `repo` is only read. `tick` is called after each of the `STEPS_A_ROUND` runs of a
    round. Raises `EngramError` where there is no history.
    """
    compile_package()
    copy = borrow(repo, folder / "repo")
    answers = folder / "report.json"
    runs: dict[str, list[dict[str, float]]] = {"floor": [], "index": [], "nothing new": [], "one more": []}
    report: dict[str, Any] = {}  # Any: values of JSON
    peaks = []
    with open_runner(sys.executable) as runner:
        for number in range(rounds):
            home = folder / f"home{number}"
            runs["floor"].append(_run_floor(runner, copy))
            tick()
            runs["index"].append(_run_index(runner, copy, home, answers))
            report = report or json.loads(answers.read_text("utf-8"))
            peaks.append(json.loads(answers.read_text("utf-8"))["peak_kb"] / 1024)
            tick()
            runs["nothing new"].append(_run_index(runner, copy, home, answers))
            tick()
            add_commit(copy, number)
            runs["one more"].append(_run_index(runner, copy, home, answers))
            tick()
    size = report["size_bytes"], packed_bytes(repo)
    return _summarise(name or str(repo), runs, report, peak_mb=max(peaks), size=size)


def _run_floor(runner: Runner, copy: Path) -> dict[str, float]:
    argv = git.make_argv(["-C", str(copy), *FLOOR])
    return runner.run(argv, Path(os.devnull), git.make_environ(os.environ))


def _run_index(runner: Runner, copy: Path, home: Path, answers: Path) -> dict[str, float]:
    script = Path(__file__).with_name("index_once.py")
    package = Path(__file__).parents[2]
    argv = [sys.executable, str(script), str(package), str(copy), str(answers)]
    environ = {**os.environ, "ENGRAM_HOME": str(home), "HOME": str(copy.parent)}
    return runner.run(argv, Path(os.devnull), environ)


def _summarise(
    name: str,
    runs: dict[str, list[dict[str, float]]],
    report: dict[str, Any],
    *,
    peak_mb: float,
    size: tuple[int, int],
) -> Cost:
    def median_s(case: str, key: str) -> float:
        return statistics.median(run[key] + run["orphan_ms"] * (key == "cpu_ms") for run in runs[case]) / 1000

    floor, index = median_s("floor", "cpu_ms"), median_s("index", "cpu_ms")
    index_bytes, objects_bytes = size
    return Cost(
        name=name,
        commits=report["commits"],
        files=report["files"],
        symbols=report["symbols"],
        floor_cpu_s=round(floor, 3),
        index_cpu_s=round(index, 3),
        ratio=round(index / floor, 2),
        floor_wall_s=round(median_s("floor", "wall_ms"), 3),
        index_wall_s=round(median_s("index", "wall_ms"), 3),
        peak_mb=round(peak_mb, 1),
        nothing_new_cpu_s=round(median_s("nothing new", "cpu_ms"), 3),
        nothing_new_wall_s=round(median_s("nothing new", "wall_ms"), 3),
        one_more_cpu_s=round(median_s("one more", "cpu_ms"), 3),
        one_more_wall_s=round(median_s("one more", "wall_ms"), 3),
        index_mb=round(index_bytes / _MB, 2),
        objects_mb=round(objects_bytes / _MB, 2),
        share=round(index_bytes / max(objects_bytes, 1), 3),
    )
