"""`engram bench loop`: whether notes of no use fall silent, and the others do not."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path

import click

from engram_hooks.cli import output
from engram_hooks.cli.options import json_option, split_option

HEADS = "turns", "of no use", "not learning", "needs met %", "not learning %"


@click.command()
@split_option
@click.option("--turns", type=click.IntRange(40), default=100, show_default=True, help="Turns of each run.")
@click.option(
    "--runs", type=click.IntRange(1), default=3, show_default=True, help="Made-up projects that are played."
)
@click.option("--seed", type=int, default=41, show_default=True, help="The first project; the others follow.")
@click.option(
    "--visible",
    type=click.FloatRange(0, 1),
    default=0.8,
    show_default=True,
    help="The share of uses that leave a trace.",
)
@click.option("--late", is_flag=True, help="One of the notes of no use is needed from the middle on.")
@json_option
def loop(split: str, turns: int, runs: int, seed: int, visible: float, late: bool, as_json: bool) -> None:
    """Whether notes that match many prompts and help with none fall silent, and useful ones are told as before.

    Sessions in a made-up project go through the hooks, their transcripts through the worker's code. One note in ten
    is of no use. Every run is played twice, in a memory that learns from what became of its notes and in one that
    does not.
    """
    from engram_hooks.bench.loop.measure import Plan, measure

    plan = Plan(split=split, turns=turns, runs=runs, visible=visible, has_late=late, seed=seed)
    with (
        tempfile.TemporaryDirectory(prefix="engram-bench-") as folder,
        output.progress(2 * runs * turns, "turns") as tick,
    ):
        found = measure(plan, Path(folder), tick=tick)
    if as_json:
        output.print_json(dataclasses.asdict(found))
        return
    rows = [
        [
            f"{row.first} to {row.last}",
            str(row.empty),
            str(row.empty_without),
            f"{100 * row.recall:.1f}",
            f"{100 * row.recall_without:.1f}",
        ]
        for row in found.windows
    ]
    output.print_table(HEADS, rows, right=range(1, 5))
    output.say()
    late_recall = ""
    if found.late_recall is not None:
        first, second, without = (f"{100 * share:.0f}" for share in found.late_recall)
        late_recall = (
            f"; needs of the late note met: {first} % at first, {second} % then, {without} % not learning"
        )
    output.say(
        f"{found.split}, {output.count(found.runs, 'run')}: notes of no use fell by {100 * found.fall:.1f} % from the"
        f" first {found.windows[0].last} turns to the last, and are {100 * found.fall_beside:.1f} % fewer than"
        f" without learning; needs met {100 * found.recall_change:+.1f} points beside it{late_recall}"
    )
