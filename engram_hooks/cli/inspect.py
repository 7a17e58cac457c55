"""`engram inspect`: what a repository is like, by its index."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.history import format_date
from engram_hooks.cli.index import hint_at_lag
from engram_hooks.cli.options import json_option
from engram_hooks.errors import EngramError

if TYPE_CHECKING:
    from engram_hooks.history.inspection import Inspection
    from engram_hooks.store.index_figures import Pair

_SHORT = 10
_MAX_PATH_CHARS = 70


@click.command(name="inspect")
@click.option(
    "--html", "page", metavar="FILE", type=click.Path(dir_okay=False), help="Write a page with a graph."
)
@json_option
def command(page: str | None, *, as_json: bool) -> None:
    """Show what the index of the repository here holds: couplings, load-bearing files, what changes most.

    First the files that change together without an import between them, strongest first.
    """
    with open_memory() as memory:
        found = memory.inspect()
        hint_at_lag(memory)
        name = memory.project_name or os.path.basename(memory.root)
    if page is not None:
        _write_page(found, page, name=name)
    if as_json:
        output.print_json(to_json(found))
    elif page is None:
        output.say("\n".join(_draw(found)))
    else:
        output.say(f"Written to {output.line(page)}.")


def to_json(found: Inspection) -> dict[str, object]:
    """The contract of `engram inspect --json`."""
    return {
        "index": {
            "head": found.head,
            "shallow": found.is_shallow,
            "age_s": found.age_s,
            "size_bytes": found.size_bytes,
            "commits": found.commits,
            "files": found.files,
            "symbols": found.symbols,
        },
        "hidden": [_pair_to_json(pair) for pair in found.hidden],
        "couplings": [_pair_to_json(pair) for pair in found.pairs],
        "load_bearing": [
            {"path": one.path, "lines": one.lines, "commits": one.commits} for one in found.load_bearing
        ],
        "churn": [
            {
                "path": one.path,
                "commits": one.commits,
                "added": one.added,
                "removed": one.removed,
                "last": format_date(one.last_at),
            }
            for one in found.churn
        ],
    }


def _pair_to_json(pair: Pair) -> dict[str, object]:
    return {
        "path": pair.path,
        "other": pair.other,
        "score": round(pair.score, 4),
        "support": pair.support,
        "total": pair.total,
        "hidden": pair.is_hidden,
        "speak": pair.speaks,
    }


def describe(found: Inspection) -> str:
    """What the index stands at, in one line."""
    shallow = "; a shallow clone: older commits are unknown" if found.is_shallow else ""
    return (
        f"{output.count(found.commits, 'commit')}, {output.count(found.files, 'file')},"
        f" {output.count(found.symbols, 'symbol')} up to {found.head[:_SHORT] or 'no commit'},"
        f" read {_format_age(found.age_s)}; {output.size(found.size_bytes)}{shallow}"
    )


def _format_age(age_s: int) -> str:
    for unit, seconds in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if age_s >= seconds:
            return f"{output.count(age_s // seconds, unit)} ago"
    return "just now"


def _draw(found: Inspection) -> list[str]:
    if not found.commits:
        return ["The repository has no commit yet, or none that was indexed: engram index"]
    pairs = [
        (_path(pair.path), _path(pair.other), f"{pair.support:,} of {pair.total:,}") for pair in found.hidden
    ]
    bearing = [(_path(one.path), f"{one.lines:,}", f"{one.commits:,}") for one in found.load_bearing]
    churn = [
        (_path(one.path), f"{one.commits:,}", f"{one.added:,}", f"{one.removed:,}", format_date(one.last_at))
        for one in found.churn
    ]
    return [
        describe(found),
        *_section("Change together, no import between them", ("file", "changes with", "commits"), pairs),
        *_section("Load-bearing: lines that fixes wrote", ("file", "lines", "fixes"), bearing),
        *_section("Change most", ("file", "commits", "added", "removed", "last"), churn),
    ]


def _section(title: str, headers: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    listed = list(rows)
    if not listed:
        return []
    return ["", output.style(title, "bold"), output.table(listed, headers=headers)]


def _path(path: str) -> str:
    return output.line(path, max_chars=_MAX_PATH_CHARS)


def _write_page(found: Inspection, page: str, *, name: str) -> None:
    from engram_hooks.cli.inspect_page import render

    text = render(found, name=name, facts=describe(found))
    try:
        with open(page, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
    except OSError as error:
        raise EngramError(f"{page} cannot be written: {error.strerror}") from None
