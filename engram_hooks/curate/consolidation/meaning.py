"""The stored vectors of told records, out of the store and its sealed files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engram_hooks.curate import backfill
from engram_hooks.embed.nearest import is_off
from engram_hooks.store import vectors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engram_hooks.curate.consolidation.work import Work

    Row = Mapping[str, Any]  # Any: columns of a record

ID_BYTES = 4
MAX_MADE = 2_048


def find_near(
    work: Work,
    rows: Sequence[Row],
    fresh: Sequence[Row],
    *,
    within: Sequence[str],
    floor: float,
    per_row: int,
) -> list[tuple[int, int, float]]:
    """(fresh id, other id, cosine) of rows near in meaning and equal in the columns `within`, the nearest first.

    At most `per_row` others of each fresh row; none where vectors are off or not made yet.
    """
    if is_off(work.environ) or not fresh:
        return []
    from engram_hooks.embed.pairs import find_pairs

    stored = read_vectors(work, sorted({row["project_id"] for row in fresh}))
    wanted = {row["id"] for row in fresh}
    groups: dict[tuple[object, ...], dict[int, bytes]] = {}
    for row in rows:
        if row["id"] in stored:
            groups.setdefault(tuple(row[name] for name in within), {})[row["id"]] = stored[row["id"]]
    found = [
        pair
        for own in groups.values()
        for pair in find_pairs(own, [one for one in own if one in wanted], floor=floor, per_row=per_row)
    ]
    return sorted(found, key=lambda pair: -pair[2])


def read_vectors(work: Work, project_ids: Sequence[int]) -> dict[int, bytes]:
    """Stored vectors by record id of these projects; those that are missing are made first, but in a dry run."""
    if not work.is_dry and vectors.has_todo(work.db):
        backfill.embed_missing(
            work.db, work.data, work.environ, now_ms=work.now_ms, limit=MAX_MADE, until=work.until
        )
    scan = vectors.open_scan(work.db, work.data, project_ids)
    if scan is None:
        return {}
    try:
        found: dict[int, tuple[int, bytes]] = {}
        dims = scan.model[3]
        for segment in scan.segments:
            rows = segment.read_all_rows()
            size = ID_BYTES + dims
            for start in range(0, len(rows), size):
                record_id = int.from_bytes(rows[start : start + ID_BYTES], "little")
                found[record_id] = (segment.id, rows[start + ID_BYTES : start + size])
        live = scan.keep(list(found))
        stored = {
            record_id: vector
            for record_id, (segment_id, vector) in found.items()
            if record_id in live and live[record_id] < segment_id
        }
        stored.update({record_id: bytes(vector) for record_id, _, vector in scan.tail})
        return stored
    finally:
        scan.close()
