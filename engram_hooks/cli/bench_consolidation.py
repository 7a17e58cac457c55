"""`engram bench consolidate`: what putting a memory in order costs."""

from __future__ import annotations

from dataclasses import asdict

import click

from engram_hooks.cli import output
from engram_hooks.cli.options import json_option

HEADERS = "run", "notes after", "changes", "CPU s", "peak MB", "lock CPU ms", "lock ms", "longest wait ms"


@click.command(name="consolidate")
@click.option(
    "--records", type=click.IntRange(1), default=10_000, show_default=True, help="Notes in the store."
)
@click.option("--lines", type=click.IntRange(0), default=20_000, show_default=True, help="Lines in its log.")
@click.option("--runs", type=click.IntRange(1), default=3, show_default=True, help="Days in a row.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the made-up texts.")
@json_option
def consolidate(records: int, lines: int, runs: int, seed: int, as_json: bool) -> None:
    """Put a made-up memory of two years in order, beside a process that writes all the time."""
    from engram_hooks.bench.consolidation import describe, measure

    costs = measure(count=records, lines=lines, runs=runs, seed=seed)
    if as_json:
        output.print_json([asdict(cost) for cost in costs])
        return
    output.print_table(HEADERS, describe(costs), right=range(len(HEADERS)))
