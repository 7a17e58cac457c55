"""The nearest vectors without numpy: sign bits lie in planes, and whole numbers add thousands of them at once.

Stage 1 counts, for every vector of a segment together, how well its sign bits agree with the query, each
component weighed by its size; the best of all segments are rescored with their stored bytes (stage 2).
The same result as `embed.scan`, to the last bit.
"""

from __future__ import annotations

from engram_hooks.embed.encode import scale_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Protocol, TypeVar

    from numpy import uint64
    from numpy.typing import NDArray

    Bits = TypeVar("Bits", int, NDArray[uint64])

    # (component, whether the query's is positive, how much it counts)
    Weight = tuple[int, bool, int]
    # (record id, sign bits as little-endian bytes, stored vector)
    TailRow = tuple[int, bytes, bytes]
    # ids -> for each that may be found: the newest segment whose copy of it is out of date, 0 for none
    Keep = Callable[[Sequence[int]], Mapping[int, int]]
    Found = list[tuple[int, float]]
    # (segment id, record id, stored vector)
    Candidate = tuple[int, int, bytes]

    class Segment(Protocol):
        """Vectors that were sealed together: slot s is bit s of each plane."""

        @property
        def id(self) -> int:
            """A number greater than that of any older segment."""

        @property
        def row_count(self) -> int:
            """How many vectors it holds."""

        def read_planes(self, components: Iterable[int]) -> Iterator[bytes]:
            """The planes of components in their order, each of row_count bits, little-endian."""

        def read_rows(self, slots: Sequence[int]) -> list[tuple[int, bytes]]:
            """(record id, stored vector) of slots in their order."""


MAX_CANDIDATES = 200
MAX_TAIL_CANDIDATES = 64
MAX_WEIGHT = 7
_MAX_DIGITS = 20
NEWEST = 1 << 62  # the tail is newer than any segment
_LANE_BYTES = 3
_LANE_SUM = 65_000
_FILLED = b"\0" + b"\1" * 255


def search(
    query: Sequence[float],
    segments: Sequence[Segment],
    tail: Sequence[TailRow],
    *,
    limit: int,
    keep: Keep | None = None,
) -> Found:
    """At most `limit` (record id, cosine), best first; `query` is a unit vector.

    `keep` says which of the records found may be told, and is asked for the best only.
    """
    weights = weigh(query)
    from_tail = pick_from_tail(weights, tail)
    total = sum(segment.row_count for segment in segments)
    wanted = count_candidates(total, taken=len(from_tail))
    counts = [count_agreement(segment, weights) for segment in segments]
    picked = pick_best(counts, [segment.row_count for segment in segments], wanted)
    candidates: list[Candidate] = [(NEWEST, record_id, stored) for record_id, _, stored in from_tail]
    for segment, slots in zip(segments, picked, strict=True):
        if slots:
            candidates += [(segment.id, *row) for row in segment.read_rows(slots)]
    cosines = rescore(query, [stored for _, _, stored in candidates])
    ranked = [(value, row[1], row[0]) for value, row in zip(cosines, candidates, strict=True)]
    return choose(ranked, limit=limit, keep=keep)


def weigh(query: Sequence[float]) -> list[Weight]:
    """How much each component counts: its size in units of the mean size, rounded; zeros are left out."""
    root = len(query) ** 0.5
    weights = []
    for at, value in enumerate(query):
        weight = int(value * root + 0.5) if value > 0 else int(0.5 - value * root)
        if weight:
            weights.append((at, value > 0, weight if weight < MAX_WEIGHT else MAX_WEIGHT))
    return weights


def count_candidates(total: int, *, taken: int = 0) -> int:
    """How many of `total` sealed vectors are rescored, where `taken` others are already."""
    most = 96 if total <= 2_000 else 160 if total <= 20_000 else MAX_CANDIDATES
    return min(total, most - taken)


def count_agreement(segment: Segment, weights: Sequence[Weight]) -> list[tuple[int, int]]:
    """For all vectors of a segment the sum of the weights of components that agree, as binary digits:

    (k, bits) where bit s of bits is digit k of slot s; lowest digit first, none where all are zero.
    """
    everything = (1 << segment.row_count) - 1
    planes = segment.read_planes([component for component, _, _ in weights])
    return add_up(
        (int.from_bytes(plane, "little") ^ (0 if is_positive else everything), weight)
        for plane, (_, is_positive, weight) in zip(planes, weights, strict=True)
    )


def add_up(planes: Iterable[tuple[Bits, int]]) -> list[tuple[int, Bits]]:
    """The weighted sum of planes of bits, for all places at once, as digits: (k, bits of digit k).

    Carries are kept apart until three of a kind are there, which takes five operations a plane.
    """
    levels: list[list[Bits]] = [[] for _ in range(_MAX_DIGITS)]
    for bits, weight in planes:
        level = 0
        while weight:
            if weight & 1:
                _add(levels, level, bits)
            weight >>= 1
            level += 1
    digits = []
    for level, waiting in enumerate(levels):
        if len(waiting) == 2:
            first, second = waiting
            digits.append((level, first ^ second))
            _add(levels, level + 1, first & second)
        elif waiting:
            digits.append((level, waiting[0]))
    return digits


