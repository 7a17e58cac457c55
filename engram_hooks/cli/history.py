"""`engram history`: the commits that made a file or a symbol what it is."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.index import hint_at_lag
from engram_hooks.cli.options import json_option

if TYPE_CHECKING:
    from engram_hooks.history.questions import Story
    from engram_hooks.store.index_queries import CommitEntry

_SHORT = 10
_STRONG = "bugfix", "security"


@click.command(name="history")
@click.argument("file")
@click.option("--symbol", metavar="NAME", help="A function or type of the file: `name` or `Class.name`.")
@click.option("-n", "--limit", metavar="N", type=click.IntRange(min=1), help="At most so many, the newest.")
@json_option
def command(file: str, symbol: str | None, limit: int | None, *, as_json: bool) -> None:
    """List the commits that touched FILE, or a symbol in it, newest first; renames are followed."""
    with open_memory() as memory:
        story = memory.history(file, symbol)
        hint_at_lag(memory, file)
    story = replace(story, commits=story.commits[:limit])
    if as_json:
        output.print_json(to_json(story))
        return
    if not story.commits:
        output.say("No commit that is known touched it.")
        return
    rows = [
        [
            output.style(entry.hash[:_SHORT], "id"),
            format_date(entry.authored_at),
            output.style(name_intent(entry.intent), "good" if entry.intent in _STRONG else "dim"),
            output.line(entry.subject, max_chars=100) + _note(entry),
        ]
        for entry in story.commits
    ]
    output.say(output.table(rows))


def to_json(story: Story) -> dict[str, object]:
    """The contract of `engram history --json`."""
    return {
        "file": story.path,
        "symbols": list(story.symbols),
        "commits": [
            {
                "hash": entry.hash,
                "date": format_date(entry.authored_at),
                "subject": entry.subject,
                "intent": entry.intent,
                "author": entry.author,
                "is_bulk": entry.is_bulk,
                "reverts": entry.reverts or None,
                "reverted_by": entry.reverted_by or None,
                **_lines(story, entry),
            }
            for entry in story.commits
        ],
    }


def format_date(at_ms: int) -> str:
    """`2024-05-09`, the day in UTC."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).date().isoformat()


def name_intent(intent: str) -> str:
    """An intent for people: nothing for `chore`, which is also what a commit without a hint is."""
    return "" if intent == "chore" else intent


def _lines(story: Story, entry: CommitEntry) -> dict[str, int]:
    counts = story.lines.get(entry.id)
    return {"added": counts[0], "removed": counts[1]} if counts else {}


def _note(entry: CommitEntry) -> str:
    if entry.reverted_by and not entry.restored_by:
        return output.style(f" (undone by {entry.reverted_by[:_SHORT]})", "warn")
    return ""
