"""`engram guard`: filter text as engram does, on its way in or out."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.options import json_option
from engram_hooks.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    Found = tuple[int, int, str, str]
    Filter = Callable[[str], tuple[str, list[Found]]]


@click.command(name="guard")
@click.option("--in", "is_in", is_flag=True, help="As text is kept: secrets are redacted.")
@click.option(
    "--out", "is_out", is_flag=True, help="As text is told to the agent: nothing in it can give orders."
)
@click.option("--jsonl", is_flag=True, help='Many texts, one {"id", "text"} a line.')
@json_option
def command(is_in: bool, is_out: bool, jsonl: bool, as_json: bool) -> None:
    """Filter the standard input as engram does.

    `--json` tells what was found too, each with its kind, where it starts and ends in the text (in characters),
    and what it is; a secret itself is never printed.
    """
    if is_in == is_out:
        raise UsageError("say which way the text goes", hint="engram guard --in or engram guard --out")
    look = redact_text if is_in else filter_text
    output.make_streams_exact()
    if jsonl:
        for line in sys.stdin:
            if line.strip():
                _answer_line(line, look)
        return
    text, found = look(sys.stdin.read())
    if as_json:
        sys.stdout.write(
            json.dumps({"text": text, "findings": [name_finding(item) for item in found]}) + "\n"
        )
    else:
        sys.stdout.write(text)


def redact_text(text: str) -> tuple[str, list[Found]]:
    """The text without secrets, and where they stood; what each is, is its kind alone."""
    from engram_hooks.guard.redact import find_secrets, redact

    return redact(text), [(start, end, "secret", kind) for start, end, kind in find_secrets(text)]


def filter_text(text: str) -> tuple[str, list[Found]]:
    """The text as it may be told to a model, and what was found in it."""
    from engram_hooks.guard.outgoing import inspect

    return inspect(text)


def name_finding(found: Found) -> dict[str, object]:
    """A finding for JSON."""
    return dict(zip(("start", "end", "kind", "what"), found, strict=True))


def _answer_line(line: str, look: Filter) -> None:
    try:
        row = json.loads(line)
    except ValueError:
        row = None
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise UsageError("a line is no text", hint='a line is {"id": 1, "text": "..."}')
    text, found = look(row["text"])
    answer = {"id": row.get("id"), "text": text, "findings": [name_finding(item) for item in found]}
    sys.stdout.write(json.dumps(answer) + "\n")
