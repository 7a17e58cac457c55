"""What replaced what: the chains of successors that records stand in."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from sqlite3 import Connection

_MAX_STEPS = 64
_MAX_IDS = 200


def read_links(db: Connection, record_ids: Iterable[int]) -> dict[int, int | None]:
    """The records that stand in one chain with any of these: each with its successor, None at the end of a chain.

    Chains are followed both ways; one of more than 64 steps is cut.
    """
    links: dict[int, int | None] = {}
    seen: set[int] = set()
    edge = list(dict.fromkeys(record_ids))
    for _ in range(_MAX_STEPS):
        seen.update(edge)
        for start in range(0, len(edge), _MAX_IDS):
            links.update(_step(db, edge[start : start + _MAX_IDS]))
        edge = sorted((links.keys() | {after for after in links.values() if after is not None}) - seen)
        if not edge:
            break
    return links


def find_ends(links: dict[int, int | None]) -> dict[int, int]:
    """For every record the one that its chain ends with; records with one end belong together."""
    ends: dict[int, int] = {}
    for record_id in links:
        path: list[int] = []
        here = record_id
        while here not in ends and here not in path:
            path.append(here)
            after = links.get(here)
            if after is None or after not in links:
                break
            here = after
        end = ends.get(here, here)
        ends.update(dict.fromkeys(path, end))
    return ends


def _step(db: Connection, record_ids: list[int]) -> list[tuple[int, int | None]]:
    marks = ", ".join("?" * len(record_ids))
    return db.execute(
        f"SELECT id, superseded_by FROM records WHERE id IN ({marks})"  # noqa: S608 (only marks)
        f" UNION SELECT id, superseded_by FROM records WHERE superseded_by IN ({marks})",
        (*record_ids, *record_ids),
    ).fetchall()
