"""Many texts at once with numpy: the same vectors as `embed.encode`, and segments packed from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engram_hooks.embed.encode import MAX_TOKENS, scale_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from engram_hooks.embed.encode import Table

    Bytes = NDArray[np.uint8]

CHUNK_TOKENS = 16_384  # each takes a row of whole numbers in memory: 16 MB
_PACK_ROWS = 8_192
ID_BYTES = 4


def read_matrix(table: Table) -> NDArray[np.int8]:
    """All rows of a table."""
    rows = np.frombuffer(table.read_rows(), np.uint8).reshape(table.row_count, table.dims)
    return (rows ^ 0x80).view(np.int8)


def encode_texts(
    table: Table, matrix: NDArray[np.int8], texts: Sequence[str], *, max_tokens: int = MAX_TOKENS
) -> list[bytes]:
    """The stored vector of each text, b'' where the table knows none of its words."""
    out: list[bytes] = []
    waiting: list[Sequence[int]] = []
    count = 0
    for text in texts:
        waiting.append(table.find_rows(text, max_tokens=max_tokens))
        count += len(waiting[-1])
        if count >= CHUNK_TOKENS:
            out += _add_up(matrix, waiting)
            waiting, count = [], 0
    return out + _add_up(matrix, waiting)


def _add_up(matrix: NDArray[np.int8], tokens: Sequence[Sequence[int]]) -> list[bytes]:
    """The stored vector of each list of rows, b'' of an empty one."""
    filled = [rows for rows in tokens if rows]
    if not filled:
        return [b""] * len(tokens)
    starts = np.cumsum([0, *(len(rows) for rows in filled[:-1])])
    flat = np.array([row for rows in filled for row in rows])
    stored = iter(quantise_rows(np.add.reduceat(matrix[flat].astype(np.int32), starts)))
    return [next(stored).tobytes() if rows else b"" for rows in tokens]


def quantise_rows(vectors: NDArray[np.int32] | NDArray[np.float64]) -> Bytes:
    """Vectors of any length other than 0, as they are stored; rounded as `encode.quantise` does."""
    wide = vectors.astype(np.float64)
    # the power, not numpy's root, which may differ in the last bit
    lengths = np.array([square**0.5 for square in (wide * wide).sum(1).tolist()])
    scaled = np.rint(wide / lengths[:, None] * scale_of(vectors.shape[1])) + 128
    stored: Bytes = np.clip(scaled, 1, 255).astype(np.uint8)
    return stored


def sign_rows(stored: Bytes, middle: bytes) -> list[bytes]:
    """The sign bits of stored vectors, as little-endian bytes."""
    bits = np.packbits(stored > np.frombuffer(middle, np.uint8), axis=1, bitorder="little")
    return [row.tobytes() for row in bits]


def pack_segment(
    sealed: Sequence[tuple[bytes, Collection[int]]], tail: Sequence[tuple[int, bytes]], *, middle: bytes
) -> tuple[int, list[bytes]]:
    """(number of rows, planes and rows as a segment's file has them) of older rows and new ones.

    `sealed` are the rows of older segments, each with the records in it that are left out; `tail` are
    (record id, stored vector).
    """
    dims = len(middle)
    parts = [_read_live(rows, gone, dims) for rows, gone in sealed]
    new = np.frombuffer(b"".join(stored for _, stored in tail), np.uint8).reshape(len(tail), dims)
    ids = np.array([record_id for record_id, _ in tail], "<u4").view(np.uint8).reshape(-1, ID_BYTES)
    rows = np.concatenate([*parts, np.concatenate([ids, new], axis=1)])
    planes = _pack_planes(rows[:, ID_BYTES:], np.frombuffer(middle, np.uint8))
    return len(rows), [planes.tobytes(), rows.tobytes()]


def _pack_planes(stored: Bytes, middle: Bytes) -> Bytes:
    """Bit s of plane i says whether component i of row s lies above the middle; planes are whole words."""
    planes = np.zeros((stored.shape[1], (len(stored) + 63) // 64 * 8), np.uint8)
    for start in range(0, len(stored), _PACK_ROWS):
        bits = np.packbits((stored[start : start + _PACK_ROWS] > middle).T, axis=1, bitorder="little")
        planes[:, start // 8 : start // 8 + bits.shape[1]] = bits
    return planes


def _read_live(rows: bytes, gone: Collection[int], dims: int) -> Bytes:
    """Rows of a segment without those of some records, and without those that were erased (record 0)."""
    both = np.frombuffer(rows, np.uint8).reshape(-1, ID_BYTES + dims)
    ids = both[:, :ID_BYTES].copy().view("<u4").reshape(-1)
    return both[~np.isin(ids, np.fromiter({0, *gone}, np.uint32))]
