"""`engram bench attempts`: how well failed approaches are told, and how often in vain."""

from __future__ import annotations

import dataclasses
import sys
import tempfile
from pathlib import Path

import click

from engram_hooks.cli import output
from engram_hooks.cli.index import Progress
from engram_hooks.cli.options import json_option, split_option


@click.command()
@split_option
@click.option(
    "--commits",
    type=click.IntRange(60),
    default=700,
    show_default=True,
    help="About how many commits the made-up repository has: more bring more stories.",
)
@click.option("--seed", type=int, help="Another made-up repository of the split.")
@json_option
def attempts(split: str, commits: int, seed: int | None, *, as_json: bool) -> None:
    """How well failed approaches are told: warnings that came, false alarms, edits held up.

    Sessions in a made-up repository try something, see a test fail and take it back, all through the hooks. Later ones
    are about to do the same, the same in other words, or something else of the same look.
    """
    from engram_hooks.bench.attempts import measure

    shown = Progress()
    tell = shown.tell if sys.stderr.isatty() else _tell_nobody
    with tempfile.TemporaryDirectory(prefix="engram-bench-") as name:
        try:
            found = measure(split, Path(name), commits=commits, seed=seed, on_progress=tell)
        finally:
            shown.clear()
    if as_json:
        output.print_json(dataclasses.asdict(found))
        return
    rows = [
        [row.kind, row.wanted, row.queries, f"{100 * row.told:.1f}", f"{100 * row.held_up:.1f}"]
        for row in found.rows
    ]
    output.print_table(["what comes", "wanted", "queries", "told %", "held up %"], rows, right=range(2, 5))
    output.say()
    output.say(
        f"{found.name}: {found.stories} stories in {found.commits:,} commits; warning hit rate {found.hit_rate:.3f},"
        f" false alarms {found.false_alarms:.3f}, wrongly held up {found.wrongly_held_up:.3f}"
    )


def _tell_nobody(_stage: str, _done: int, _total: int) -> None:
    return
