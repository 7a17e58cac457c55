"""`engram edit`: change a note."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.options import TextCommand, json_option, project_option
from engram_hooks.errors import UsageError

if TYPE_CHECKING:
    from engram_hooks.curate.record import Record


@click.command(name="edit", cls=TextCommand)
@click.argument("ref", metavar="ID")
@click.option("-s", "--summary", metavar="TEXT", help="The new summary; - reads it from the standard input.")
@click.option("-d", "--detail", metavar="TEXT", help="The new detail.")
@click.option("-t", "--kind", "--type", "kind", help="Another kind.")
@click.option("--tag", "tags", multiple=True, help="The new tags, all of them; may be repeated.")
@click.option("--path", "paths", multiple=True, metavar="GLOB", help="The new paths; may be repeated.")
@project_option
@json_option
def command(
    ref: str,
    summary: str | None,
    detail: str | None,
    kind: str | None,
    tags: tuple[str, ...],
    paths: tuple[str, ...],
    project: str | None,
    as_json: bool,
) -> None:
    """Change a note. Without options, its text is opened in your editor."""
    if summary == "-":
        summary = sys.stdin.read()
    changes: dict[str, Any] = {"summary": summary, "detail": detail, "kind": kind}
    changes |= {"tags": tags or None, "paths": paths or None}
    with open_memory(project=project) as memory:
        record = memory.find(ref)
        if all(value is None for value in changes.values()):
            changes = _edit_text(record)
        changed, is_changed = memory.edit(ref, changes)
        if as_json:
            output.print_json({**changed.as_dict(), "is_changed": is_changed})
            return
        verb = "Changed" if is_changed else "Nothing changed in"
        output.say(f"{verb} {output.style(changed.short_id, 'id')}: {output.line(changed.summary)}")


def _edit_text(record: Record) -> dict[str, Any]:
    if not output.is_interactive():
        raise UsageError("there is nothing to change", hint=f'engram edit {record.short_id} -s "..."')
    written = click.edit(f"{record.summary}\n\n{record.detail}".strip() + "\n", extension=".md")
    if written is None:
        return {}
    summary, _, detail = written.strip().partition("\n")
    return {"summary": summary, "detail": detail.strip()}
