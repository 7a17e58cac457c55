"""The graph of what records speak of: read for one project, narrowed to what stands around one thing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from sqlite3 import Connection
from typing import Any

from engram_hooks.curate.record import short_id
from engram_hooks.curate.relations.words import normalise_name
from engram_hooks.errors import EngramError
from engram_hooks.store import relations
from engram_hooks.store.records import TOLD

MAX_HOPS = 6
_MAX_NEAR = 5
_KINDS = "person", "file", "symbol", "service", "tool", "concept"


@dataclass(frozen=True, slots=True)
class Note:
    """A record that says something of things: when it holds (ms UTC) and whether it is told as true.

    `branch` is another branch than the one here that it was made on.
    """

    id: str
    number: int
    summary: str
    status: str
    valid_from: int
    valid_to: int | None
    created_at: int
    expired_at: int | None
    is_live: bool
    branch: str = ""

    @property
    def ends_at(self) -> int | None:
        """When it stopped to hold, in the world or for us; None while it does."""
        return None if self.is_live else self.valid_to if self.valid_to is not None else self.expired_at


@dataclass(frozen=True, slots=True)
class Node:
    """A thing, and the numbers of the records that speak of it."""

    norm: str
    name: str
    kind: str
    notes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Edge:
    """How one thing stands to another, by one record."""

    source: str
    kind: str
    target: str
    note: int


@dataclass(frozen=True, slots=True)
class Graph:
    """Things, their relations and the records behind them; `centre` is what it was narrowed to."""

    nodes: Mapping[str, Node]
    edges: tuple[Edge, ...]
    notes: Mapping[int, Note]
    centre: str = ""
    as_of_ms: int | None = None


def read_graph(
    db: Connection,
    project_ids: Sequence[int],
    *,
    branch: str = "",
    now_ms: int,
    as_of_ms: int | None = None,
) -> Graph:
    """The whole graph of these projects; what was kept for another branch than `branch` is left out."""
    notes = {
        row[0]: _make_note(row, now_ms, branch)
        for row in relations.read_holders(db, project_ids)
        if _is_here(row, branch)
    }
    if as_of_ms is not None:
        notes = {
            number: replace(note, is_live=True) for number, note in notes.items() if holds_at(note, as_of_ms)
        }
    mentions = [one for one in relations.read_mentions(db, project_ids) if one[3] in notes]
    links = [Edge(*one) for one in relations.read_links(db, project_ids) if one[3] in notes]
    return Graph(_make_nodes(mentions), tuple(links), notes, as_of_ms=as_of_ms)


def holds_at(note: Note, at_ms: int) -> bool:
    """Whether what a record says was true at a moment, by what is known today."""
    return note.valid_from <= at_ms and (note.valid_to is None or note.valid_to > at_ms)


def find_node(graph: Graph, text: str) -> Node:
    """The thing that a person means: by its name, the end of its path, or the only one that begins so.

    Raises `EngramError` where there is none, or more than one.
    """
    from difflib import get_close_matches

    wanted = normalise_name(text)
    if wanted in graph.nodes:
        return graph.nodes[wanted]
    ends = [norm for norm in graph.nodes if norm.endswith(("/" + wanted, "." + wanted))]
    starts = [norm for norm in graph.nodes if wanted and norm.startswith(wanted)]
    for found in (ends, starts):
        if len(found) == 1:
            return graph.nodes[found[0]]
    near = [*ends, *starts] or get_close_matches(wanted, list(graph.nodes), n=_MAX_NEAR)
    names = ", ".join(graph.nodes[norm].name for norm in near[:_MAX_NEAR])
    if near:
        raise EngramError(f"nothing is called {text[:60]!r}", hint=f"near to it: {names}")
    raise EngramError(f"no note speaks of {text[:60]!r}", hint="engram graph")


def narrow(graph: Graph, centre: str, *, hops: int = 1) -> Graph:
    """What can be reached from `centre` by at most `hops` relations, in either direction."""
    beside: dict[str, set[str]] = {}
    for edge in graph.edges:
        beside.setdefault(edge.source, set()).add(edge.target)
        beside.setdefault(edge.target, set()).add(edge.source)
    reached = rim = {centre}
    for _ in range(min(hops, MAX_HOPS)):
        rim = {other for norm in rim for other in beside.get(norm, ())} - reached
        reached = reached | rim
    nodes = {norm: node for norm, node in graph.nodes.items() if norm in reached}
    edges = tuple(edge for edge in graph.edges if edge.source in reached and edge.target in reached)
    numbers = {edge.note for edge in edges} | {number for node in nodes.values() for number in node.notes}
    notes = {number: note for number, note in graph.notes.items() if number in numbers}
    return Graph(nodes, edges, notes, centre, graph.as_of_ms)


def to_json(graph: Graph) -> dict[str, Any]:
    """The graph as plain values: moments in ms UTC, each relation once for each record that says it."""
    return {
        "entity": graph.centre or None,
        "as_of": graph.as_of_ms,
        "nodes": [
            {
                "id": node.norm,
                "name": node.name,
                "kind": node.kind,
                "records": [graph.notes[number].id for number in node.notes],
            }
            for node in graph.nodes.values()
        ],
        "edges": [_edge_to_json(edge, graph.notes[edge.note]) for edge in graph.edges],
    }


def _edge_to_json(edge: Edge, note: Note) -> dict[str, Any]:
    return {
        "source": edge.source,
        "kind": edge.kind,
        "target": edge.target,
        "record": note.id,
        "summary": note.summary,
        "status": note.status,
        "live": note.is_live,
        "valid_from": note.valid_from,
        "valid_to": note.valid_to,
        "created_at": note.created_at,
        "expired_at": note.expired_at,
        "branch": note.branch,
    }


def _is_here(row: relations.Holder, branch: str) -> bool:
    return bool(row[8] != "branch" or row[9] == branch)


def _make_note(row: relations.Holder, now_ms: int, branch: str) -> Note:
    number, kind, summary, status, valid_from, valid_to, created_at, expired_at, *_ = row
    is_live = status in TOLD and valid_from <= now_ms and (valid_to is None or valid_to > now_ms)
    return Note(
        short_id(kind, number),
        number,
        summary,
        status,
        valid_from,
        valid_to,
        created_at,
        expired_at,
        is_live,
        row[9] if row[9] != branch else "",
    )


def _make_nodes(mentions: Iterable[relations.Mention]) -> dict[str, Node]:
    """One node a thing, most mentioned first: written and classed as most of these records do."""
    names: dict[str, Counter[str]] = {}
    kinds: dict[str, Counter[str]] = {}
    notes: dict[str, list[int]] = {}
    for norm, name, kind, number in mentions:
        names.setdefault(norm, Counter())[name] += 1
        kinds.setdefault(norm, Counter())[kind] += kind != "concept"
        notes.setdefault(norm, []).append(number)
    order = sorted(notes, key=lambda norm: (-len(notes[norm]), norm))
    return {
        norm: Node(
            norm,
            names[norm].most_common(1)[0][0],
            min(kinds[norm], key=lambda kind: (-kinds[norm][kind], _KINDS.index(kind))),
            tuple(notes[norm]),
        )
        for norm in order
    }
