"""`engram bench index` and `engram bench why`: what the index of a history costs, and how well it answers."""

from __future__ import annotations

import dataclasses
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.index import Progress
from engram_hooks.cli.options import json_option, split_option

if TYPE_CHECKING:
    from engram_hooks.bench.why import Outcome

_repo_option = click.option(
    "--repo",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="PATH",
    help="A repository on disk instead of a made-up one.",
)
_commits_option = click.option(
    "--commits",
    type=click.IntRange(60),
    default=1500,
    show_default=True,
    help="About how many commits the made-up one has.",
)


@click.command()
@_repo_option
@_commits_option
@click.option("--rounds", type=click.IntRange(1), default=2, show_default=True, help="Rounds of all runs.")
@json_option
def index(repo: Path | None, commits: int, rounds: int, *, as_json: bool) -> None:
    """What the index costs beside `git log -p -U0 -M --no-merges` of the same history, in one run.

    CPU time of all processes, the peak memory of the one that indexes, the index after one commit more, its size
    beside the packed objects. Without --repo for a made-up repository; a given one is only read.
    """
    from engram_hooks.bench.index import STEPS_A_ROUND, measure
    from engram_hooks.bench.monorepo.story import SPLITS, write_monorepo

    with tempfile.TemporaryDirectory(prefix="engram-bench-") as name:
        folder = Path(name)
        if repo is None:
            write_monorepo(folder / "made", SPLITS["dev"], commits=commits)
        label = "" if repo else "made-up"
        with output.progress(STEPS_A_ROUND * rounds, "runs") as tick:
            cost = measure(repo or folder / "made", folder, rounds=rounds, name=label, tick=tick)
    if as_json:
        output.print_json(dataclasses.asdict(cost))
        return
    heads = ["run", "cpu s", "x git log", "wall s"]
    rows = [
        ["git log -p", f"{cost.floor_cpu_s:.2f}", "1.00", f"{cost.floor_wall_s:.2f}"],
        ["index", f"{cost.index_cpu_s:.2f}", f"{cost.ratio:.2f}", f"{cost.index_wall_s:.2f}"],
        ["nothing new", f"{cost.nothing_new_cpu_s:.2f}", "", f"{cost.nothing_new_wall_s:.2f}"],
        ["one commit more", f"{cost.one_more_cpu_s:.2f}", "", f"{cost.one_more_wall_s:.2f}"],
    ]
    output.print_table(heads, rows, right=range(1, 4))
    output.say(
        f"{output.line(cost.name)}: {cost.commits:,} commits, {cost.files:,} files, {cost.symbols:,} symbols;"
        f" peak {cost.peak_mb:.0f} MB; index {cost.index_mb:.1f} MB, {100 * cost.share:.0f}% of the objects"
    )


@click.command()
@_repo_option
@_commits_option
@split_option
@click.option("--seed", type=int, help="Another made-up repository of the split.")
@json_option
def why(repo: Path | None, commits: int, split: str, seed: int | None, *, as_json: bool) -> None:
    """How well the index says why: commits and files for questions, warnings for functions, files that belong together.

    Asked of a made-up repository whose history is known, beside what git alone gives. With --repo of one on disk:
    one sentence is taken out of each asked message, and partners are those of later commits; it is only read.
    """
    from engram_hooks.bench import own_history
    from engram_hooks.bench.monorepo.story import SPLITS
    from engram_hooks.bench.why import measure

    shown = Progress()
    tell = shown.tell if sys.stderr.isatty() else _tell_nobody
    with tempfile.TemporaryDirectory(prefix="engram-bench-") as name:
        try:
            if repo is None:
                found = measure(SPLITS[split], Path(name), commits=commits, seed=seed, on_progress=tell)
            else:
                found = own_history.measure(repo, Path(name), on_progress=tell)
        finally:
            shown.clear()
    if as_json:
        output.print_json(dataclasses.asdict(found))
        return
    _print_outcome(found)


def _print_outcome(found: Outcome) -> None:
    """Print what was found as tables: questions, warnings, partners."""
    rows = [
        [row.kind, row.system, row.questions]
        + [_share(value) for value in (row.hit_at_1, row.hit_at_5, row.mrr, row.file_hit_at_5)]
        for row in found.why
    ]
    if rows:
        heads = ["why", "asked of", "questions", "commit hit@1", "hit@5", "MRR", "file hit@5"]
        output.print_table(heads, _by_kind(rows), right=range(2, 7))
        output.say()
    rows = [
        [row.kind, row.system, row.functions, _share(row.named), _share(row.warned)]
        for row in found.preflight
    ]
    if rows:
        heads = ["preflight", "asked of", "functions", "right commit named", "any warning"]
        output.print_table(heads, _by_kind(rows), right=range(2, 5))
        output.say(
            "Siblings, plain, cosmetic and grown functions carry no fix: every warning there is a false alarm."
        )
        output.say()
    _print_partners(found)
    warned = f", preflight {found.preflight_p95_ms:.1f} ms (p95)" if found.preflight else ""
    output.say(
        f"{output.line(found.name)}: {found.commits:,} commits indexed in {found.index_s:.1f} s;"
        f" why {found.why_p50_ms:.1f} ms (median){warned}"
    )


def _print_partners(found: Outcome) -> None:
    """The table of partners; the columns on hidden pairs only where they are known."""
    heads = ["co-change", "questions", "R@5", "precision when it speaks", "speaks for"]
    rows = [
        [row.system, row.questions, *map(_share, (row.recall_at_5, row.precision, row.coverage))]
        for row in found.cochange
    ]
    if any(row.hidden_pairs for row in found.cochange):
        heads += ["hidden pairs found", "imports told as hidden"]
        for cells, row in zip(rows, found.cochange, strict=True):
            cells += [f"{_share(row.hidden_found)} of {row.hidden_pairs}", _share(row.linked_hidden)]
    output.print_table(heads, rows, right=range(1, len(heads)))


def _by_kind(rows: list[list[object]]) -> list[list[object]]:
    """Rows of one kind next to each other, in the order the kinds came."""
    kinds = list(dict.fromkeys(row[0] for row in rows))
    return [row for kind in kinds for row in rows if row[0] == kind]


def _share(value: float) -> str:
    return f"{100 * value:.1f}"


def _tell_nobody(_stage: str, _done: int, _total: int) -> None:
    return
