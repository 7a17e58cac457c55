"""Scanning with numpy: the exact ranking, several queries, and what the two implementations share."""

from __future__ import annotations

import numpy as np
import pytest

from engram_hooks.embed import planes, scan
from engram_hooks.embed.encode import quantise
from tests.support.vectors import ListedSegment, make_rows, make_tail, make_units, zero_middle

DIMS = 64
MIDDLE = zero_middle(DIMS)


@pytest.mark.parametrize("sizes", [(), (1,), (63, 64, 65), (700,), (2100, 300)])
@pytest.mark.parametrize("tail_size", [0, 3, 90])
def test_both_implementations_find_the_same(sizes: tuple[int, ...], tail_size: int) -> None:
    segments, first_id = [], 1
    for at, size in enumerate(sizes):
        rows = make_rows(size, dims=DIMS, seed=at, first_id=first_id)
        segments.append(ListedSegment(at + 1, rows, MIDDLE))
        first_id += size
    tail = make_tail(make_rows(tail_size, dims=DIMS, seed=99, first_id=first_id - min(first_id, 2)), MIDDLE)
    for query in make_units(5, dims=DIMS, seed=100):
        expected = planes.search(query, segments, tail, limit=12)
        assert scan.search(query, segments, tail, limit=12) == expected


def test_chunks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    segments = [ListedSegment(1, make_rows(500, dims=DIMS, seed=1), MIDDLE)]
    query = make_units(1, dims=DIMS, seed=2)[0]
    whole = scan.search(query, segments, [], limit=10)
    monkeypatch.setattr(scan, "CHUNK_WORDS", 3)
    assert scan.search(query, segments, [], limit=10) == whole


def test_several_queries_at_once() -> None:
    index = scan.Index([ListedSegment(1, make_rows(300, dims=DIMS, seed=1), MIDDLE)], [], dims=DIMS)
    queries = make_units(4, dims=DIMS, seed=3)
    assert index.search(queries, limit=5) == [index.search([query], limit=5)[0] for query in queries]
    assert index.search([], limit=5) == []


@pytest.mark.parametrize("chunk_rows", [7, 1000])
def test_exact_ranking_is_exact(chunk_rows: int) -> None:
    stored = np.frombuffer(b"".join(row for _, row in make_rows(200, dims=DIMS, seed=4)), np.uint8).reshape(
        200, DIMS
    )
    queries = np.array(make_units(3, dims=DIMS, seed=5), np.float32)
    plain = queries @ (stored.astype(np.float32) - 128).T
    ranked = scan.rank_exactly(queries, stored, limit=6, chunk_rows=chunk_rows)
    assert ranked.tolist() == np.argsort(-plain, axis=1, kind="stable")[:, :6].tolist()


def test_two_stages_find_what_the_exact_ranking_finds() -> None:
    rng = np.random.default_rng(6)
    centres = rng.standard_normal((40, DIMS))
    vectors = centres[rng.integers(0, 40, 4000)] + 0.8 * rng.standard_normal((4000, DIMS))
    rows = [
        (at + 1, quantise((vector / np.linalg.norm(vector)).tolist())) for at, vector in enumerate(vectors)
    ]
    index = scan.Index([ListedSegment(1, rows, MIDDLE)], [], dims=DIMS)
    stored = np.frombuffer(b"".join(row for _, row in rows), np.uint8).reshape(-1, DIMS)
    asked = vectors[:30] / np.linalg.norm(vectors[:30], axis=1, keepdims=True)
    exact = scan.rank_exactly(asked.astype(np.float32), stored, limit=10) + 1
    found = index.search(asked.tolist(), limit=10)
    shares = [
        len({one for one, _ in own} & set(best)) / 10 for own, best in zip(found, exact.tolist(), strict=True)
    ]
    assert np.mean(shares) > 0.85  # 64 components say less than the 256 of the table
