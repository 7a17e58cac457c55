"""`engram attempts`: approaches that failed, what became of them, and what passed in the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.options import TextCommand, json_option, project_option, yes_option

if TYPE_CHECKING:
    from engram_hooks.curate.tries import Try

_WORDS = {
    "abandoned": ("given up", "warn"),
    "resolved": ("cured", "good"),
    "open": ("open", "id"),
    "dropped": ("no failure", "dim"),
}


@click.group(name="attempts", invoke_without_command=True)
@click.pass_context
def group(ctx: click.Context) -> None:
    """See what was tried and failed; without a command, list it.

    Edits that a check (a test, a build, a linter) turned down and that were taken back are told to the agent when it
    comes near them again. They are learned by themselves, from what the agent did.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_all)


@group.command(name="list")
@click.option("--outcome", type=click.Choice(list(_WORDS)), multiple=True, help="Only these.")
@click.option("--file", "file", metavar="FILE", default="", help="Only those that changed FILE.")
@project_option
@json_option
def list_all(outcome: tuple[str, ...], file: str, project: str | None, *, as_json: bool) -> None:
    """List what was tried here, latest first."""
    from engram_hooks.curate import tries

    with open_memory(project=project) as memory:
        found = tries.list_here(memory, outcomes=outcome, file=file)
    _print(found, as_json=as_json, empty="Nothing was tried here that a check turned down.")


@group.command(cls=TextCommand)
@click.argument("query")
@project_option
@json_option
def search(query: str, project: str | None, *, as_json: bool) -> None:
    """Search what was tried, how it failed, and what was asked for."""
    from engram_hooks.curate import tries

    with open_memory(project=project) as memory:
        found = tries.search_here(memory, query)
    _print(found, as_json=as_json, empty="Nothing of the kind was tried here.")


@group.command()
@click.argument("ref", metavar="ID")
@json_option
def show(ref: str, *, as_json: bool) -> None:
    """Show one approach: its lines, its failure, what became of it."""
    from engram_hooks.curate import tries

    with open_memory() as memory:
        one = tries.find_here(memory, ref)
    if as_json:
        output.print_json(to_json(one))
        return
    output.say("\n".join(_describe(one)))


@group.command(cls=TextCommand)
@click.argument("ref", metavar="ID")
@click.option("--note", default="", metavar="TEXT", help="What to do instead.")
@click.option("--undo", is_flag=True, help="Let it warn again.")
@json_option
def resolve(ref: str, note: str, *, undo: bool, as_json: bool) -> None:
    """Say that an approach is no warning any more."""
    from engram_hooks.curate import tries

    with open_memory() as memory:
        one = tries.reopen_here(memory, ref) if undo else tries.resolve_here(memory, ref, note=note)
    if as_json:
        output.print_json(to_json(one))
        return
    said = "warns again" if undo else f"warns no more (undo: engram attempts resolve t{one.id} --undo)"
    output.say(f"{output.style(f't{one.id}', 'id')} {said}")


@group.command()
@click.argument("ref", metavar="ID")
@yes_option
@json_option
def forget(ref: str, *, is_confirmed: bool, as_json: bool) -> None:
    """Delete an approach, its lines and its words."""
    from engram_hooks.curate import tries

    with open_memory() as memory:
        one = tries.find_here(memory, ref)
        if not is_confirmed and output.is_interactive():
            output.say("\n".join(_describe(one)))
            click.confirm("Delete it?", abort=True)
        tries.forget_here(memory, ref)
    if as_json:
        output.print_json({"forgotten": one.id})
        return
    output.say(f"{output.style(f't{one.id}', 'id')} is gone")


def to_json(one: Try) -> dict[str, object]:
    """The contract of `engram attempts --json`."""
    from engram_hooks.cli.history import format_date

    return {
        "id": one.id,
        "outcome": one.outcome,
        "intent": one.intent,
        "check": one.check,
        "failures": [
            dict(zip(("place", "error", "message", "frame"), fault, strict=False)) for fault in one.faults
        ],
        "files": [{"path": path, "removed": removed, "added": added} for path, removed, added in one.files],
        "cure": one.cure,
        "note": one.note,
        "branch": one.branch,
        "count": one.count,
        "first": format_date(one.first_at),
        "last": format_date(one.last_at),
    }


def _print(found: list[Try], *, as_json: bool, empty: str) -> None:
    if as_json:
        output.print_json([to_json(one) for one in found])
        return
    if not found:
        output.say(empty)
        return
    rows = [
        [
            output.style(f"t{one.id}", "id"),
            output.day(one.last_at),
            output.style(*_WORDS[one.outcome]),
            _first_file(one),
            output.line(_headline(one), max_chars=100),
        ]
        for one in found
    ]
    output.say(output.table(rows))


def _first_file(one: Try) -> str:
    more = f" +{len(one.files) - 1}" if len(one.files) > 1 else ""
    return output.line(one.files[0][0], max_chars=60) + more if one.files else ""


def _headline(one: Try) -> str:
    if not one.faults:
        return f"{one.check} failed"
    place, error, message, _ = one.faults[0]
    return ": ".join(part for part in (place, error, message) if part)


def _describe(one: Try) -> list[str]:
    word, style = _WORDS[one.outcome]
    often = f", {one.count} times" if one.count > 1 else ""
    lines = [
        f"{output.style(f't{one.id}', 'id')} {output.style(word, style)}"
        f" ({output.moment(one.last_at)}{often}; {output.line(one.check, max_chars=80)})"
    ]
    if one.intent:
        lines.append(f"wanted: {output.line(one.intent)}")
    for path, removed, added in one.files:
        lines.append(output.style(output.line(path, max_chars=200), "bold"))
        lines += [output.style(f"  - {output.line(text)}", "bad") for text in removed]
        lines += [output.style(f"  + {output.line(text)}", "good") for text in added]
    lines.append("failed:")
    lines += [f"  {output.line(': '.join(part for part in fault[:3] if part))}" for fault in one.faults]
    if one.cure:
        lines += ["what passed:", output.block(one.cure)]
    if one.note:
        lines.append(f"note: {output.line(one.note)}")
    return lines
