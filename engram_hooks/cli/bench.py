"""`engram bench`: what engram costs, measured on this machine."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.bench_attempts import attempts
from engram_hooks.cli.bench_consolidation import consolidate
from engram_hooks.cli.bench_history import index, why
from engram_hooks.cli.bench_loop import loop
from engram_hooks.cli.bench_year import year

if TYPE_CHECKING:
    from engram_hooks.bench.hooks import Figure


@click.group(name="bench")
def group() -> None:
    """Measure what engram costs on this machine, and how well it finds."""


group.add_command(index)
group.add_command(why)
group.add_command(attempts)
group.add_command(consolidate)
group.add_command(loop)
group.add_command(year)


@group.command()
@click.option(
    "--records", "counts", multiple=True, type=click.IntRange(1), help="Store sizes; default 1000 and 10000."
)
@click.option(
    "--rounds", type=click.IntRange(3), default=15, show_default=True, help="Counted rounds of all cases."
)
@click.option(
    "--beside",
    multiple=True,
    metavar="EVENT=COMMAND",
    help="Run another tool's command behind ours and show the ratio, for example session-start='other hook'.",
)
@click.option(
    "--commits",
    type=click.IntRange(0),
    default=30_000,
    show_default=True,
    help="Size of the index in the cases that need one; 0 leaves them out.",
)
@click.option(
    "--attempts",
    type=click.IntRange(0),
    default=2_000,
    show_default=True,
    help="Failed approaches in the store.",
)
@click.option(
    "--invariants", type=click.IntRange(0), default=1_000, show_default=True, help="Rules in the store."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def hooks(
    counts: tuple[int, ...], rounds: int, beside: tuple[str, ...], *, as_json: bool, **sizes_of: int
) -> None:
    """CPU time of each hook as a whole process, as a ratio to a bare `python -I -S -c pass`."""
    from engram_hooks.bench.hooks import measure

    sizes = counts or (1_000, 10_000)
    others = dict(_split(item) for item in beside)
    steps = (rounds + 1) * len(sizes)
    with (
        tempfile.TemporaryDirectory(prefix="engram-bench-") as folder,
        output.progress(steps, "rounds") as tick,
    ):
        figures = measure(
            Path(folder),
            counts=sizes,
            rounds=rounds,
            beside=others,
            tick=tick,
            commits=sizes_of["commits"],
            attempts=sizes_of["attempts"],
            rules=sizes_of["invariants"],
        )
    if as_json:
        output.print_json([dataclasses.asdict(figure) for figure in figures])
        return
    _print_hooks(figures, is_beside=bool(others))


def _print_hooks(figures: list[Figure], *, is_beside: bool) -> None:
    heads = ["case", "records", "cpu ms", "x bare", "wall ms", "peak MB", "worker ms"] + [
        "x other"
    ] * is_beside
    rows = [
        [
            figure.case,
            f"{figure.records:,}",
            f"{figure.cpu_ms:.1f}",
            f"{figure.ratio:.2f}",
            f"{figure.wall_ms:.1f}",
        ]
        + [
            f"{figure.peak_mb:.1f}" if figure.peak_mb else "",
            f"{figure.worker_ms:.0f}" if figure.worker_ms else "",
        ]
        + [f"{figure.beside:.2f}" if figure.beside else ""] * is_beside
        for figure in figures
    ]
    output.print_table(heads, rows, right=range(1, 8))


@group.command()
@click.option(
    "--vectors",
    "counts",
    multiple=True,
    type=click.IntRange(100),
    help="How many vectors; default 10000, 100000 and 1000000 (which takes 3 GB of memory).",
)
@click.option(
    "--queries", type=click.IntRange(5), default=50, show_default=True, help="Queries for each size."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def scan(counts: tuple[int, ...], queries: int, *, as_json: bool) -> None:
    """Finding the nearest vectors: what two stages miss, and what they cost beside an exact scan."""
    from engram_hooks.bench.scan import measure

    sizes = counts or (10_000, 100_000, 1_000_000)
    with (
        tempfile.TemporaryDirectory(prefix="engram-bench-") as folder,
        output.progress(len(sizes), "sizes") as tick,
    ):
        figures = measure(Path(folder), counts=sizes, queries=queries, tick=tick)
    if as_json:
        output.print_json([dataclasses.asdict(figure) for figure in figures])
        return
    heads = ["vectors", "recall@10", "of float32", "library ms", "new process ms", "peak MB"]
    heads += ["numpy ms", "float32 ms", "x faster", "bytes each"]
    rows = [
        [
            *(f"{figure.vectors:,}", f"{figure.recall_stored:.3f}", f"{figure.recall_float:.3f}"),
            *(f"{figure.library_cpu_ms:.2f}", f"{figure.fresh_ms:.2f}", f"{figure.peak_mb:.1f}"),
            *(f"{figure.numpy_ms:.2f}", f"{figure.float_ms:.2f}"),
            *(f"{figure.speedup:.1f}", f"{figure.bytes_each:.1f}"),
        ]
        for figure in figures
    ]
    output.print_table(heads, rows, right=range(10))


@group.command()
@click.argument("data", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def recall(data: Path, *, as_json: bool) -> None:
    """Finding what was said: the share of evidence among the first 5 and 10 answers to the questions in DATA.

    DATA is a folder with META.json, records.jsonl and queries.jsonl.
    """
    from engram_hooks.bench.recall import measure, read_set

    steps = len(read_set(data)[2])
    with (
        tempfile.TemporaryDirectory(prefix="engram-bench-") as folder,
        output.progress(steps, "questions") as tick,
    ):
        outcome = measure(data, Path(folder), tick=tick)
    if as_json:
        output.print_json(dataclasses.asdict(outcome))
        return
    heads = ["found", "type", "questions", "R@5", "R@10", "hit@5", "hit@10", "MRR", "nDCG@10"]
    rows = [
        [row.unit, row.type, row.questions]
        + [
            f"{100 * share:.1f}"
            for share in (
                *(row.recall_at_5, row.recall_at_10, row.hit_at_5, row.hit_at_10),
                *(row.mrr, row.ndcg_at_10),
            )
        ]
        for row in outcome.figures
    ]
    output.print_table(heads, rows, right=range(2, 9))
    output.say(f"{outcome.name}: {outcome.query_ms:.0f} ms a question")


def _split(item: str) -> tuple[str, str]:
    event, mark, command = item.partition("=")
    if not mark or not command:
        raise click.BadParameter(f"{item!r} is not EVENT=COMMAND", param_hint="--beside")
    return event, command
