"""What an index holds as one HTML page that needs nothing else: no network, no script; light and dark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from engram_hooks.cli import output
from engram_hooks.cli.coupling_graph import draw, tell

if TYPE_CHECKING:
    from engram_hooks.history.inspection import Inspection

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = """
:root { color-scheme: light dark; --text: #1d2330; --faint: #667085; --line: #d7dce5; --back: #fbfcfe;
  --edge: #98a2b3; --hidden: #c2410c; --dot: #2563a8; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e7ec; --faint: #98a2b3; --line: #344054; --back: #14181f;
  --edge: #667085; --hidden: #fb923c; --dot: #7cb4ea; } }
body { margin: 2rem auto; max-width: 62rem; padding: 0 1rem; background: var(--back); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .3rem; }
p { margin: .2rem 0 .8rem; } .faint { color: var(--faint); }
svg { width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px; }
.edge { stroke: var(--edge); stroke-opacity: .75; } .hidden { stroke: var(--hidden); }
.edge:hover { stroke-opacity: 1; stroke: var(--text); }
.node circle { fill: var(--dot); } .node text { fill: var(--text); font-size: 12px; }
.node:hover text { font-weight: 700; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .25rem .8rem .25rem 0;
  border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { color: var(--faint); font-weight: 600; } .number { text-align: right; white-space: nowrap; }
"""


def render(found: Inspection, *, name: str, facts: str) -> str:
    """The page; `facts` is the line under the title. All names are escaped and free of control characters."""
    parts = [
        f"<h1>{_text(name)}</h1>",
        f'<p class="faint">{_text(facts)}</p>',
        *_draw_graph(found),
        *_table(
            "Hidden couplings",
            "Files that change together, and no import says so.",
            ("file", "changes with", "commits"),
            [(pair.path, pair.other, f"{pair.support} of {pair.total}") for pair in found.hidden],
        ),
        *_table(
            "Load-bearing files",
            "Lines that fixes wrote and that still stand.",
            ("file", "lines", "fixes"),
            [(one.path, f"{one.lines:,}", f"{one.commits:,}") for one in found.load_bearing],
        ),
        *_table(
            "Most changed",
            "Commits and lines, bulk changes left out.",
            ("file", "commits", "added", "removed"),
            [(one.path, f"{one.commits:,}", f"{one.added:,}", f"{one.removed:,}") for one in found.churn],
        ),
    ]
    head = (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f'<meta name="viewport" content="width=device-width"><title>{_text(name)}: engram inspect</title>'
        f"<style>{_STYLE}</style></head><body>"
    )
    return "\n".join([head, *parts, "</body></html>\n"])


def _draw_graph(found: Inspection) -> list[str]:
    picture = draw([pair._replace(path=_plain(pair.path), other=_plain(pair.other)) for pair in found.pairs])
    if not picture:
        return []
    rows = [(tell(pair), f"{pair.score:.2f}") for pair in found.pairs]
    return [
        "<h2>What changes together</h2>",
        '<p class="faint">Thick lines change together often; orange ones have no import between them.</p>',
        picture,
        f"<details><summary>{len(rows)} couplings as a list</summary>",
        *_table("", "", ("coupling", "score"), rows),
        "</details>",
    ]


def _table(title: str, note: str, headers: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table under its title; nothing without rows. Columns of figures stand to the right."""
    listed = list(rows)
    if not listed:
        return []
    figures = [index > 0 and listed[0][index][:1].isdigit() for index in range(len(headers))]
    lines = [f"<h2>{_text(title)}</h2>", f'<p class="faint">{_text(note)}</p>'] if title else []
    lines.append(f"<table><thead>{_row('th', headers, figures)}</thead><tbody>")
    return [*lines, *(_row("td", row, figures) for row in listed), "</tbody></table>"]


def _row(tag: str, cells: Sequence[str], figures: Sequence[bool]) -> str:
    parts = [
        f'<{tag} class="number">{_text(cell)}</{tag}>' if is_figure else f"<{tag}>{_text(cell)}</{tag}>"
        for cell, is_figure in zip(cells, figures, strict=True)
    ]
    return f"<tr>{''.join(parts)}</tr>"


def _text(text: str) -> str:
    return escape(_plain(text))


def _plain(text: str) -> str:
    return output.line(text, max_chars=300)
