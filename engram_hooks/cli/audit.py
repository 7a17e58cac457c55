"""`engram audit`: who changed what, when and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.options import TextCommand, json_option, project_option

_MAX_VALUE_CHARS = 160
# said by the head of an entry, or by the other values
_SILENT = frozenset(("project", "block", "expired_at", "looked_by"))
_MOMENTS = frozenset(("valid_from", "valid_to", "last_used_at", "decided_at"))


@click.command(name="audit", cls=TextCommand)
@click.argument("ref", metavar="ID|core", required=False, default="")
@click.option("--since", metavar="DATE", help="Not before this date.")
@click.option(
    "--actor", default="", metavar="NAME", help="By person, import, review, consolidation, brain, engram."
)
@click.option(
    "--action", default="", metavar="TEXT", help="Of this sort: add, edit, supersede, core, forget ..."
)
@click.option(
    "-n", "--limit", type=click.IntRange(1), default=20, show_default=True, help="At most this many."
)
@click.option("--all", "is_everywhere", is_flag=True, help="Those of other projects, too.")
@project_option
@json_option
def command(
    ref: str,
    *,
    since: str | None,
    actor: str,
    action: str,
    limit: int,
    is_everywhere: bool,
    project: str | None,
    as_json: bool,
) -> None:
    """Show the book of changes, newest first: who changed what and why, and what it said before.

    With ID only the changes of that note, with `core` those of core memory. What was forgotten for good is a hash here.
    """
    with open_memory(project=project) as memory:
        found = memory.audit(
            ref, since=since, actor=actor, action=action, limit=limit, is_everywhere=is_everywhere
        )
    if as_json:
        output.print_json(found)
        return
    if not found:
        output.say("No change is written down for that.")
    for entry in found:
        _print_entry(entry)


def _print_entry(entry: dict[str, Any]) -> None:
    record = output.style(entry["record"], "id") if entry["record"] else ""
    block = entry["after"].get("block") or entry["before"].get("block") or ""
    summary = output.line(entry["summary"], max_chars=80) if _is_told(entry) else ""
    head = f"{output.moment(entry['at'])}  {output.line(entry['actor'])}  {output.line(entry['action'])}"
    output.say("  ".join(part for part in (head, output.line(block), record, summary) if part))
    for sentence in describe_changes(entry["before"], entry["after"]):
        output.say(f"    {sentence}")
    if entry["reason"]:
        output.say(output.style(f"    why: {output.line(entry['reason'], max_chars=300)}", "dim"))


def _is_told(entry: dict[str, Any]) -> bool:
    return bool(entry["summary"]) and "summary" not in {**entry["before"], **entry["after"]}


def describe_changes(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    """One line for each value that changed, `name: old -> new`, safe to print; entries of lists as - and +."""
    for name in dict.fromkeys((*before, *after)):
        old, new = before.get(name), after.get(name)
        if name in _SILENT or old == new:
            continue
        if isinstance(old, list) or isinstance(new, list):
            yield from (f"- {_show(name, item)}" for item in old or ())
            yield from (f"+ {_show(name, item)}" for item in new or ())
        elif name in before and name in after:
            yield f"{output.line(name)}: {_show(name, old)} -> {_show(name, new)}"
        elif name in after:
            yield f"{output.line(name)}: {_show(name, new)}"
        else:
            yield f"{output.line(name)}: {_show(name, old)} -> gone"


def _show(name: str, value: object) -> str:
    if value is None or value == "":
        return "nothing"
    if name in _MOMENTS and isinstance(value, int):
        return output.moment(value)
    if isinstance(value, float):
        return f"{value:g}"
    return output.line(str(value), max_chars=_MAX_VALUE_CHARS)
