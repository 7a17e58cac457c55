"""`engram why-not`: why a prompt is given a note, or is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.options import TextCommand, json_option, project_option

if TYPE_CHECKING:
    from engram_hooks.curate.asking.explain import Verdict


@click.command(name="why-not", cls=TextCommand)
@click.argument("ref", metavar="ID")
@click.option(
    "-q", "--query", "prompt", metavar="PROMPT", required=True, help="The prompt as you would type it."
)
@project_option
@json_option
def command(ref: str, prompt: str, project: str | None, *, as_json: bool) -> None:
    """Say why a note is put beside a prompt, or why not: what it is searched by, each signal, the decision."""
    from engram_hooks.curate.asking.explain import explain_record

    with open_memory(project=project) as memory:
        memory.finish_jobs()
        record = memory.find(ref)
        found = explain_record(memory.db, memory.question(prompt), record)
        if as_json:
            output.print_json(found.as_dict())
            return
    _print(found)


def _print(found: Verdict) -> None:
    head = "would be shown" if found.is_shown else "would not be shown"
    output.say(f"{output.style(found.id, 'id')}  {output.line(found.summary)}")
    output.say(output.style(f"{head}: {found.verdict}", "bold"))
    words = [*found.route["identifiers"], *found.route["terms"]]
    terms = ", ".join(output.line(word, max_chars=64) for word in dict.fromkeys(words))
    read_as = (
        "steers the session and asks for nothing" if found.route["is_trivial"] else found.route["intent"]
    )
    rows = [("read as", read_as), ("searched by", terms or "nothing but its meaning")]
    rows += [("filter", f"{name}: {'yes' if is_so else 'no'}") for name, is_so in found.filters]
    first, others = found.floors
    rows.append(("score", f"{found.score:.2f}; shown from {first:.2f}, as a further one from {others:.2f}"))
    rows += [(name, _describe_signal(found, name, value)) for name, value in found.signals.items()]
    if found.better:
        rows.append(("better", ", ".join(f"{name} {value:.2f}" for name, value in found.better)))
    output.say(output.table([(output.style(f"  {name}", "dim"), text) for name, text in rows]))


def _describe_signal(found: Verdict, name: str, value: float) -> str:
    place = f", number {found.ranks[name]}" if name in found.ranks else ""
    about = {
        "words": ", ".join(output.line(word, max_chars=64) for word in found.matched),
        "matters": ", ".join(output.line(word, max_chars=64) for word in found.matters),
        "meaning": f"cosine {found.cosine:.2f}" if found.cosine is not None else "",
    }.get(name, "")
    return f"{value:+.2f}{place}{f' ({about})' if about else ''}"
