"""`engram forget`: take a note back, or remove every trace of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.options import TextCommand, json_option, project_option, yes_option
from engram_hooks.errors import EngramError, UsageError

if TYPE_CHECKING:
    from engram_hooks.curate.forget import Removal
    from engram_hooks.memory import Engram

_MAX_LISTED = 10
_NAMES = {
    "log": "said",
    "prompts": "prompt",
    "tool_events": "tool",
    "records": "note",
    "core": "core memory, version",
    "session_summaries": "summary of session",
    "invariants": "rule",
}


@click.command(name="forget", cls=TextCommand)
@click.argument("ref", metavar="ID")
@click.option("--hard", is_flag=True, help="Remove it from disk, with all that holds its text. No undo.")
@click.option("--backups", is_flag=True, help="With --hard: also out of engram's own backups.")
@click.option("--undo", is_flag=True, help="Make a note true again that was taken back or replaced.")
@click.option("--reason", default="", metavar="TEXT", help="Why, for the history.")
@yes_option
@project_option
@json_option
def command(
    ref: str,
    hard: bool,
    backups: bool,
    undo: bool,
    reason: str,
    is_confirmed: bool,
    project: str | None,
    as_json: bool,
) -> None:
    """Take a note back: it is not told any more, but stays on disk. --hard removes every trace."""
    if hard and undo:
        raise click.UsageError("--hard cannot be undone")
    with open_memory(project=project) as memory:
        if hard:
            _forget_for_good(memory, ref, backups=backups, is_confirmed=is_confirmed, as_json=as_json)
            return
        record = memory.reinstate(ref) if undo else memory.retract(ref, reason=reason)
        if as_json:
            output.print_json(record.as_dict())
            return
        verb = "True again:" if undo else "Taken back:"
        output.say(f"{verb} {output.style(record.short_id, 'id')} {output.line(record.summary)}")
        if not undo:
            output.say(output.style(f"undo: engram forget --undo {record.short_id}", "dim"))


def forget_entry(
    memory: Engram, part: str, *, block: str, backups: bool, is_confirmed: bool, as_json: bool
) -> None:
    """Remove every trace of the entry of core memory that `part` is a part of, asking first on a terminal."""
    from engram_hooks.curate import forget
    from engram_hooks.curate.core import blocks

    _, line = blocks.find_entry(memory, part, block=block)
    removal = forget.plan_text_removal(memory.db, memory.data, line)
    _carry_out(memory, removal, line, backups=backups, is_confirmed=is_confirmed, as_json=as_json)


def _forget_for_good(memory: Engram, ref: str, *, backups: bool, is_confirmed: bool, as_json: bool) -> None:
    from engram_hooks.curate import forget

    removal = forget.plan_removal(memory.db, memory.data, memory.find(ref).id)
    _carry_out(memory, removal, ref, backups=backups, is_confirmed=is_confirmed, as_json=as_json)


def _carry_out(
    memory: Engram, removal: Removal, ref: str, *, backups: bool, is_confirmed: bool, as_json: bool
) -> None:
    from engram_hooks.curate import forget
    from engram_hooks.memory import now

    what = "note" if removal.record else "entry"
    if not is_confirmed:
        if not output.is_interactive() or as_json:
            command = f"forget --hard --yes {ref}" if removal.record else "core remove --hard --yes TEXT"
            raise UsageError(f"this removes the {what} for good", hint=f"engram {command}")
        _describe(removal, backups=backups)
        if not click.confirm("Remove all of this for good?"):
            raise EngramError("nothing was removed")
    elif not as_json:
        _describe(removal, backups=backups)
    left = forget.remove(memory.db, memory.data, removal, now_ms=now(), with_backups=backups)
    short_id = removal.record.short_id if removal.record else None
    if as_json:
        output.print_json({"id": short_id, "rows": len(removal.traces), "files": removal.files, "left": left})
        return
    output.say(f"Removed {short_id or 'the entry'} for good.")
    if left:
        output.say("The text still stands in:")
        for path in left:
            output.say("  " + output.line(path))
        if not backups and any(path in removal.backups for path in left):
            output.say(output.style("hint: --backups takes it out of backups, too", "dim"))


def _describe(removal: Removal, *, backups: bool) -> None:
    if removal.record:
        record = removal.record
        output.say(f"{output.style(record.short_id, 'id')} {output.line(record.summary)}")
    for table, number, text, _ in removal.traces[:_MAX_LISTED]:
        name = _NAMES.get(table, table.replace("_", " ").rstrip("s"))
        output.say(f"  {name} {number}: {output.line(text, max_chars=100)}")
    if len(removal.traces) > _MAX_LISTED:
        output.say(f"  and {output.count(len(removal.traces) - _MAX_LISTED, 'row')} more")
    for path in [*removal.files, *(removal.backups if backups else ())]:
        output.say(f"  {output.line(path)}")
