"""The benchmark of scanning: what it says of a small store, and that its vectors are what they claim to be."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from click.testing import CliRunner

from engram_hooks.bench.scan import make_vectors, measure
from engram_hooks.cli.bench import group


def test_figures_of_a_small_store(tmp_path: Path) -> None:
    ticks: list[int] = []
    (figure,) = measure(tmp_path, counts=(3000,), queries=20, tick=lambda: ticks.append(1))
    assert ticks == [1]
    assert figure.vectors == 3000
    assert figure.recall_stored >= 0.97
    assert figure.recall_float >= 0.95
    assert 288 < figure.bytes_each < 300
    assert 0 < figure.peak_mb < 45
    assert min(figure.library_cpu_ms, figure.numpy_ms, figure.float_ms, figure.fresh_ms) > 0


def test_vectors_are_the_same_for_the_same_seed_and_of_length_one() -> None:
    vectors, asked = make_vectors(500, queries=3)
    again, _ = make_vectors(500, queries=3)
    assert (vectors == again).all()
    assert vectors.shape == (500, 256)
    assert asked.shape == (3, 256)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_command_prints_a_table_and_json() -> None:
    text = CliRunner().invoke(group, ["scan", "--vectors", "500", "--queries", "5"])
    assert text.exit_code == 0, text.output
    assert "recall@10" in text.output
    found = CliRunner().invoke(group, ["scan", "--vectors", "500", "--queries", "5", "--json"])
    (row,) = json.loads(found.stdout)
    assert row["vectors"] == 500
