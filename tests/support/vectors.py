"""Made-up vectors and segments for tests of scanning."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence

from engram_hooks.embed.encode import normalise, quantise, sign_bits


class ListedSegment:
    """A segment that lies in memory: (record id, stored vector) by slot."""

    def __init__(self, segment_id: int, rows: Sequence[tuple[int, bytes]], middle: bytes) -> None:
        self.id = segment_id
        self.row_count = len(rows)
        self._rows = rows
        signs = [sign_bits(stored, middle) for _, stored in rows]
        size = (len(rows) + 63) // 64 * 8
        self._planes = [
            sum((sign >> component & 1) << slot for slot, sign in enumerate(signs)).to_bytes(size, "little")
            for component in range(len(middle))
        ]

    def read_planes(self, components: Iterable[int]) -> Iterator[bytes]:
        """The planes of components in their order."""
        return iter([self._planes[component] for component in components])

    def read_rows(self, slots: Sequence[int]) -> list[tuple[int, bytes]]:
        """The rows of slots in their order."""
        return [self._rows[slot] for slot in slots]


def make_units(count: int, *, dims: int, seed: int) -> list[list[float]]:
    """Random unit vectors."""
    rng = random.Random(seed)
    return [normalise([rng.gauss(0, 1) for _ in range(dims)]) for _ in range(count)]


def make_rows(count: int, *, dims: int, seed: int, first_id: int = 1) -> list[tuple[int, bytes]]:
    """(record id, stored vector) of random vectors."""
    return [
        (first_id + at, quantise(unit)) for at, unit in enumerate(make_units(count, dims=dims, seed=seed))
    ]


def zero_middle(dims: int) -> bytes:
    """The middle of vectors that lie about zero."""
    return bytes([128]) * dims


def make_tail(rows: Iterable[tuple[int, bytes]], middle: bytes) -> list[tuple[int, bytes, bytes]]:
    """Rows of the tail: (record id, sign bits, stored vector)."""
    size = len(middle) // 8
    return [(one, sign_bits(stored, middle).to_bytes(size, "little"), stored) for one, stored in rows]


def cosine(query: Sequence[float], stored: bytes) -> float:
    """The cosine of a unit vector with a stored one, in floating point."""
    plain = [byte - 128 for byte in stored]
    length: float = sum(value * value for value in plain) ** 0.5
    return sum(a * b for a, b in zip(query, plain, strict=True)) / length
