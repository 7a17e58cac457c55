"""Budgets of finding by meaning at 100,000 vectors, three times over for slow and busy machines."""

from __future__ import annotations

from pathlib import Path

from engram_hooks.bench.scan import measure

LIBRARY_MS, PEAK_MB, SPEEDUP = 8.0, 45, 4.0
SLACK = 3


def test_hundred_thousand_vectors(tmp_path: Path) -> None:
    (figure,) = measure(tmp_path, counts=(100_000,), queries=30, tick=lambda: None)
    assert figure.recall_stored >= 0.98
    assert figure.recall_float >= 0.97
    assert figure.bytes_each <= 300
    assert figure.library_cpu_ms < LIBRARY_MS * SLACK
    assert figure.peak_mb < PEAK_MB
    assert figure.speedup > SPEEDUP / SLACK
