"""The benchmark of consolidation, on a small store."""

from __future__ import annotations

from engram_hooks.bench import consolidation


def test_runs_are_measured_beside_a_writer() -> None:
    costs = consolidation.measure(count=120, lines=100, runs=2, seed=1)
    assert [cost.run for cost in costs] == [1, 2]
    assert costs[0].changes > 10
    assert costs[0].cpu_s > 0
    assert costs[0].lock_ms > 0
    assert set(costs[0].steps) >= {"merge", "decay"}
    assert [row[0] for row in consolidation.describe(costs)] == ["1", "2"]
