"""Scanning with the standard library: counting, picking, rescoring, choosing, each beside its plain form."""

from __future__ import annotations

import random

import pytest

from engram_hooks.embed.planes import (
    MAX_CANDIDATES,
    MAX_TAIL_CANDIDATES,
    MAX_WEIGHT,
    add_up,
    choose,
    count_agreement,
    count_candidates,
    pick_best,
    rescore,
    search,
    weigh,
)
from tests.support.vectors import ListedSegment, cosine, make_rows, make_tail, make_units, zero_middle

DIMS = 64
MIDDLE = zero_middle(DIMS)


def value_at(digits: list[tuple[int, int]], slot: int) -> int:
    return sum((bits >> slot & 1) << level for level, bits in digits)


def plain_agreement(query: list[float], stored: bytes) -> int:
    return sum(weight for at, is_positive, weight in weigh(query) if (stored[at] > 128) == is_positive)


@pytest.mark.parametrize("count", [1, 2, 3, 7, 40])
def test_sums_of_planes_are_sums(count: int) -> None:
    rng = random.Random(count)
    planes = [(rng.getrandbits(100), rng.randint(1, 7)) for _ in range(count)]
    digits = add_up(planes)
    for slot in range(100):
        assert value_at(digits, slot) == sum(weight * (bits >> slot & 1) for bits, weight in planes)


def test_no_planes_have_no_sum() -> None:
    assert add_up([]) == []


def test_counts_are_those_of_each_vector() -> None:
    rows = make_rows(130, dims=DIMS, seed=3)
    query = make_units(1, dims=DIMS, seed=4)[0]
    digits = count_agreement(ListedSegment(1, rows, MIDDLE), weigh(query))
    assert [value_at(digits, slot) for slot in range(130)] == [plain_agreement(query, row) for _, row in rows]


def test_weights_follow_size_and_leave_small_components_out() -> None:
    query = [0.0, 0.5, -0.5, 0.01, *[0.0] * 59, 0.7]
    assert weigh(query) == [(1, True, 4), (2, False, 4), (63, True, 6)]
    assert weigh([1.0, *[0.0] * 63]) == [(0, True, MAX_WEIGHT)]
    assert weigh([0.0] * 64) == []


@pytest.mark.parametrize("wanted", [0, 1, 5, 60, 150])
def test_picked_are_the_highest_and_of_equals_the_first(wanted: int) -> None:
    rng = random.Random(wanted)
    values = [[rng.randrange(12) for _ in range(size)] for size in (70, 80)]
    counts = [
        [(level, sum((value >> level & 1) << slot for slot, value in enumerate(own))) for level in range(4)]
        for own in values
    ]
    picked = pick_best(counts, [70, 80], wanted)
    flat = sorted((-values[at][slot], at, slot) for at in range(2) for slot in range(len(values[at])))
    assert sorted((at, slot) for at in range(2) for slot in picked[at]) == sorted(
        (at, slot) for _, at, slot in flat[:wanted]
    )


def test_rescoring_is_the_cosine() -> None:
    query = make_units(1, dims=DIMS, seed=1)[0]
    rows = [row for _, row in make_rows(50, dims=DIMS, seed=2)]
    for value, row in zip(rescore(query, rows), rows, strict=True):
        assert value == pytest.approx(cosine(query, row), abs=0.01)
    assert rescore(query, []) == []


def test_rescoring_holds_at_the_limits_of_its_lanes() -> None:
    for sign in (1.0, -1.0):
        query = [sign / 256**0.5] * 256
        high, low = bytes([255]) * 256, bytes([1]) * 256
        up, down = rescore(query, [high, low])
        assert up == pytest.approx(-down)
        assert up * sign == pytest.approx(256**0.5 * 127 / 480, rel=0.01)


def test_nearest_of_all_is_found() -> None:
    rows = make_rows(900, dims=DIMS, seed=5)
    segments = [ListedSegment(1, rows[:400], MIDDLE), ListedSegment(2, rows[400:850], MIDDLE)]
    tail = make_tail(rows[850:], MIDDLE)
    for query in make_units(20, dims=DIMS, seed=6):
        best = max(rows, key=lambda row: cosine(query, row[1]))
        found = search(query, segments, tail, limit=10)
        assert len(found) == 10
        assert best[0] in dict(found)
        assert [value for _, value in found] == sorted((value for _, value in found), reverse=True)


@pytest.mark.parametrize("where", ["segment", "tail", "nowhere"])
def test_few_vectors_are_all_found(where: str) -> None:
    rows = make_rows(5, dims=DIMS, seed=7)
    segments = [ListedSegment(1, rows, MIDDLE)] if where == "segment" else []
    tail = make_tail(rows, MIDDLE) if where == "tail" else []
    found = search(make_units(1, dims=DIMS, seed=8)[0], segments, tail, limit=9)
    assert sorted(record_id for record_id, _ in found) == ([] if where == "nowhere" else [1, 2, 3, 4, 5])


def test_long_tail_is_searched_too() -> None:
    rows = make_rows(300, dims=256, seed=9)
    tail = make_tail(rows, zero_middle(256))
    hits = 0
    for query in make_units(20, dims=256, seed=10):
        best = max(rows, key=lambda row: cosine(query, row[1]))
        hits += best[0] in dict(search(query, [], tail, limit=5))
    assert hits == 20


def test_number_of_candidates_grows_with_the_store_and_is_bounded() -> None:
    sizes = [count_candidates(total) for total in (0, 10, 1_000, 10_000, 100_000, 10**6)]
    assert sizes == sorted(sizes)
    assert sizes[:2] == [0, 10]
    assert sizes[-1] == MAX_CANDIDATES
    assert count_candidates(10**6, taken=MAX_TAIL_CANDIDATES) + MAX_TAIL_CANDIDATES == MAX_CANDIDATES


def test_record_is_found_once_by_its_newest_copy() -> None:
    ranked = [(0.9, 1, 3), (0.2, 1, 8), (0.5, 2, 3)]
    assert choose(ranked, limit=5, keep=None) == [(2, 0.5), (1, 0.2)]


def test_only_kept_records_are_found_and_only_by_valid_copies() -> None:
    ranked = [(0.9 - at / 100, at, 5) for at in range(1, 40)]

    def keep(record_ids: object) -> dict[int, int]:
        assert isinstance(record_ids, list)
        return {one: 5 if one == 4 else 0 for one in record_ids if one % 2 == 0}

    found = choose(ranked, limit=6, keep=keep)
    assert [one for one, _ in found] == [2, 6, 8, 10, 12, 14]


def test_keeping_nothing_finds_nothing() -> None:
    assert choose([(0.5, 1, 1)], limit=3, keep=lambda ids: {}) == []
