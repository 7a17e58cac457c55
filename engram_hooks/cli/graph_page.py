"""A graph as one HTML page that needs nothing else: no network, one script of its own; light and dark."""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engram_hooks.cli import output
from engram_hooks.cli.graph_text import WORDINGS, tell

if TYPE_CHECKING:
    from engram_hooks.curate.relations.graph import Edge, Graph, Note

MAX_NODES = 500
_SUMMARY_CHARS = 300
_NAME_CHARS = 80
_HERE = Path(__file__).parent
_BODY = """
<header><h1>{title}</h1><span class="faint">{facts}</span>
<input id="search" type="search" placeholder="Find a thing" aria-label="Find a thing"></header>
<svg id="picture" role="group" aria-label="Things and their relations"><defs><marker id="tip" viewBox="0 0 8 8" refX="6"
 refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto">
<path d="M0,0 L8,4 L0,8 z"/></marker></defs>
<g id="scene"></g></svg>
<aside id="panel" aria-live="polite"></aside>
<footer><label for="moment">As of</label><input id="moment" type="range" min="0" max="0" step="1">
<output id="told" for="moment"></output><span id="keys"></span></footer>
<noscript><p>This page draws its picture with a script of its own, which this browser does not run.
<code>engram graph --format dot</code> needs none.</p></noscript>
"""


def render_page(graph: Graph, *, name: str) -> str:
    """The page. Texts of notes stand in it as data only: one JSON document, out of which a script takes text.

    Of a larger graph the `MAX_NODES` things that are mentioned most. `name` is the project's.
    """
    shown = dict(list(graph.nodes.items())[:MAX_NODES])
    script, style = (_read(f"graph_page.{form}") for form in ("js", "css"))
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src '{_hash(script)}'"
    title = _plain(name)
    left = f" of {len(graph.nodes):,}" if len(shown) < len(graph.nodes) else ""
    facts = f"{len(shown):,}{left} things, {output.count(len(graph.edges), 'relation')}"
    if graph.as_of_ms is not None:
        facts += f", as of {output.day(graph.as_of_ms)}"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<meta name="viewport" content="width=device-width"><title>{escape(title)}: engram graph</title>\n'
        f"<style>\n{style}</style></head><body>"
        f"{_BODY.format(title=escape(title), facts=escape(facts))}"
        f'<script id="data" type="application/json">{_embed(_to_data(graph, shown))}</script>\n'
        f"<script>{script}</script></body></html>"
    )


def _to_data(graph: Graph, shown: dict[str, Any]) -> dict[str, Any]:
    """What the script draws: things, relations and notes, each naming others by their place in the list."""
    places = {norm: at for at, norm in enumerate(shown)}
    edges: dict[tuple[str, str, str], list[Edge]] = {}
    for edge in graph.edges:
        if edge.source in places and edge.target in places:
            edges.setdefault((edge.source, edge.kind, edge.target), []).append(edge)
    numbers = {number: at for at, number in enumerate(graph.notes)}
    return {
        "centre": places.get(graph.centre),
        "wordings": {kind: [tell(kind, is_forward=True), tell(kind, is_forward=False)] for kind in WORDINGS},
        "nodes": [
            {"n": _plain(node.name, _NAME_CHARS), "k": node.kind, "r": [numbers[one] for one in node.notes]}
            for node in shown.values()
        ],
        "edges": [
            {"s": places[source], "k": kind, "t": places[target], "r": [numbers[one.note] for one in said]}
            for (source, kind, target), said in edges.items()
        ],
        "notes": [
            {
                "id": note.id,
                "text": _plain(note.summary, _SUMMARY_CHARS),
                "from": note.valid_from,
                "to": note.ends_at,
                "why": _tell_state(note),
            }
            for note in graph.notes.values()
        ],
    }


def _tell_state(note: Note) -> str:
    """`archived`, where no date says why a note ended; `on branch retry`, where it is another than the one here."""
    why = "" if note.valid_to is not None or note.is_live else note.status.replace("_", " ")
    return ", ".join(
        part for part in (why, f"on branch {_plain(note.branch)}" if note.branch else "") if part
    )


def _embed(value: object) -> str:
    """JSON that cannot close the element it stands in."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _hash(script: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _plain(text: str, max_chars: int = _NAME_CHARS) -> str:
    return output.line(text, max_chars=max_chars)
