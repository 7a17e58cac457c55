"""`engram show`: one note with its history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.options import TextCommand, json_option, project_option

if TYPE_CHECKING:
    from engram_hooks.curate.record import History, Record


@click.command(name="show", cls=TextCommand)
@click.argument("ref", metavar="ID")
@project_option
@json_option
def command(ref: str, project: str | None, as_json: bool) -> None:
    """Show one note: what it says, what it replaced, what it rests on, what was changed."""
    with open_memory(project=project) as memory:
        record = memory.find(ref)
        history = memory.history_of(record)
        if as_json:
            output.print_json(
                {
                    **record.as_dict(),
                    "chain": [item.as_dict() for item in history.chain],
                    "evidence": history.evidence,
                    "changes": history.changes,
                }
            )
            return
        _print_record(record)
        _print_history(record, history)


def _print_record(record: Record) -> None:
    output.say(f"{output.style(record.short_id, 'id')}  {output.style(output.line(record.summary), 'bold')}")
    if record.detail:
        output.say(output.block(record.detail))
    until = f" to {output.day(record.valid_to)}" if record.valid_to is not None else ""
    where = {"global": "everywhere", "branch": f"branch {output.line(record.branch)}"}.get(record.scope)
    reason = f" ({output.line(record.status_reason)})" if record.status_reason else ""
    rows = [
        ("kind", record.kind),
        ("status", record.status.replace("_", " ") + reason),
        ("holds", f"{where or 'in this project'}, from {output.day(record.valid_from)}{until}"),
        ("tags", output.line(" ".join(record.tags))),
        ("paths", output.line(" ".join(record.paths))),
        ("source", f"{record.source}, {output.moment(record.created_at)}"),
        ("used", output.count(record.use_count, "time") if record.use_count else ""),
        ("uid", record.uid),
    ]
    output.say(output.table([(output.style(f"  {name}", "dim"), text) for name, text in rows if text]))


def _print_history(record: Record, history: History) -> None:
    if len(history.chain) > 1:
        output.say(output.style("history", "bold"))
        for item in history.chain:
            here = " <- this one" if item.id == record.id else ""
            label = output.style(item.short_id, "id")
            text = output.line(item.summary, max_chars=200)
            output.say(f"  {output.day(item.valid_from)}  {label}  {text}{output.style(here, 'dim')}")
    if history.evidence:
        output.say(output.style("rests on", "bold"))
        for proof in history.evidence:
            output.say(f"  {_describe(proof)}")
    if len(history.changes) > 1:
        output.say(output.style("changes", "bold"))
        for change in history.changes:
            fields = ", ".join(change["after"]) if change["action"] == "edit" else ""
            text = f"{change['action']} by {change['actor']}{': ' if fields else ''}{fields}"
            output.say(f"  {output.moment(change['created_at'])}  {output.line(text)}")


def _describe(proof: dict[str, Any]) -> str:
    text = f"{proof['kind']} {proof['ref']}" + (f": {proof['detail']}" if proof["detail"] else "")
    return output.line(text, max_chars=200)
