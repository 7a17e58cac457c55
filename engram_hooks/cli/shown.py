"""`engram shown`: what a session was given, and why."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory, say_outside
from engram_hooks.cli.options import json_option, project_option

_PROMPT_CHARS = 100
_SUMMARY_CHARS = 160


@click.command(name="shown")
@click.option(
    "--session", metavar="ID", default="", help="The start of a session's id; else the last one here."
)
@project_option
@json_option
def command(session: str, project: str | None, *, as_json: bool) -> None:
    """List the notes that a session was given, at its start and beside its prompts, why, and what came of each."""
    from engram_hooks.curate.asking.explain import list_given

    with open_memory(project=project) as memory:
        memory.finish_jobs()
        client_id, items = list_given(memory.db, memory.project_id or 0, session=session)
        if as_json:
            output.print_json({"session": client_id, "shown": [_shape(item) for item in items]})
            return
        say_outside(memory)
    if not client_id:
        output.say("There is no such session.")
        return
    output.say(output.style(f"session {output.line(client_id, max_chars=64)}", "bold"))
    if not items:
        output.say("It was given nothing.")
    for (surface, prompt), group in groupby(items, key=lambda item: (item["surface"], item["prompt"])):
        _print_group(surface, prompt, list(group))


def _shape(item: dict[str, Any]) -> dict[str, Any]:
    from engram_hooks.curate.record import short_id

    return {**item, "id": short_id(item["kind"] or "fact", item["record_id"])}


def _print_group(surface: str, prompt: str, items: list[dict[str, Any]]) -> None:
    where = f"beside {output.line(prompt, max_chars=_PROMPT_CHARS)!r}" if prompt else ""
    head = "at the start" if surface == "boot" else where or "beside a prompt"
    tokens = sum(item["tokens"] for item in items)
    output.say(f"{output.moment(items[0]['at'])}, {head} ({output.count(tokens, 'token')})")
    for item in items:
        label = output.style(_shape(item)["id"], "id")
        summary = output.line(item["summary"] or "(forgotten)", max_chars=_SUMMARY_CHARS)
        why = output.line(item["reason"], max_chars=_SUMMARY_CHARS) if surface == "minder" else ""
        output.say(f"  {label}  {summary}")
        came = f"{item['verdict']}: {output.line(item['verdict_reason'], max_chars=_SUMMARY_CHARS)}"
        for text in (why, came if item["verdict"] else ""):
            if text:
                output.say(output.style(f"      {text}", "dim"))
