"""Which stored vectors lie near each other, with numpy: new ones against all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engram_hooks.embed.encode import scale_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_BLOCK_ROWS = 256


def find_pairs(
    stored: Mapping[int, bytes], wanted: Sequence[int], *, floor: float, per_row: int
) -> list[tuple[int, int, float]]:
    """(wanted id, other id, cosine) of pairs above a floor, at most `per_row` others of each, best first.

    `stored` are vectors of one model by record id. A pair of two wanted records is found from both sides. Memory:
    four bytes a component, and a block of cosines.
    """
    ids = list(stored)
    rows = [at for at, record_id in enumerate(ids) if record_id in set(wanted)]
    if not rows or len(ids) < 2:
        return []
    raw = np.frombuffer(b"".join(stored.values()), np.uint8).reshape(len(ids), -1)
    matrix = raw.astype(np.float32) - 128
    matrix /= np.float32(scale_of(matrix.shape[1]))
    out: list[tuple[int, int, float]] = []
    for start in range(0, len(rows), _BLOCK_ROWS):
        part = rows[start : start + _BLOCK_ROWS]
        cosines = matrix[part] @ matrix.T
        cosines[np.arange(len(part)), part] = -1
        for at, row in enumerate(part):
            near = np.flatnonzero(cosines[at] >= floor)
            best = near[np.argsort(-cosines[at][near], kind="stable")][:per_row]
            out += [(ids[row], ids[int(other)], float(cosines[at][other])) for other in best]
    return out
