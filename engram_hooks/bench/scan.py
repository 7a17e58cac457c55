"""What finding the nearest vectors costs and misses: both implementations beside an exact scan in float32."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engram_hooks.embed import planes, scan
from engram_hooks.embed.batch import pack_segment, quantise_rows
from engram_hooks.embed.encode import quantise
from engram_hooks.errors import EngramError
from engram_hooks.store.segments import Segment, file_path, make_header, write_segment

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

DIMS = 256
LIMIT = 10
SEGMENT_ROWS = 131_072
# topics hold clusters, clusters hold vectors; with these numbers the cosines of the nearest, the tenth and the
# two hundredth of 100,000 are those of as many sentences of developers' text (0.66, 0.54, 0.38)
_TOPIC_ROWS, _CLUSTER_ROWS = 1_000, 25
_TOPIC_SHARE = 0.75
_CHUNK_ROWS = 65_536
_SHARED, _CLOSENESS = 0.24, (0.45, 0.95)
_SEED = 11


@dataclass(frozen=True, slots=True)
class Figure:
    """One store size: medians over the queries; `fresh_ms` and `peak_mb` are of a new process with one query.

    Recall is the share of the ten nearest that are found: of those by an exact scan of the stored bytes, and
    of those by an exact scan in float32.
    """

    vectors: int
    recall_stored: float
    recall_float: float
    library_cpu_ms: float
    numpy_ms: float
    float_ms: float
    speedup: float
    fresh_ms: float
    peak_mb: float
    bytes_each: float


def measure(folder: Path, *, counts: tuple[int, ...], queries: int, tick: Callable[[], None]) -> list[Figure]:
    """Figures for each number of made-up vectors, kept in files of `folder`; `tick` is called after each."""
    figures = []
    for count in counts:
        figures.append(_measure_one(folder / str(count), count, queries))
        tick()
    return figures


def make_vectors(count: int, *, queries: int, seed: int = _SEED) -> tuple[Floats, Floats]:
    """(`count` unit vectors, `queries` others of the same clusters), the same for the same seed."""
    rng = np.random.default_rng(seed)
    shared = _random_units(rng, 1)
    topics = _random_units(rng, max(1, count // _TOPIC_ROWS))
    centres = (1 - _TOPIC_SHARE**2) ** 0.5 * _random_units(rng, max(1, count // _CLUSTER_ROWS))
    centres += _TOPIC_SHARE * topics[rng.integers(0, len(topics), len(centres))]
    total = count + queries
    out = np.empty((total, DIMS), np.float32)
    for start in range(0, total, _CHUNK_ROWS):
        size = min(_CHUNK_ROWS, total - start)
        closeness = rng.uniform(*_CLOSENESS, (size, 1)).astype(np.float32)
        own = closeness * centres[rng.integers(0, len(centres), size)]
        part = own + np.sqrt(1 - closeness**2) * _random_units(rng, size) + _SHARED * shared
        out[start : start + size] = part / np.linalg.norm(part, axis=1, keepdims=True)
    return out[:count], out[count:]


def _random_units(rng: np.random.Generator, count: int) -> Floats:
    vectors = rng.standard_normal((count, DIMS), np.float32)
    units: Floats = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return units


def _measure_one(folder: Path, count: int, queries: int) -> Figure:
    vectors, asked = make_vectors(count, queries=queries)
    stored = np.empty((count, DIMS), np.uint8)
    for start in range(0, count, _CHUNK_ROWS):
        part = slice(start, start + _CHUNK_ROWS)
        stored[part] = quantise_rows(vectors[part].astype(np.float64))
    _write_segments(folder, stored, quantise(vectors[:_CHUNK_ROWS].mean(0).tolist()))
    by_stored = scan.rank_exactly(asked, stored, limit=LIMIT)
    with _open_segments(folder, count) as segments:
        found, times = _ask_three_ways(vectors, segments, asked)
    fresh = _measure_fresh(folder, count, asked[0].tolist())
    return Figure(
        vectors=count,
        recall_stored=_recall(found[0], by_stored.tolist()),
        recall_float=_recall(found[0], found[2]),
        library_cpu_ms=round(times[0] * 1000, 2),
        numpy_ms=round(times[1] * 1000, 2),
        float_ms=round(times[2] * 1000, 2),
        speedup=round(times[2] / times[1], 1),
        fresh_ms=round(fresh["cpu_ms"], 2),
        peak_mb=round(fresh["peak_mb"], 1),
        bytes_each=round(sum(file.stat().st_size for file in folder.rglob("*.seg")) / count, 1),
    )


def _ask_three_ways(
    vectors: Floats, segments: list[Segment], asked: Floats
) -> tuple[list[list[list[int]]], list[float]]:
    """(rows found, median seconds) of the standard library, of numpy, and of an exact scan in float32."""
    index = scan.Index(segments, [], dims=DIMS)

    def ask_library(query: Floats) -> list[int]:
        return [found - 1 for found, _ in planes.search(query.tolist(), segments, [], limit=LIMIT)]

    def ask_numpy(query: Floats) -> list[int]:
        return [found - 1 for found, _ in index.search([query.tolist()], limit=LIMIT)[0]]

    def ask_float(query: Floats) -> list[int]:
        cosines = vectors @ query
        near: list[int] = np.argpartition(-cosines, min(LIMIT, len(cosines) - 1))[:LIMIT].tolist()
        return near

    ways = [
        # threads of numpy that wait for work would count as the process's time
        _time_each(ask_library, asked, time.thread_time),
        _time_each(ask_numpy, asked, time.perf_counter),
        _time_each(ask_float, asked, time.perf_counter),
    ]
    if ways[0][0] != ways[1][0]:
        raise EngramError(
            "the two implementations do not find the same vectors", hint="this is a bug: report it"
        )
    return [found for found, _ in ways], [seconds for _, seconds in ways]


def _time_each(
    ask: Callable[[Floats], list[int]], queries: Floats, clock: Callable[[], float]
) -> tuple[list[list[int]], float]:
    """(answers, median seconds of a query); the first query is asked twice."""
    ask(queries[0])
    answers, times = [], []
    for query in queries:
        started = clock()
        answers.append(ask(query))
        times.append(clock() - started)
    return answers, statistics.median(times)


def _write_segments(folder: Path, stored: NDArray[np.uint8], middle: bytes) -> None:
    folder.mkdir(parents=True)
    for start in range(0, len(stored), SEGMENT_ROWS):
        part = stored[start : start + SEGMENT_ROWS]
        rows = [(start + at + 1, row.tobytes()) for at, row in enumerate(part)]
        row_count, parts = pack_segment([], rows, middle=middle)
        write_segment(file_path(str(folder), str(start)), [make_header(DIMS, row_count), *parts])


@contextmanager
def _open_segments(folder: Path, count: int) -> Iterator[list[Segment]]:
    segments = [
        Segment(
            file_path(str(folder), str(start)),
            segment_id=at + 1,
            row_count=min(SEGMENT_ROWS, count - start),
            dims=DIMS,
        )
        for at, start in enumerate(range(0, count, SEGMENT_ROWS))
    ]
    try:
        yield segments
    finally:
        for segment in segments:
            segment.close()


def _measure_fresh(folder: Path, count: int, query: list[float]) -> dict[str, float]:
    """CPU time of one query and peak memory of a process that does what a hook would do."""
    script = str(Path(__file__).with_name("scan_once.py"))
    order = {"folder": str(folder), "count": count, "rows": SEGMENT_ROWS, "query": query, "limit": LIMIT}
    package = str(Path(__file__).parents[2])
    runs = []
    for _ in range(5):
        done = subprocess.run(
            [sys.executable, "-I", "-S", script, package],
            input=json.dumps(order),
            capture_output=True,
            text=True,
            check=True,
        )
        runs.append(json.loads(done.stdout))
    return {key: statistics.median(run[key] for run in runs) for key in runs[0]}


def _recall(found: list[list[int]], wanted: list[list[int]]) -> float:
    shares = [len(set(a) & set(b)) / len(b) for a, b in zip(found, wanted, strict=True)]
    return round(statistics.mean(shares), 4)
