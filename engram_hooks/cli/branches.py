"""`engram branches`: notes that wait on branches, and what becomes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.options import json_option, project_option
from engram_hooks.errors import EngramError

if TYPE_CHECKING:
    from engram_hooks.curate.branches import BranchNotes


@click.group(name="branches", invoke_without_command=True)
@project_option
@json_option
@click.pass_context
def group(ctx: click.Context, /, *, project: str | None, as_json: bool) -> None:
    """List the branches that notes were made on, and settle what becomes of these.

    A note of a feature branch is marked on others until the mainline has got the work and somebody says yes.
    """
    if ctx.invoked_subcommand is None:
        _list(project, as_json=as_json)


@group.command(name="list")
@project_option
@json_option
def list_all(project: str | None, *, as_json: bool) -> None:
    """List branches with notes: open, merged, or gone."""
    _list(project, as_json=as_json)


def _list(project: str | None, *, as_json: bool) -> None:
    from engram_hooks.curate.branches import look_here

    with open_memory(project=project) as memory:
        found = look_here(memory)
        here = memory.branch
    if as_json:
        output.print_json([{**one.as_dict(), "is_here": one.branch.name == here} for one in found])
        return
    if not found:
        output.say("No notes wait on a branch.")
        return
    output.say(output.table([_row(one, here) for one in found]))
    if any(one.is_asked for one in found):
        output.say(output.style("engram branches promote NAME · engram branches keep NAME", "dim"))


def _row(one: BranchNotes, here: str) -> list[str]:
    mark = " (here)" if one.branch.name == here else ""
    kept = ", kept on it" if one.branch.is_kept else ""
    return [
        output.style(output.line(one.branch.name, max_chars=80) + mark, "id"),
        output.count(one.count, "note"),
        one.fate + kept,
        output.day(one.branch.merged_at) if one.branch.merged_at else "",
    ]


@group.command()
@click.argument("name")
@project_option
@json_option
def promote(name: str, project: str | None, *, as_json: bool) -> None:
    """Let the notes of the branch NAME hold for the project."""
    from engram_hooks.curate.branches import promote_here

    with open_memory(project=project) as memory:
        done = promote_here(memory, name)
    if as_json:
        output.print_json([record.as_dict() for record in done])
        return
    output.say(
        f"Promoted {output.count(len(done), 'note')} of {output.line(name, max_chars=80)} to the project:"
    )
    for record in done:
        output.say(f"  {output.style(record.short_id, 'id')}  {output.line(record.summary, max_chars=160)}")


@group.command()
@click.argument("name")
@project_option
def keep(name: str, project: str | None) -> None:
    """Let the notes of the merged branch NAME stay on it, and do not ask again."""
    from engram_hooks.curate import branches

    with open_memory(project=project) as memory:
        known = {one.branch.name for one in branches.list_branches(memory.db, memory.project_id or 0)}
        if name not in known:
            raise EngramError(f"no note waits on a branch {name[:80]!r}", hint="engram branches")
        branches.keep(memory.db, memory.project_id or 0, name)
    output.say(f"Kept on {output.line(name, max_chars=80)}.")
