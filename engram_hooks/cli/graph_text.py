"""A graph in a terminal: a thing with what stands around it as a small tree, or all things as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from engram_hooks.cli import output

if TYPE_CHECKING:
    from engram_hooks.curate.relations.graph import Edge, Graph, Note

# relation: (how it reads from its source, how from its target)
WORDINGS = {
    "uses": ("uses", "used by"),
    "replaces": ("replaces", "replaced by"),
    "chosen_over": ("chosen over", "passed over for"),
    "depends_on": ("depends on", "needed by"),
    "runs_on": ("runs on", "runs"),
    "part_of": ("part of", "has"),
    "owned_by": ("owned by", "owns"),
    "conflicts_with": ("conflicts with", "conflicts with"),
    "configured_by": ("configured by", "configures"),
    "fixes": ("fixes", "fixed by"),
}
MAX_LISTED = 30
MAX_NOTES = 8
_NAME_CHARS = 60
_TEXT_CHARS = 100


def draw(graph: Graph) -> list[str]:
    """The lines of a graph: a tree where it was narrowed to one thing, else a table."""
    if not graph.nodes:
        return ["No note speaks of a thing that engram knows by its name yet."]
    return _draw_around(graph) if graph.centre else _draw_all(graph)


def tell(kind: str, *, is_forward: bool) -> str:
    """How a relation reads from its source, or from its target."""
    return WORDINGS.get(kind, (kind.replace("_", " "),) * 2)[0 if is_forward else 1]


def _draw_all(graph: Graph) -> list[str]:
    degrees: dict[str, int] = {}
    for edge in graph.edges:
        for end in {edge.source, edge.target}:
            degrees[end] = degrees.get(end, 0) + 1
    nodes = list(graph.nodes.values())
    rows = [
        (
            _name(node.name),
            node.kind,
            output.count(len(node.notes), "note"),
            output.count(degrees[node.norm], "relation") if node.norm in degrees else "",
        )
        for node in nodes[:MAX_LISTED]
    ]
    lines = [output.table(rows)]
    if len(nodes) > MAX_LISTED:
        lines.append(
            output.style(
                f"and {len(nodes) - MAX_LISTED:,} more: engram graph --format html --out FILE", "dim"
            )
        )
    lines.append(output.style("engram graph THING shows what stands around one of them", "dim"))
    return lines


def _draw_around(graph: Graph) -> list[str]:
    node = graph.nodes[graph.centre]
    notes = [graph.notes[number] for number in node.notes]
    lines = [
        f"{output.style(_name(node.name), 'bold')}  "
        + output.style(f"{node.kind}, {output.count(len(notes), 'note')}", "dim")
    ]
    lines += _draw_branches(graph, graph.centre, seen={graph.centre}, indent="")
    if notes:
        lines.append("")
    for note in sorted(notes, key=lambda one: (not one.is_live, -one.valid_from))[:MAX_NOTES]:
        text = (
            f"{output.style(note.id, 'id')}  {output.line(note.summary, max_chars=200)}{_dim(_since(note))}"
        )
        lines.append(text)
    if len(notes) > MAX_NOTES:
        lines.append(
            output.style(f"and {output.count(len(notes) - MAX_NOTES, 'more note', 'more notes')}", "dim")
        )
    return lines


def _draw_branches(graph: Graph, norm: str, *, seen: set[str], indent: str) -> Iterator[str]:
    """Each relation of a thing once, with the notes that say it; then what stands around its other end."""
    found = list(_relations_of(graph, norm, seen))
    new = {other for _, _, other, _ in found}
    deeper = seen | new
    told: set[str] = set()
    for at, (_, wording, other, edges) in enumerate(found):
        is_last = at == len(found) - 1
        notes = [graph.notes[edge.note] for edge in edges]
        is_live = any(note.is_live for note in notes)
        best = max(notes, key=lambda note: (note.is_live, note.valid_from))
        name = _name(graph.nodes[other].name)
        text = f"{wording} {name if is_live else output.style(name, 'dim')}"
        ids = " ".join(output.style(note.id, "id") for note in notes[:3])
        yield f"{indent}{'└─' if is_last else '├─'} {text}  {ids}{_dim(_since(best))}"
        if other not in told and other not in seen:
            told.add(other)
            yield from _draw_branches(
                graph, other, seen=deeper, indent=indent + ("   " if is_last else "│  ")
            )


def _relations_of(graph: Graph, norm: str, seen: set[str]) -> Iterator[tuple[bool, str, str, Sequence[Edge]]]:
    """(is past, wording, other end, relations) of one thing: what holds before what held, alike together."""
    found: list[tuple[str, str, Edge]] = []
    for edge in graph.edges:
        if edge.source == norm:
            found.append((tell(edge.kind, is_forward=True), edge.target, edge))
        elif edge.target == norm:
            found.append((tell(edge.kind, is_forward=False), edge.source, edge))
    # within a tree a relation is drawn from the end that comes first
    found = [one for one in found if one[1] not in seen or len(seen) == 1]
    found.sort(key=lambda one: one[:2])
    groups = []
    for (wording, other), group in groupby(found, key=lambda one: one[:2]):
        edges = [edge for _, _, edge in group]
        groups.append((not any(graph.notes[edge.note].is_live for edge in edges), wording, other, edges))
    yield from sorted(groups, key=lambda one: one[:3])


def _since(note: Note) -> str:
    """`from 3 May`, `3 May to 2 June`, `3 May, archived`, `from 3 May, on branch retry`."""
    where = f", on branch {output.line(note.branch)}" if note.branch else ""
    if note.is_live:
        return f"from {output.day(note.valid_from)}{where}"
    if note.valid_to is not None:
        return f"{output.day(note.valid_from)} to {output.day(note.valid_to)}{where}"
    return f"{output.day(note.valid_from)}, {note.status.replace('_', ' ')}{where}"


def _name(name: str) -> str:
    return output.line(name, max_chars=_NAME_CHARS)


def _dim(text: str) -> str:
    return "  " + output.style(text, "dim")
