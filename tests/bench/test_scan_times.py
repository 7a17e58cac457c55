"""Finding by meaning at 100,000 vectors: what it finds, and what it costs beside a bare interpreter's start."""

from __future__ import annotations

from pathlib import Path

from engram_hooks.bench.scan import measure
from tests.support.bare_start import bare_start_s

LIBRARY, PEAK_MB, MIN_SPEEDUP = 1.6, 45, 1.3  # the first as a share of a bare start


def test_hundred_thousand_vectors(tmp_path: Path) -> None:
    (figure,) = measure(tmp_path, counts=(100_000,), queries=30, tick=lambda: None)
    assert figure.recall_stored >= 0.98
    assert figure.recall_float >= 0.97
    assert figure.bytes_each <= 300
    assert figure.library_cpu_ms < LIBRARY * 1000 * bare_start_s()
    assert figure.peak_mb < PEAK_MB
    assert figure.speedup > MIN_SPEEDUP
