"""Whatever the vectors are: both scans find the same, and counting in planes is counting."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from engram_hooks.embed import planes, scan
from engram_hooks.embed.encode import normalise
from tests.support.vectors import ListedSegment, make_tail

DIMS = 16
stored_vectors = st.binary(min_size=DIMS, max_size=DIMS).map(lambda raw: bytes(max(1, byte) for byte in raw))
queries = (
    st.lists(st.integers(-99, 99), min_size=DIMS, max_size=DIMS)
    .filter(any)
    .map(lambda values: normalise([float(value) for value in values]))
)


@st.composite
def stores(draw: st.DrawFn) -> tuple[list[ListedSegment], list[tuple[int, bytes, bytes]]]:
    """Some segments and a tail, whose record ids may repeat."""
    middle = draw(stored_vectors)
    row = st.tuples(st.integers(1, 60), stored_vectors)
    segments = [
        ListedSegment(at + 1, rows, middle)
        for at, rows in enumerate(draw(st.lists(st.lists(row, min_size=1, max_size=150), max_size=3)))
    ]
    return segments, make_tail(draw(st.lists(row, max_size=60)), middle)


@settings(max_examples=80, deadline=None)
@given(store=stores(), query=queries, limit=st.integers(1, 20))
def test_both_scans_find_the_same(
    store: tuple[list[ListedSegment], list[tuple[int, bytes, bytes]]], query: list[float], limit: int
) -> None:
    segments, tail = store
    found = planes.search(query, segments, tail, limit=limit)
    assert scan.search(query, segments, tail, limit=limit) == found
    ids = [record_id for record_id, _ in found]
    assert len(ids) == len(set(ids)) <= limit


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2**40 - 1), st.integers(1, 7)), max_size=30))
def test_sums_of_planes_are_sums(given_planes: list[tuple[int, int]]) -> None:
    digits = planes.add_up(given_planes)
    for slot in range(40):
        total = sum((bits >> slot & 1) << level for level, bits in digits)
        assert total == sum(weight * (bits >> slot & 1) for bits, weight in given_planes)


@settings(deadline=None)
@given(query=queries, rows=st.lists(stored_vectors, max_size=20))
def test_both_rescorings_agree_to_the_last_bit(query: list[float], rows: list[bytes]) -> None:
    assert planes.rescore(query, rows) == scan.rescore(query, rows)
