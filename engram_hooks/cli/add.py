"""`engram add`: keep a note."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.options import TextCommand, json_option, project_option
from engram_hooks.errors import UsageError

if TYPE_CHECKING:
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
    from engram_hooks.cli.add_report import as_json as outcome_of
    from engram_hooks.cli.add_report import say_outcome
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
            output.print_json(outcome_of(found))
        else:
            say_outcome(memory, found, is_global=wanted == "global")


def _find_place(memory: Engram, kind: str, scope: str) -> dict[str, Any]:
    """Where a note belongs: the scope that was wanted, or the one that the setting gives what is made on a branch."""
    from engram_hooks.curate.ground.mainline import find_feature, scope_of

    feature = find_feature(memory.db, memory.project_id, memory.root, memory.environ)
    if not scope:
        scope = scope_of(memory.db, memory.project_id or 0, memory.environ, kind=kind, feature=feature)
    return {"scope": scope, "project_id": memory.project_id or 0, "branch": memory.branch, "feature": feature}


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
