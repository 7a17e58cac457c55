"""`engram bench year`: a year of work in fast motion, with and without consolidation."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.options import json_option, split_option

if TYPE_CHECKING:
    from engram_hooks.bench.year.measure import Month, Outcome


@click.command()
@split_option
@click.option(
    "--days",
    type=click.IntRange(12),
    default=250,
    show_default=True,
    help="How many working days the year has.",
)
@click.option(
    "--log-rows",
    type=click.IntRange(0),
    default=20_000,
    show_default=True,
    help="About how many lines are said.",
)
@click.option("--seed", type=int, help="Another year of the split.")
@click.option(
    "--svg", type=click.Path(dir_okay=False, path_type=Path), help="Draw the curves into this file."
)
@json_option
def year(split: str, days: int, log_rows: int, seed: int | None, *, svg: Path | None, as_json: bool) -> None:
    """What the memory tells in the course of a year: right, repeated or out of date, with and without consolidation.

    Three made-up projects decide and decide anew, repeat themselves, note what files are deleted later, and work on
    branches. Each day shows a boot pack and some prompts.
    """
    from engram_hooks.bench.year.measure import measure

    with (
        tempfile.TemporaryDirectory(prefix="engram-bench-") as name,
        output.progress(2 * days, "days") as tick,
    ):
        found = measure(split, Path(name), days=days, log_rows=log_rows, seed=seed, tick=tick)
    if svg:
        from engram_hooks.bench.year.chart import draw

        svg.write_text(draw(found), encoding="utf-8")
    if as_json:
        output.print_json(dataclasses.asdict(found))
    else:
        _print(found)


def _print(found: Outcome) -> None:
    heads = [
        *("month", "pack %", "without", "minder %", "without", "answered %", "without", "pack chars"),
        *("store MB", "without"),
    ]
    rows = [
        [at, *_row(one, other)]
        for at, (one, other) in enumerate(zip(found.with_it, found.without, strict=True), 1)
    ]
    output.print_table(heads, rows, right=range(len(heads)))
    output.say()
    kept = found.kept
    output.say(
        f"{found.split}: {found.days} days, {found.log_rows:,} lines said; protected notes changed without a person:"
        f" {kept.protected_changed} of {kept.protected}; brought back: {kept.restored} of {kept.put_away} put away"
    )


def _row(one: Month, other: Month) -> list[str]:
    return [
        f"{100 * one.pack_precision:.1f}",
        f"{100 * other.pack_precision:.1f}",
        f"{100 * one.minder_precision:.1f}",
        f"{100 * other.minder_precision:.1f}",
        f"{100 * one.answered:.1f}",
        f"{100 * other.answered:.1f}",
        f"{one.pack_chars:,}",
        f"{one.store_mb:.1f}",
        f"{other.store_mb:.1f}",
    ]
