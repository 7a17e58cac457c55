"""`engram stats`: how much is kept here."""

from __future__ import annotations

from typing import Any

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory, say_outside
from engram_hooks.cli.options import json_option, project_option


@click.command(name="stats")
@project_option
@json_option
def command(project: str | None, *, as_json: bool) -> None:
    """Show how much is kept: notes by kind and status, conversation, what was shown to the agent."""
    with open_memory(project=project) as memory:
        memory.finish_jobs()
        figures = memory.stats()
        if as_json:
            output.print_json(figures)
            return
        say_outside(memory)
    output.say(output.table(list_rows(figures)))


def list_rows(figures: dict[str, Any]) -> list[tuple[str, str]]:
    """What is said about the figures of `Engram.stats`, as (label, text)."""
    records, shown = figures["records"], figures["shown"]
    told = sum(figures["kinds"].values())
    rows = [
        ("Notes", f"{told:,} told as true" + _list_counts(figures["kinds"])),
        ("", f"{figures['global']:,} of them hold in every project" if figures["global"] else ""),
        ("Others", _list_counts({k: n for k, n in records.items() if k not in ("active", "compacted")})[2:]),
        ("Sessions", f"{figures['sessions']:,}, {output.count(figures['log'], 'line')} in the log"),
        ("Tools", f"{output.count(figures['events'], 'event')}, {figures['failed']:,} failed"),
        (
            "Shown",
            f"{shown['tokens']:,} tokens" + _list_counts({k: n for k, n in shown.items() if k != "tokens"}),
        ),
        ("Store", output.size(figures["store_bytes"])),
    ]
    if figures["project"]:
        rows.insert(0, ("Project", output.line(figures["project"], max_chars=80)))
    return [(output.style(label, "dim"), text) for label, text in rows if text]


def _list_counts(counts: dict[str, int]) -> str:
    parts = [f"{number:,} {name.replace('_', ' ')}" for name, number in counts.items() if number]
    return ": " + ", ".join(parts) if parts else ""
