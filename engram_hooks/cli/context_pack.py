"""`engram context`: what the next session here is told."""

from __future__ import annotations

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory, say_outside
from engram_hooks.cli.options import json_option, project_option


@click.command(name="context")
@click.option("--max-chars", type=click.IntRange(200, 9000), help="The room it may take; default as set.")
@project_option
@json_option
def command(max_chars: int | None, project: str | None, as_json: bool) -> None:
    """Show what the next session here is told at its start, to the letter."""
    with open_memory(project=project) as memory:
        text, line = memory.context(max_chars=max_chars)
        if as_json:
            output.print_json({"context": text, "line": line, "chars": len(text)})
            return
        if text:
            output.say(output.pack(text))
        else:
            output.say(
                "Nothing: boot.max_chars leaves no room (engram config get boot.max_chars).", to_stderr=True
            )
        say_outside(memory)
