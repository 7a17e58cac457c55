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
    """Show how much is kept, what of it was shown to the agent, and what came of that."""
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
        *_list_use(figures),
        ("Store", output.size(figures["store_bytes"])),
    ]
    if figures["project"]:
        rows.insert(0, ("Project", output.line(figures["project"], max_chars=80)))
    return [(output.style(label, "dim"), text) for label, text in rows if text]


_SURFACES = {"boot": "at the start of sessions", "minder": "beside prompts"}
_OUTCOMES = "used", "ignored", "wrong"
_MAX_NAMED = 5


def _list_use(figures: dict[str, Any]) -> list[tuple[str, str]]:
    """What became of what was shown, how often nothing was added to a prompt, and what is seldom shown now."""
    rows: list[tuple[str, str]] = []
    for surface, counts in figures["use"].items():
        outcomes = ", ".join(f"{counts[name]:,} {name}" for name in _OUTCOMES if counts[name])
        label = "" if rows else "Came of it"
        rows.append((label, f"{_SURFACES.get(surface, surface)}: {outcomes or 'nothing known yet'}"))
    if figures["turns"]:
        missed = figures["missed"]
        text = f"{figures['silent']:,} of {output.count(figures['turns'], 'turn')}"
        if missed:
            text += f"; in {missed:,} a note not shown would have spared a correction"
        rows.append(("Silent", text))
    held = [item["id"] for item in figures["held_back"]]
    if held:
        more = ", ..." if len(held) > _MAX_NAMED else ""
        rows.append(("Held back", f"often ignored, so seldom shown: {', '.join(held[:_MAX_NAMED])}{more}"))
    return rows


def _list_counts(counts: dict[str, int]) -> str:
    parts = [f"{number:,} {name.replace('_', ' ')}" for name, number in counts.items() if number]
    return ": " + ", ".join(parts) if parts else ""
