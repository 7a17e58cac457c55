"""What records speak of, as commands and the facade ask it; what that needs is loaded when it is asked."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING

from engram_hooks.curate.moments import parse_moment
from engram_hooks.errors import StoreBusy, StoreReadOnly

if TYPE_CHECKING:
    from engram_hooks.curate.relations.graph import Graph
    from engram_hooks.memory import Engram

DERIVE_S = 10.0


def graph_here(memory: Engram, entity: str = "", *, as_of: object = None, hops: int = 1) -> Graph:
    """What the records of this project and the global layer speak of; around `entity`, where one is given.

    With `as_of` only what held then; without it what held once is there too, marked. Raises `EngramError` for
    a thing that nothing speaks of, `UsageError` for what is no date.
    """
    from engram_hooks.curate.relations.deriving import derive_relations
    from engram_hooks.curate.relations.graph import find_node, narrow, read_graph

    now_ms = time.time_ns() // 1_000_000
    as_of_ms = None if as_of is None else parse_moment(as_of, is_end=True)
    with suppress(StoreReadOnly, StoreBusy):
        derive_relations(memory.db, now_ms=now_ms, until=time.monotonic() + DERIVE_S)
    project_ids = list(dict.fromkeys((memory.project_id or 0, 0)))
    graph = read_graph(memory.db, project_ids, branch=memory.branch, now_ms=now_ms, as_of_ms=as_of_ms)
    return narrow(graph, find_node(graph, entity).norm, hops=hops) if entity.strip() else graph
