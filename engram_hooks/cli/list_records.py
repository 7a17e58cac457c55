"""`engram list`: the notes of this project."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory, say_outside
from engram_hooks.cli.options import TextCommand, json_option, project_option

if TYPE_CHECKING:
    from engram_hooks.curate.record import Record

STATUSES = (
    *("candidate", "active", "needs_review", "stale", "superseded", "archived", "compacted", "expired"),
    *("retracted", "quarantined"),
)


@click.command(name="list", cls=TextCommand)
@click.option(
    "-t", "--kind", "--type", "kinds", multiple=True, help="Only notes of this kind; may be repeated."
)
@click.option("--tag", default="", help="Only notes with this tag.")
@click.option("--status", "statuses", multiple=True, type=click.Choice(STATUSES), help="May be repeated.")
@click.option("-a", "--all", "is_all", is_flag=True, help="Also what is no longer true, and candidates.")
@click.option("-n", "--limit", type=click.IntRange(1), help="At most so many, the newest.")
@project_option
@json_option
def command(
    kinds: tuple[str, ...],
    tag: str,
    statuses: tuple[str, ...],
    is_all: bool,
    limit: int | None,
    project: str | None,
    as_json: bool,
) -> None:
    """List the notes of this project and those that hold everywhere, newest first."""
    from engram_hooks.store.records import TOLD

    wanted = STATUSES if is_all else statuses or TOLD
    with open_memory(project=project) as memory:
        found = memory.list_records(kinds=kinds, statuses=wanted, tag=tag.lower(), limit=limit or 0)
        if as_json:
            output.print_json([record.as_dict() for record in found])
            return
        if not found:
            output.say('No notes yet: engram add -s "Postgres over Mongo, for relational integrity"')
            say_outside(memory)
            return
        output.say(output.table([_row(record) for record in found]))
        if not is_all and (waiting := len(memory.list_records(statuses=["candidate"]))):
            output.say(output.style(f"{output.count(waiting, 'note')} to review: engram review", "dim"))


def _row(record: Record) -> list[str]:
    why = f": {output.line(record.status_reason, max_chars=160)}" if record.status == "stale" else ""
    marks = [] if record.status == "active" else [record.status.replace("_", " ") + why]
    marks += ["everywhere"] if record.scope == "global" else []
    marks += [f"branch {output.line(record.branch, max_chars=40)}"] if record.branch else []
    note = output.style(f"  ({', '.join(marks)})", "dim") if marks else ""
    return [
        output.style(record.short_id, "id"),
        record.kind,
        output.day(record.valid_from),
        output.line(record.summary, max_chars=200) + note,
    ]
