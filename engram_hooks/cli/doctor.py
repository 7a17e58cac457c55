"""`engram doctor`: find out what does not work, and repair it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.options import json_option
from engram_hooks.cli.setup import find_data_folder
from engram_hooks.errors import EXIT_FAILURE

if TYPE_CHECKING:
    from engram_hooks.client.doctor import Checkup, Surroundings

STYLES = {"error": "bad", "warning": "warn", "note": "dim"}


@click.command(name="doctor")
@click.option("--fix", "is_fixing", is_flag=True, help="Repair what can be repaired; nothing is deleted.")
@json_option
@click.pass_context
def command(ctx: click.Context, /, *, is_fixing: bool, as_json: bool) -> None:
    """Find out what does not work: settings, launcher, store, backlog; every hook is run for real.

    The hooks run with sample payloads in a temporary folder. Exit code 1 where something keeps engram from
    working. docs/messages.md explains each finding.
    """
    from engram_hooks.client.doctor import examine
    from engram_hooks.client.repair import repair
    from engram_hooks.store.trouble import settle

    find_data_folder()
    checkup, done = examine(look_around()), []
    if is_fixing:
        done = repair(look_around(), checkup.findings)
        checkup = examine(look_around())
    if checkup.is_well:
        settle(str(look_around().data))
    if as_json:
        output.print_json({**checkup.as_dict(), "done": done})
    else:
        for sentence in done:
            output.say(f"{output.style('done', 'good')}     {output.safe(sentence)}")
        _say_checkup(checkup)
    if not checkup.is_well:
        ctx.exit(EXIT_FAILURE)


def look_around() -> Surroundings:
    """Where this command runs, and when."""
    from engram_hooks.client.doctor import Surroundings
    from engram_hooks.memory import now

    return Surroundings(dict(os.environ), Path.cwd(), now())


def _say_checkup(checkup: Checkup) -> None:
    from engram_hooks.client.hook_trial import EVERY_EVENT

    for finding in checkup.findings:
        level = output.style(finding.level.ljust(8), STYLES[finding.level])
        output.say(f"{level} {output.line(finding.text)}  {output.style(f'({finding.slug})', 'dim')}")
        if finding.hint:
            output.say(f"         {output.style('try:', 'dim')} {output.safe(finding.hint)}")
    good = [trial for trial in checkup.trials if not trial.problem]
    if good and not any(trial.event == EVERY_EVENT and trial.problem for trial in checkup.trials):
        slowest = max(good, key=lambda trial: trial.duration_ms)
        text = f"{output.count(len(good), 'hook')} ran well, the slowest in {slowest.duration_ms} ms"
        output.say(f"{output.style('ok', 'good')}       {text}")
    if "size_bytes" in checkup.store:
        size = output.size(int(str(checkup.store["size_bytes"])))
        text = f"{output.safe(str(checkup.store['path']))}: {size}, schema {checkup.store['schema']}"
        output.say(f"{output.style('store', 'dim')}    {text}")
