"""`engram import`: bring notes and conversations in from a file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.options import json_option
from engram_hooks.errors import UsageError


@click.command(name="import")
@click.option(
    "--format", "form", type=click.Choice(["jsonl"]), default="jsonl", help="Form of the file: jsonl."
)
@click.argument("file", type=click.File("rb"))
@json_option
def command(form: str, file: BinaryIO, *, as_json: bool) -> None:
    """Bring notes and conversations in from FILE (`-` reads standard input).

    One JSON object a line: id, project, session, ts, kind, role, speaker, text, and where it applies
    subject and supersedes. A row whose id is known in its project is skipped, so that a file can be
    imported again. Kinds turn and log go to the log, all others become notes.
    """
    with open_memory() as memory:
        report = memory.import_records(read_rows(file))
    if as_json:
        output.print_json({"added": report.added, "skipped": report.skipped})
        return
    skipped = f", {output.count(report.skipped, 'row')} skipped (known already)" if report.skipped else ""
    output.say(f"Added {output.count(report.added, 'row')}{skipped}.")


def read_rows(file: BinaryIO) -> Iterator[Mapping[str, Any]]:
    """The objects of a file of JSON lines. Raises `UsageError` with the number of a line that is none."""
    for number, raw in enumerate(file, 1):
        text = raw.decode("utf-8-sig" if number == 1 else "utf-8", "replace").strip()
        if not text:
            continue
        try:
            row = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"line {number} is not JSON: {error}") from error
        if not isinstance(row, dict):
            raise UsageError(f"line {number} is not a JSON object", hint='{"id": ..., "text": ...}')
        yield row
