"""`engram add`: keep a note."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.options import TextCommand, json_option, project_option
from engram_hooks.errors import UsageError
from engram_hooks.store.records import QUARANTINED

if TYPE_CHECKING:
    from engram_hooks.curate.record import Captured
    from engram_hooks.memory import Engram

_TEMPLATE = """
# What should be remembered? The first line is the summary, the rest the detail.
# Lines that begin with # are left out; an empty note is not kept.
"""


@click.command(name="add", cls=TextCommand)
@click.option("-s", "--summary", metavar="TEXT", help="The note; - reads it from the standard input.")
@click.option(
    "-t", "--kind", "--type", "kind", default="decision", show_default=True, help="What sort of note it is."
)
@click.option("-d", "--detail", default="", metavar="TEXT", help="More than one line can say.")
@click.option("--tag", "tags", multiple=True, help="A word to find it by; may be repeated.")
@click.option("--path", "paths", multiple=True, metavar="GLOB", help="Files it is about; may be repeated.")
@click.option(
    "--scope", metavar="project|global|branch", help="Where it holds; as branch.scope says where not given."
)
@click.option("--global", "is_global", is_flag=True, help="The same as --scope global.")
@click.option("--supersedes", metavar="ID", help="The note that it replaces.")
@click.option(
    "--evidence",
    "evidence",
    multiple=True,
    metavar="REF",
    help="What it rests on: a commit, path, path:12-20, path#symbol or address; may be repeated.",
)
@click.option("--valid-from", metavar="DATE", help="Since when it is true, where that is not today.")
@project_option
@json_option
def command(
    summary: str | None,
    kind: str,
    scope: str | None,
    is_global: bool,
    valid_from: str | None,
    project: str | None,
    as_json: bool,
    **texts: Any,  # Any: detail and supersedes are texts, tags, paths and evidence tuples of them
) -> None:
    """Keep a note.

    Kinds: user, feedback, constraint, state, decision, architecture, procedure, incident, fact, module,
    insight, reference (also gotcha, preference, note).
    """
    from engram_hooks.curate.capture import Draft
    from engram_hooks.curate.moments import parse_moment
    from engram_hooks.curate.record import check_kind, check_scope

    check_kind(kind)
    wanted = "global" if is_global else check_scope(scope) if scope else ""
    valid_at = None if valid_from is None else parse_moment(valid_from)
    text = _read_summary(summary)
    with open_memory(project=project) as memory:
        place = _find_place(memory, kind, wanted)
        found = memory.capture(Draft(text, kind=kind, valid_from=valid_at, **place, **texts))
        if as_json:
            _print_json(found)
        else:
            _report(memory, found, is_global=wanted == "global")


def _find_place(memory: Engram, kind: str, scope: str) -> dict[str, Any]:
    """Where a note belongs: the scope that was wanted, or the one that the setting gives what is made on a branch."""
    from engram_hooks.curate.mainline import find_feature, scope_of

    feature = find_feature(memory.db, memory.project_id, memory.root, memory.environ)
    if not scope:
        scope = scope_of(memory.db, memory.project_id or 0, memory.environ, kind=kind, feature=feature)
    return {"scope": scope, "project_id": memory.project_id or 0, "branch": memory.branch, "feature": feature}


def _print_json(found: Captured) -> None:
    near = [{"id": item.short_id, "summary": item.summary} for item in found.near]
    old = found.superseded.short_id if found.superseded else None
    output.print_json({**found.record.as_dict(), "is_new": found.is_new, "near": near, "superseded": old})


def _read_summary(summary: str | None) -> str:
    if summary == "-":
        summary = sys.stdin.read()
    elif summary is None:
        if not output.is_interactive():
            raise UsageError("there is nothing to keep", hint='engram add -s "Postgres over Mongo"')
        written = click.edit(_TEMPLATE, extension=".md") or ""
        summary = "\n".join(item for item in written.split("\n") if not item.startswith("#"))
    if not summary.strip():
        raise UsageError("an empty note says nothing", hint='engram add -s "Postgres over Mongo"')
    return summary


def _report(memory: Engram, found: Captured, *, is_global: bool) -> None:
    record = found.record
    label = output.style(record.short_id, "id")
    if not found.is_new:
        output.say(f"Already there: {label} {output.line(record.summary)}")
        output.say(output.style(f"  to add to it: engram edit {record.short_id}", "dim"))
        return
    if record.status == QUARANTINED:
        output.say(f"Put aside {label}, it is told to no agent: it {output.line(record.status_reason)}")
        output.say(
            output.style(f"  if it is meant as it is: engram review --accept {record.short_id}", "dim")
        )
        output.say(output.style(f"  to say it otherwise: engram edit {record.short_id} -s ...", "dim"))
        return
    where = {"global": "everywhere", "branch": f"branch {output.line(record.branch)}"}.get(record.scope)
    where = where or output.line(memory.project_name) or "this project"
    if record.branch and record.scope == "project":
        where = f"{where}, from branch {output.line(record.branch)}"
    output.say(f"Kept {label} ({record.kind}, {where}): {output.line(record.summary)}")
    if record.scope == "global" and not is_global:
        output.say(output.style("  You are outside any project, so it holds everywhere.", "dim"))
    if record.scope == "global" and record.kind == "user":
        output.say(output.style("  what every session should begin with: engram core add user ...", "dim"))
    if found.superseded:
        old = found.superseded
        output.say(
            f"  replaces {output.style(old.short_id, 'id')}: {output.line(old.summary, max_chars=200)}"
        )
        undo = f"  undo: engram forget {record.short_id} && engram forget --undo {old.short_id}"
        output.say(output.style(undo, "dim"))
    for other in found.near:
        output.say(
            f"  near {output.style(other.short_id, 'id')}: {output.line(other.summary, max_chars=200)}"
        )
    if found.near and not found.superseded:
        hint = f"  if it replaces that: engram supersede {found.near[0].short_id} {record.short_id}"
        output.say(output.style(hint, "dim"))
