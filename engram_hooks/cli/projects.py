"""`engram projects`: list, rename, merge and trust projects."""

from __future__ import annotations

from dataclasses import asdict

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.options import json_option, yes_option
from engram_hooks.errors import EngramError, UsageError


@click.group(name="projects", invoke_without_command=True)
@json_option
@click.pass_context
def command(ctx: click.Context, /, *, as_json: bool) -> None:
    """List, rename, merge and trust projects.

    A project is a repository, whatever folders and clones it lives in; outside git it is a folder with
    `.engram` or `.claude` in it.
    """
    if ctx.invoked_subcommand is None:
        _list(as_json=as_json)


@command.command(name="list")
@json_option
def list_all(*, as_json: bool) -> None:
    """List projects, the one used last first."""
    _list(as_json=as_json)


def _list(*, as_json: bool) -> None:
    from engram_hooks.store.projects import list_projects

    with open_memory() as memory:
        found, here = list_projects(memory.db), memory.project_id
    if as_json:
        output.print_json([{**asdict(project), "is_here": project.id == here} for project in found])
        return
    if not found:
        output.say("There is no project yet: the first session or note in a repository makes one.")
        return
    rows = [
        [
            output.style(str(project.id), "id"),
            output.line(project.name, max_chars=40) + (" (here)" if project.id == here else ""),
            output.count(project.record_count, "note"),
            output.count(project.session_count, "session"),
            output.day(project.last_at),
            output.line(project.roots[0] if project.roots else "", max_chars=80),
        ]
        for project in found
    ]
    output.say(output.table(rows))


@command.command()
@click.argument("project")
@click.argument("name")
def rename(project: str, name: str) -> None:
    """Give PROJECT (its number, name or folder) the name NAME."""
    from engram_hooks.memory import now
    from engram_hooks.store.projects import find_project, rename_project

    with open_memory() as memory:
        rename_project(memory.db, find_project(memory.db, project), name, now_ms=now())
    output.say(f"The project is called {output.line(name, max_chars=200)} now.")


@command.command()
@click.argument("source")
@click.argument("target")
@yes_option
def merge(source: str, target: str, *, is_confirmed: bool) -> None:
    """Move everything of the project SOURCE into TARGET (each a number, name or folder).

    SOURCE is gone then, and its folders belong to TARGET. A copy of the store is made first.
    """
    from engram_hooks.memory import now
    from engram_hooks.store import backup, merging, projects

    with open_memory() as memory:
        source_id = projects.find_project(memory.db, source)
        target_id = projects.find_project(memory.db, target)
        if not is_confirmed:
            if not output.is_interactive():
                raise UsageError("merging needs a yes", hint="engram projects merge SOURCE TARGET --yes")
            click.confirm(f"Move everything of {output.safe(source)} into {output.safe(target)}?", abort=True)
        kept = backup.back_up_here(memory.db, memory.data, reason="before-merge", now_ms=now())
        moved = merging.merge_projects(memory.db, source_id, target_id, now_ms=now(), actor="person")
    output.say(f"Moved {output.count(moved, 'row')}. The store as it was: {output.safe(kept)}")


@command.command()
@click.argument("directory", type=click.Path(exists=True, file_okay=False), default=".")
def trust(directory: str) -> None:
    """Let the `.engram/config.toml` of DIRECTORY join the existing project that it names.

    Without this a repository cannot make itself part of another project's memory.
    """
    import os

    from engram_hooks.client.config import compile_settings, read_project_names
    from engram_hooks.curate.identity import trust_name
    from engram_hooks.memory import now
    from engram_hooks.paths import home_dir

    path = os.path.realpath(directory)
    with open_memory() as memory:
        home = home_dir(memory.environ)
        names = {folder: name for folder, name in read_project_names(path, home).items() if name}
        if not names:
            raise EngramError("no .engram/config.toml here names a project", hint='project = "name"')
        for folder, name in names.items():
            trust_name(memory.db, path, folder, name, home=home, now_ms=now())
        compile_settings(memory.db, memory.environ, path)
    output.say(f"Trusted: {', '.join(output.line(name, max_chars=80) for name in names.values())}")
