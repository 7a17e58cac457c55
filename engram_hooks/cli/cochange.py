"""`engram cochange`: what changes along with a file or a symbol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.index import hint_at_lag
from engram_hooks.cli.options import json_option

if TYPE_CHECKING:
    from engram_hooks.history.couplings import Coupling, Couplings

BAR_CELLS = 10
_MAX_PATH_CHARS = 100


@click.command(name="cochange")
@click.argument("file")
@click.option("--symbol", metavar="NAME", help="A function or type of the file: `name` or `Class.name`.")
@click.option(
    "-k", "limit", metavar="N", type=click.IntRange(1, 20), default=10, show_default=True, help="How many."
)
@json_option
def command(file: str, symbol: str | None, limit: int, *, as_json: bool) -> None:
    """List what changes along with FILE, or with a symbol in it, best first.

    Recent commits count more, small ones more than large ones; renames are followed. A green bar stands before what
    engram tells unasked.
    """
    with open_memory() as memory:
        found = memory.cochange(file, limit, symbol=symbol)
        hint_at_lag(memory, file)
    if as_json:
        output.print_json(to_json(found))
        return
    output.say("\n".join(_draw(found)))


def to_json(found: Couplings) -> dict[str, object]:
    """The contract of `engram cochange --json`."""
    return {
        "file": found.path,
        "asked": list(found.asked),
        "files": [coupling_to_json(one) for one in found.files],
        "symbols": [{"symbol": one.symbol, **coupling_to_json(one)} for one in found.symbols],
    }


def coupling_to_json(one: Coupling) -> dict[str, object]:
    """One partner, as every command prints it."""
    return {
        "path": one.path,
        "score": round(one.score, 4),
        "support": one.support,
        "total": one.total,
        "confidence": round(one.confidence, 4),
        "hidden": one.is_hidden,
        "speak": one.speaks,
    }


def _list_shown(found: Sequence[Coupling]) -> list[Coupling]:
    """What a person is shown: partners by evidence or by name, no guesses."""
    return [one for one in found if one.support or not one.total]


def _draw(found: Couplings) -> list[str]:
    files, symbols = _list_shown(found.files), _list_shown(found.symbols)
    if not files and not symbols:
        return ["Nothing is known that changes along with it."]
    best = max(one.score for one in [*files, *symbols])
    lines = []
    if files:
        lines.append(output.table(_draw_row(one, one.path, best=best) for one in files))
    if symbols:
        lines += [""] * bool(files) + [output.style("symbols", "bold")]
        names = [one.symbol if one.path == found.path else f"{one.symbol}  {one.path}" for one in symbols]
        lines.append(
            output.table(_draw_row(one, name, best=best) for one, name in zip(symbols, names, strict=True))
        )
    return lines


def _draw_row(one: Coupling, name: str, *, best: float) -> list[str]:
    return [
        output.style(draw_bar(one.score / best), "good" if one.speaks else "dim"),
        output.line(name, max_chars=_MAX_PATH_CHARS),
        describe(one),
    ]


def describe(one: Coupling) -> str:
    """`changed with it in 5 of 7 commits, no import between them`."""
    if not one.support:
        return "belongs to it by its name"
    hidden = ", no import between them" if one.is_hidden else ""
    return f"changed with it in {one.support:,} of {output.count(one.total, 'commit')}{hidden}"


def draw_bar(share: float) -> str:
    """A share from 0 to 1 as a bar of fixed width, never empty."""
    filled = max(1, round(share * BAR_CELLS))
    return "█" * filled + "·" * (BAR_CELLS - filled)
