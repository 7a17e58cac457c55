"""`engram scan-secrets`: secrets that were kept before they were recognised."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.options import json_option

if TYPE_CHECKING:
    from engram_hooks.curate.secret_scan import Held


@click.command(name="scan-secrets")
@click.option("--fix", is_flag=True, help="Take them out, everywhere but in backups.")
@json_option
@click.pass_context
def command(ctx: click.Context, *, fix: bool, as_json: bool) -> None:
    """Look for secrets in all that is kept: notes, conversation, events, indexes, files, backups.

    What is redacted on writing today may have been kept by an older version. Ends with 1 where something is found
    and left. No secret is ever printed.
    """
    from engram_hooks.curate.secret_scan import scan

    with open_memory() as memory:
        found = scan(memory, is_fixing=fix)
        data = memory.data
    if as_json:
        output.print_json([asdict(item) for item in found])
    else:
        _report(found, data, is_fixing=fix)
    if any(not item.is_cleaned for item in found):
        ctx.exit(1)


def _report(found: list[Held], data: str, *, is_fixing: bool) -> None:
    if not found:
        output.say("No secrets are kept.")
        return
    rows = []
    for item in found:
        place = os.path.relpath(item.place, data) if os.path.isabs(item.place) else item.place
        state = output.style("cleaned", "good") if item.is_cleaned else output.style("left", "warn")
        kinds = ", ".join(item.kinds)
        rows.append([output.line(place), output.count(item.texts, "text"), state if is_fixing else "", kinds])
    output.say(output.table(rows))
    if not is_fixing:
        output.say(output.style("engram scan-secrets --fix takes them out", "dim"))
    elif any(not item.is_cleaned for item in found):
        output.say(output.style("Backups are left as they are: delete those that are not needed.", "dim"))
