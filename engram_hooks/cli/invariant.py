"""`engram invariant`: rules that always hold, of the team and private."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.options import TextCommand, json_option

if TYPE_CHECKING:
    from engram_hooks.curate.invariants import Invariant
    from engram_hooks.curate.problems import Problem

_STYLES = {"critical": "bad", "warning": "warn", "info": "dim"}


@click.group(name="invariant", invoke_without_command=True)
@click.pass_context
def group(ctx: click.Context) -> None:
    """Keep rules that always hold; without a command, list them.

    A team writes its rules into .engram/invariants.toml of the repository, one [[invariant]] each with text, globs,
    and if wanted id, symbol, severity, enforcement, since and why. The agent is told the rules of a file when it
    reads it, first of all; an edit under a critical rule is held up once.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_all)


@group.command(name="list")
@json_option
def list_all(*, as_json: bool) -> None:
    """List the rules that hold here, the hardest first."""
    from engram_hooks.curate import invariants

    with open_memory() as memory:
        faults = invariants.faults_here(memory)
        found = invariants.list_here(memory)
    if as_json:
        output.print_json(
            {"invariants": [_to_json(one) for one in found], "faults": [asdict(one) for one in faults]}
        )
        return
    _warn(faults)
    if not found:
        output.say(
            "There are no rules here. A team's go into .engram/invariants.toml, yours: engram invariant add"
        )
        return
    output.say(output.table([_row(one) for one in found]))


@group.command(cls=TextCommand)
@click.argument("files", nargs=-1)
@json_option
def check(files: tuple[str, ...], *, as_json: bool) -> None:
    """Say which rules hold for FILES, and what in the file of rules cannot be used (exit code 1)."""
    from engram_hooks.curate import invariants

    with open_memory() as memory:
        faults = invariants.faults_here(memory)
        found = list(invariants.check_here(memory, files))
    if as_json:
        output.print_json(
            {
                "files": [
                    {"path": path, "invariants": [_to_json(one) for one in rules]} for path, rules in found
                ],
                "faults": [asdict(one) for one in faults],
            }
        )
    else:
        _warn(faults)
        for path, rules in found:
            output.say(output.style(output.line(path), "bold") + ("" if rules else ": no rule"))
            if rules:
                output.say(output.table([_row(one) for one in rules]))
        if not files and not faults:
            output.say("The rules are all usable.")
    if faults:
        raise SystemExit(1)


@group.command(cls=TextCommand)
@click.option("-t", "--text", required=True, metavar="TEXT", help="What always holds.")
@click.option(
    "-g", "--glob", "globs", multiple=True, metavar="GLOB", help="Where (default: everywhere here)."
)
@click.option("--id", "name", default="", metavar="NAME", help="A name for it.")
@click.option(
    "--symbol", default="", metavar="PATTERN", help="Only where a function or type of this name is touched."
)
@click.option(
    "--severity",
    type=click.Choice(["info", "warning", "critical"]),
    default="warning",
    show_default=True,
    help="How much hangs on it.",
)
@click.option(
    "--enforcement",
    type=click.Choice(["advise", "confirm", "ask"]),
    default=None,
    help="What happens at an edit (default: by severity).",
)
@click.option("--since", default="", metavar="DATE", help="Since when.")
@click.option("--why", default="", metavar="TEXT", help="Why.")
@click.option("--global", "is_everywhere", is_flag=True, help="In all projects.")
@json_option
def add(
    text: str, globs: tuple[str, ...], name: str, *, is_everywhere: bool, as_json: bool, **more: str | None
) -> None:
    """Add a private rule."""
    from engram_hooks.curate import invariants

    given = {key: value for key, value in more.items() if value}
    rule = {"text": text, "globs": list(globs) or ["**"], **given, **({"id": name} if name else {})}
    with open_memory() as memory:
        added = invariants.add_here(memory, rule, is_everywhere=is_everywhere)
    if as_json:
        output.print_json(_to_json(added))
        return
    output.say(f"{output.style(added.name, 'id')} kept: {output.line(added.text)}")


@group.command()
@click.argument("name", metavar="ID")
@json_option
def remove(name: str, *, as_json: bool) -> None:
    """Remove a private rule; those of the team are removed in their file."""
    from engram_hooks.curate import invariants

    with open_memory() as memory:
        invariants.remove_here(memory, name)
    if as_json:
        output.print_json({"removed": name})
        return
    output.say(f"{output.style(output.line(name), 'id')} is gone")


def _to_json(one: Invariant) -> dict[str, object]:
    return {
        "id": one.name,
        "text": one.text,
        "severity": one.severity,
        "enforcement": one.enforcement or None,
        "globs": one.globs,
        "symbol": one.symbol or None,
        "since": one.since or None,
        "why": one.why or None,
        "source": f"{one.file}:{one.line}" if one.file else "private",
    }


def _row(one: Invariant) -> list[str]:
    return [
        output.style(output.line(one.name, max_chars=40), "id"),
        output.style(one.severity, _STYLES[one.severity]),
        output.line(" ".join(one.globs), max_chars=50),
        output.line(one.text, max_chars=120),
    ]


def _warn(faults: list[Problem]) -> None:
    for fault in faults:
        output.say(output.style(output.safe(str(fault)), "warn"), to_stderr=True)
