"""`engram supersede`: one note replaces another."""

from __future__ import annotations

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.options import TextCommand, json_option, project_option


@click.command(name="supersede", cls=TextCommand)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW", required=False)
@click.option("-s", "--summary", metavar="TEXT", help="Write the new note here instead of naming one.")
@project_option
@json_option
def command(old: str, new: str | None, summary: str | None, project: str | None, as_json: bool) -> None:
    """Let the note NEW (or a new one, with -s) replace the note OLD, which stays in its history."""
    if (new is None) == (summary is None):
        raise click.UsageError("name the note that replaces it, or write it with -s")
    with open_memory(project=project) as memory:
        before = memory.find(old)
        if summary is not None:
            tags, paths = before.tags, before.paths
            record = memory.add(
                summary, kind=before.kind, tags=tags, paths=paths, scope=before.scope, supersedes=old
            )
            replaced = memory.find(str(before.id))
        else:
            replaced, record = memory.supersede(old, new or "")
        if as_json:
            output.print_json({"old": replaced.as_dict(), "new": record.as_dict()})
            return
        for verb, item in (("No longer true:", replaced), ("True now:", record)):
            label = output.style(item.short_id, "id")
            output.say(f"{verb:<15} {label} {output.line(item.summary, max_chars=200)}")
        taken_back = f"engram forget {record.short_id} && " if new is None else ""
        output.say(output.style(f"undo: {taken_back}engram forget --undo {replaced.short_id}", "dim"))
