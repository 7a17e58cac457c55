"""A graph in the language of Graphviz."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_hooks.cli import output
from engram_hooks.cli.graph_text import tell

if TYPE_CHECKING:
    from engram_hooks.curate.relations.graph import Graph

SHAPES = {
    "person": "ellipse",
    "file": "note",
    "symbol": "box",
    "service": "component",
    "tool": "hexagon",
    "concept": "plaintext",
}
_HEAD = (
    '  rankdir=LR;\n  node [fontname="sans-serif", fontsize=11];\n  edge [fontname="sans-serif", fontsize=9];'
)


def render_dot(graph: Graph) -> str:
    """The graph as a digraph: what no longer holds is dashed; each relation once, with the notes that say it."""
    lines = ["digraph engram {", _HEAD]
    ids = {norm: f"n{number}" for number, norm in enumerate(graph.nodes, 1)}
    for norm, node in graph.nodes.items():
        shape = SHAPES.get(node.kind, "box")
        bold = ", style=bold" if norm == graph.centre else ""
        lines.append(f"  {ids[norm]} [label={quote(node.name)}, shape={shape}{bold}];")
    said: dict[tuple[str, str, str], list[int]] = {}
    for edge in graph.edges:
        said.setdefault((edge.source, edge.kind, edge.target), []).append(edge.note)
    for (source, kind, target), numbers in said.items():
        notes = [graph.notes[number] for number in numbers]
        dashed = "" if any(note.is_live for note in notes) else ", style=dashed"
        tip = quote("; ".join(f"{note.id} {note.summary}" for note in notes[:3]))
        label = quote(tell(kind, is_forward=True))
        lines.append(f"  {ids[source]} -> {ids[target]} [label={label}, tooltip={tip}{dashed}];")
    return "\n".join([*lines, "}"])


def quote(text: str) -> str:
    """A text as a quoted string of Graphviz: backslashes stay what they are, no line breaks or control characters."""
    clean = output.line(text, max_chars=200)
    return '"' + clean.replace("\\", "\\\\").replace('"', '\\"') + '"'
