"""The nearest vectors with numpy: the same two stages as `embed.planes`, for many queries at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engram_hooks.embed.encode import scale_of
from engram_hooks.embed.planes import (
    NEWEST,
    add_up,
    choose,
    count_candidates,
    pick_from_tail,
    weigh,
    whole_factors,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from engram_hooks.embed.planes import Found, Keep, Segment, TailRow, Weight

    Words = NDArray[np.uint64]

# words of 64 bits that are added up together: a plane's part then stays in the processor's caches
CHUNK_WORDS = 4_096
EVERYTHING = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


def search(
    query: Sequence[float],
    segments: Sequence[Segment],
    tail: Sequence[TailRow],
    *,
    limit: int,
    keep: Keep | None = None,
) -> Found:
    """At most `limit` (record id, cosine), best first; what `planes.search` finds."""
    return Index(segments, tail, dims=len(query)).search([query], limit=limit, keep=keep)[0]


class Index:
    """Segments whose planes are in memory (`dims` bits a vector); stored vectors are read when they are needed."""

    def __init__(self, segments: Sequence[Segment], tail: Sequence[TailRow], *, dims: int) -> None:
        self._segments = segments
        self._tail = tail
        self._row_count = sum(segment.row_count for segment in segments)
        parts = [_read_words(segment, dims) for segment in segments]
        self._planes: Words = np.concatenate([np.zeros((dims, 0), np.uint64), *parts], axis=1)
        # where each segment's first word is: segments fill whole words
        self._starts = np.cumsum([0, *(part.shape[1] for part in parts)])
        valid = [_fill_words(segment.row_count) for segment in segments]
        self._valid: Words = np.concatenate([np.zeros(0, np.uint64), *valid])

    def search(
        self, queries: Sequence[Sequence[float]], *, limit: int, keep: Keep | None = None
    ) -> list[Found]:
        """For each unit vector at most `limit` (record id, cosine), best first."""
        return [self._search_one(query, limit=limit, keep=keep) for query in queries]

    def _search_one(self, query: Sequence[float], *, limit: int, keep: Keep | None) -> Found:
        weights = weigh(query)
        from_tail = pick_from_tail(weights, self._tail)
        wanted = count_candidates(self._row_count, taken=len(from_tail))
        places = self._pick_best(self._count_agreement(weights), wanted)
        candidates = [(NEWEST, record_id, stored) for record_id, _, stored in from_tail]
        owners = np.searchsorted(self._starts, places // 64, side="right") - 1
        for at, segment in enumerate(self._segments):
            slots = (places[owners == at] - 64 * self._starts[at]).tolist()
            if slots:
                candidates += [(segment.id, *row) for row in segment.read_rows(slots)]
        cosines = rescore(query, [stored for _, _, stored in candidates])
        ranked = [(value, row[1], row[0]) for value, row in zip(cosines, candidates, strict=True)]
        return choose(ranked, limit=limit, keep=keep)

    def _count_agreement(self, weights: Sequence[Weight]) -> list[Words]:
        """Binary digits of every vector's weighted sum of components that agree, the highest first."""
        words = self._planes.shape[1]
        digits = np.zeros((1 + sum(weight for _, _, weight in weights).bit_length(), words), np.uint64)
        for start in range(0, words, CHUNK_WORDS):
            part = slice(start, start + CHUNK_WORDS)
            planes = (
                (self._planes[at, part] if is_positive else self._planes[at, part] ^ EVERYTHING, weight)
                for at, is_positive, weight in weights
            )
            for level, bits in add_up(planes):
                digits[level, part] = bits
        return list(digits[::-1])

    def _pick_best(self, digits: list[Words], wanted: int) -> NDArray[np.int64]:
        """The places of the `wanted` highest sums, of equal ones the first."""
        above, equal, left = np.zeros_like(self._valid), self._valid, wanted
        for bits in digits:
            ones = equal & bits
            found = int(np.bitwise_count(ones).sum())
            if found > left:
                equal = ones
                continue
            left -= found
            above, equal = above | ones, equal ^ ones
        return np.concatenate([_positions(above), _positions(equal)[:left]])


def rescore(query: Sequence[float], rows: Sequence[bytes]) -> list[float]:
    """The cosines of a unit vector with stored ones: whole numbers throughout, as `planes.rescore` has them."""
    if not rows:
        return []
    factors, unit = whole_factors(query)
    matrix = np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), -1).astype(np.float64) - 128
    return [value / unit for value in (matrix @ np.array(factors, np.float64)).tolist()]


def rank_exactly(
    queries: NDArray[np.float32], stored: NDArray[np.uint8], *, limit: int, chunk_rows: int = 16_384
) -> NDArray[np.int64]:
    """The rows of the `limit` greatest cosines for each query, best first, by looking at every stored vector."""
    best = np.full((len(queries), limit), -np.inf, np.float32)
    rows = np.zeros((len(queries), limit), np.int64)
    for start in range(0, len(stored), chunk_rows):
        part = stored[start : start + chunk_rows].astype(np.float32) - 128
        scores = np.concatenate([best, queries @ part.T / np.float32(scale_of(queries.shape[1]))], axis=1)
        places = np.concatenate(
            [rows, np.broadcast_to(np.arange(start, start + len(part)), (len(rows), len(part)))], 1
        )
        top = np.argsort(-scores, axis=1, kind="stable")[:, :limit]
        best, rows = np.take_along_axis(scores, top, 1), np.take_along_axis(places, top, 1)
    return rows


def _read_words(segment: Segment, dims: int) -> Words:
    planes = b"".join(segment.read_planes(range(dims)))
    return np.frombuffer(planes, np.uint64).reshape(dims, -1)


def _fill_words(count: int) -> Words:
    """As many words as `count` bits need, with exactly these bits set."""
    words = np.full((count + 63) // 64, EVERYTHING, np.uint64)
    if count % 64:
        words[-1] = (1 << count % 64) - 1
    return words


def _positions(words: Words) -> NDArray[np.int64]:
    filled = np.flatnonzero(words)
    if not len(filled):
        return np.zeros(0, np.int64)
    bits = np.unpackbits(words[filled].view(np.uint8), bitorder="little").reshape(len(filled), 64)
    rows, columns = np.nonzero(bits)
    return 64 * filled[rows] + columns