def _add(levels: list[list[Bits]], level: int, bits: Bits) -> None:
    """Put bits into a level; three become one there and a carry in the next."""
    waiting = levels[level]
    while len(waiting) == 2:
        first, second = waiting
        differ = first ^ second
        levels[level] = [differ ^ bits]
        bits = first & second | differ & bits
        level += 1
        waiting = levels[level]
    waiting.append(bits)


def pick_best(counts: Sequence[list[tuple[int, int]]], sizes: Sequence[int], wanted: int) -> list[list[int]]:
    """The slots of the `wanted` highest counts over all segments; of equal ones the first."""
    equal = [(1 << size) - 1 for size in sizes]
    above = [0] * len(sizes)
    digits = [dict(count) for count in counts]
    left = wanted
    for level in range(max((max(own, default=0) for own in digits), default=0), -1, -1):
        ones = [same & own.get(level, 0) for same, own in zip(equal, digits, strict=True)]
        found = sum(mask.bit_count() for mask in ones)
        if found > left:
            equal = ones
            continue
        left -= found
        above = [mask | more for mask, more in zip(above, ones, strict=True)]
        equal = [mask ^ more for mask, more in zip(equal, ones, strict=True)]
    picked = []
    for mask, more in zip(above, equal, strict=True):
        ties = _positions(more, left)
        left -= len(ties)
        picked.append(_positions(mask, mask.bit_count()) + ties)
    return picked


def rescore(query: Sequence[float], rows: Sequence[bytes]) -> list[float]:
    """The cosines of a unit vector with stored ones, in lanes of 24 bits: one multiplication a component."""
    count, dims = len(rows), len(query)
    if not count:
        return []
    factors, unit = whole_factors(query)
    joined = b"".join(rows)
    columns = b"".join([joined[at::dims] for at in range(dims)])
    lanes = bytearray(_LANE_BYTES * len(columns))
    lanes[::_LANE_BYTES] = columns
    size = _LANE_BYTES * count
    plus = minus = start = 0
    for factor in factors:
        column = int.from_bytes(lanes[start : start + size], "little")
        start += size
        if factor > 0:
            plus += column * factor
        else:
            minus -= column * factor
    offset = 128 * sum(factors)
    ups, downs = plus.to_bytes(size, "little"), minus.to_bytes(size, "little")
    return [
        (int.from_bytes(ups[at : at + 3], "little") - int.from_bytes(downs[at : at + 3], "little") - offset)
        / unit
        for at in range(0, size, _LANE_BYTES)
    ]


def whole_factors(query: Sequence[float]) -> tuple[list[int], float]:
    """A unit vector in whole numbers whose sizes add up to under 2**16, and what a dot product is divided by."""
    step = _LANE_SUM / len(query) ** 0.5
    return [round(value * step) for value in query], step * scale_of(len(query))


def choose(ranked: list[tuple[float, int, int]], *, limit: int, keep: Keep | None) -> Found:
    """The best of (cosine, record id, segment id): each record once, by its newest copy."""
    newest: dict[int, tuple[int, float]] = {}
    for value, record_id, segment_id in ranked:
        if record_id not in newest or newest[record_id][0] < segment_id:
            newest[record_id] = (segment_id, value)
    order = sorted(((value, record_id) for record_id, (_, value) in newest.items()), reverse=True)
    if keep is None:
        return [(record_id, value) for value, record_id in order[:limit]]
    found: Found = []
    for start in range(0, len(order), 2 * limit):
        part = order[start : start + 2 * limit]
        void = keep([record_id for _, record_id in part])
        found += [(one, value) for value, one in part if one in void and newest[one][0] > void[one]]
        if len(found) >= limit:
            break
    return found[:limit]


def pick_from_tail(weights: Sequence[Weight], tail: Sequence[TailRow]) -> list[TailRow]:
    """The rows of the tail that agree best with the query; all of a short one."""
    if len(tail) <= MAX_TAIL_CANDIDATES:
        return list(tail)
    wanted = sum(1 << component for component, is_positive, _ in weights if is_positive)
    masks = [
        sum(1 << component for component, _, weight in weights if weight >> level & 1) for level in range(3)
    ]
    scored = []
    for at, row in enumerate(tail):
        differ = int.from_bytes(row[1], "little") ^ wanted
        loss = (differ & masks[0]).bit_count()
        loss += 2 * (differ & masks[1]).bit_count() + 4 * (differ & masks[2]).bit_count()
        scored.append((loss, at))
    scored.sort()
    return [tail[at] for _, at in scored[:MAX_TAIL_CANDIDATES]]


def _positions(mask: int, most: int) -> list[int]:
    """The first `most` positions of set bits."""
    found: list[int] = []
    if most <= 0:
        return found
    raw = mask.to_bytes((mask.bit_length() + 7) // 8, "little")
    filled = raw.translate(_FILLED)
    at = filled.find(1)
    while at >= 0 and len(found) < most:
        byte = raw[at]
        while byte:
            lowest = byte & -byte
            found.append(8 * at + lowest.bit_length() - 1)
            byte ^= lowest
        at = filled.find(1, at + 1)
    return found[:most]
