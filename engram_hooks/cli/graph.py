"""`engram graph`: what the notes speak of, and how these things stand to each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory, say_outside
from engram_hooks.cli.options import json_option, project_option
from engram_hooks.errors import EngramError, UsageError

if TYPE_CHECKING:
    from engram_hooks.curate.relations.graph import Graph

FORMATS = "text", "json", "dot", "html"


@click.command(name="graph")
@click.argument("entity", metavar="[THING]", nargs=-1)
@click.option("--as-of", metavar="DATE", help="What held then.")
@click.option(
    "--hops",
    metavar="N",
    type=click.IntRange(0, 6),
    default=1,
    show_default=True,
    help="How many relations away from THING.",
)
@click.option(
    "--format",
    "form",
    metavar="FORM",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="text, json, dot (for Graphviz) or html (one page that needs no network).",
)
@click.option(
    "--out", metavar="FILE", type=click.Path(dir_okay=False), help="Write it to a file (- prints it)."
)
@project_option
@json_option
def command(
    entity: tuple[str, ...],
    as_of: str | None,
    hops: int,
    form: str,
    out: str | None,
    project: str | None,
    as_json: bool,
) -> None:
    """Show what stands around THING: tools, services, people, files and symbols that notes speak of.

    Without THING all of them, most mentioned first. What no longer holds is marked with its end.
    """
    if as_json and form not in ("text", "json"):
        raise UsageError("--json and --format ask for different things", hint="leave one of them out")
    form = "json" if as_json else form
    with open_memory(project=project) as memory:
        graph = memory.graph(" ".join(entity), as_of=as_of, hops=hops)
        name = memory.project_name or "everywhere"
        if not graph.nodes:
            say_outside(memory)
    text = _render(graph, form, name=name)
    if out is None or out == "-":
        click.echo(text) if form in ("json", "dot", "html") else output.say(text)
        return
    _write(out, click.unstyle(text) + "\n")
    output.say(f"Written to {output.line(out)}.", to_stderr=True)


def _render(graph: Graph, form: str, *, name: str) -> str:
    if form == "json":
        import json

        from engram_hooks.curate.relations.graph import to_json

        return json.dumps(to_json(graph), indent=2, ensure_ascii=True)
    if form == "dot":
        from engram_hooks.cli.graph_dot import render_dot

        return render_dot(graph)
    if form == "html":
        from engram_hooks.cli.graph_page import render_page

        return render_page(graph, name=name)
    from engram_hooks.cli.graph_text import draw

    return "\n".join(draw(graph))


def _write(path: str, text: str) -> None:
    try:
        with open(path, "w", encoding="utf-8", errors="replace", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise EngramError(f"{output.line(path)} cannot be written: {error.strerror}") from None
