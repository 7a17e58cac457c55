"""`engram index`: learn a repository from its history."""

from __future__ import annotations

import sys
import time
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.options import json_option
from engram_hooks.errors import EXIT_INTERRUPTED

if TYPE_CHECKING:
    from engram_hooks.history.indexing import IndexReport
    from engram_hooks.memory import Engram

STOPPED = "engram: stopped; what was read is kept, engram index goes on from there"
_STEP_S = 0.2
_CLEAR = "\r\x1b[K"


@click.command(name="index")
@click.option(
    "--repo",
    metavar="PATH",
    type=click.Path(exists=True, file_okay=False),
    help="Another repository than the one here.",
)
@click.option("--rev", metavar="REV", default="HEAD", show_default=True, help="Up to which commit.")
@json_option
def command(repo: str | None, rev: str, *, as_json: bool) -> None:
    """Learn the repository here from its history: commits, why they were made, what they touched.

    The first time all of it, later what is new. It can be interrupted: the next run goes on from there. Nothing
    is written to the repository, and nothing of it is run.
    """
    with open_memory() as memory:
        try:
            report = learn(memory, repo, rev)
        except KeyboardInterrupt:
            output.say(STOPPED, to_stderr=True)
            raise click.exceptions.Exit(EXIT_INTERRUPTED) from None
    if as_json:
        output.print_json(asdict(report))
    else:
        output.say(describe(report))


def learn(memory: Engram, repo: str | None = None, rev: str = "HEAD") -> IndexReport:
    """Bring the index up to a revision, with a line on stderr that says how far it is. Raises as `Engram.index`."""
    shown = Progress()
    try:
        return memory.index(repo, rev, on_progress=shown.tell if sys.stderr.isatty() else None)
    finally:
        shown.clear()


def describe(report: IndexReport) -> str:
    """What an index holds now, in one line."""
    if not report.head:
        return "The repository has no commit yet."
    news = f", {report.new_commits:,} new" if report.new_commits else ", nothing new"
    shallow = "; a shallow clone: older commits are unknown" if report.is_shallow else ""
    return (
        f"{output.count(report.commits, 'commit')}{news}, {output.count(report.files, 'file')},"
        f" {output.count(report.symbols, 'symbol')}; {output.size(report.size_bytes)},"
        f" {report.seconds:.1f} s{shallow}"
    )


def hint_at_lag(memory: Engram, file: str = "") -> None:
    """Say on stderr where the index here (or that of a file) is not at what is checked out."""
    from engram_hooks.curate.code.lagging import find_lag

    if lag := find_lag(memory, file):
        hint = output.style("hint:", "warn")
        output.say(
            f"{hint} the index is of {lag[:10]}, not of what is checked out: engram index", to_stderr=True
        )


@dataclass(slots=True)
class Progress:
    """One line on stderr that says how far the work is."""

    _stage: str = ""
    _began_at: float = 0.0
    _told_at: float = 0.0
    _is_shown: bool = field(default=False)

    def tell(self, stage: str, done: int, total: int) -> None:
        """Say how many of a stage are done, a few times a second."""
        now = time.monotonic()
        if stage != self._stage:
            self._stage, self._began_at, self._told_at = stage, now, 0.0
        if now - self._told_at < _STEP_S:
            return
        self._told_at, self._is_shown = now, True
        text = format_progress(stage, done, total, seconds=now - self._began_at)
        click.echo(_CLEAR + text, err=True, nl=False)

    def clear(self) -> None:
        """Take the line away."""
        if self._is_shown:
            click.echo(_CLEAR, err=True, nl=False)


def format_progress(stage: str, done: int, total: int, *, seconds: float) -> str:
    """`1,200 of 6,489 commits · 18% · 812 a second · 7 s left`."""
    parts = [f"{done:,} of {total:,} {stage}", f"{100 * done // max(total, 1)}%"]
    if seconds > 0.5 and done:
        rate = done / seconds
        left = (total - done) / rate
        parts += [
            f"{rate:,.0f} a second",
            f"{left:.0f} s left" if left < 100 else f"{left / 60:.0f} min left",
        ]
    return " · ".join(parts)
