"""`engram recall`: ask the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory, say_outside
from engram_hooks.cli.options import TextCommand, json_option, project_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.curate.record import Hit
    from engram_hooks.memory import Engram

_EXCERPT_CHARS = 240
_DETAIL_CHARS = 200


@click.command(name="recall", cls=TextCommand)
@click.option("-q", "--query", metavar="TEXT", help="What to look for (also as plain words).")
@click.option(
    "-k",
    "--limit",
    "k",
    type=click.IntRange(1, 1000),
    default=5,
    show_default=True,
    help="At most so many answers.",
)
@click.option(
    "--mode",
    type=click.Choice(["facts", "search", "hook"]),
    help="facts: what is true; search: notes, conversation and failures; hook: what a prompt would be given.",
)
@click.option("--as-of", metavar="DATE", help="What was true then.")
@click.option("--explain", is_flag=True, help="Say why each hit was found.")
@click.option("--related", is_flag=True, help="Also what lies one relation beside the answers.")
@project_option
@json_option
@click.argument("words", nargs=-1)
def command(
    query: str | None,
    k: int,
    mode: str | None,
    as_of: str | None,
    explain: bool,
    related: bool,
    project: str | None,
    as_json: bool,
    words: tuple[str, ...],
) -> None:
    """Ask the memory. Without --mode: what is true, then what the log says."""
    text = " ".join([query or "", *words]).strip()
    with open_memory(project=project) as memory:
        if not text:
            output.print_json([]) if as_json else output.say("Nothing to look for: engram recall -q WORDS")
            return
        memory.finish_jobs()
        facts, log = _ask(memory, text, mode, k=k, as_of=as_of, explain=explain)
        beside = _find_related(memory, text, [*facts, *log], k=k, as_of=as_of) if related else []
        if as_json:
            output.print_json([hit.as_dict() for hit in [*facts, *log, *beside]])
            return
        _print(facts, explain=explain)
        if log and mode is None:
            output.say(output.style("from the log", "bold"))
        _print(log, explain=explain, text=text)
        if beside:
            output.say(output.style("beside it", "bold"))
        _print(beside, explain=False)
        if not facts and not log and not beside:
            output.say("Nothing found.")
            say_outside(memory)


def _ask(
    memory: Engram, text: str, mode: str | None, *, k: int, as_of: str | None, explain: bool
) -> tuple[list[Hit], list[Hit]]:
    """(hits among the notes, hits of the log) as the mode wants them."""
    from engram_hooks.curate.asking import recollect

    question = memory.question(text, k=k, as_of=as_of, explain=explain)
    if mode == "search":
        return [], recollect.search_history(memory.db, question)
    if mode is not None:
        return recollect.answer(memory.db, question, mode), []
    facts = recollect.recall_facts(memory.db, question)
    told = [hit.summary for hit in facts]
    return facts, recollect.search_history(memory.db, question, without=told, with_records=False)


def _find_related(memory: Engram, text: str, hits: Sequence[Hit], *, k: int, as_of: str | None) -> list[Hit]:
    from engram_hooks.curate.relations.near import recall_related

    return recall_related(memory.db, memory.question(text, k=k, as_of=as_of), hits)


def _print(hits: Sequence[Hit], *, explain: bool, text: str = "") -> None:
    from engram_hooks.curate.excerpt import cut_excerpt
    from engram_hooks.curate.record import short_id

    for hit in hits:
        if hit.source == "record":
            marks = _tell_end(hit)
            marks += f", branch {output.line(hit.branch)}" if hit.branch else ""
            marks += ", everywhere" if hit.scope == "global" else ""
            label = output.style(short_id(hit.kind, hit.number), "id")
            note = output.style(f"({hit.kind}, {output.day(hit.at)}{marks})", "dim")
            output.say(f"{label}  {output.line(hit.summary)}  {note}")
            if hit.also:
                output.say(output.style(f"    also: {', '.join(hit.also)}", "dim"))
            if hit.why.get("via"):
                output.say(output.style(f"    via {output.line(hit.why['via'])}", "dim"))
            if hit.detail:
                output.say("    " + output.line(hit.detail, max_chars=_DETAIL_CHARS))
        else:
            speaker = {"user": "you", "assistant": "Claude", "result": "output"}.get(hit.kind, hit.kind)
            part = output.line(cut_excerpt(hit.summary, text, max_chars=_EXCERPT_CHARS))
            output.say(f"  {output.style(f'{output.moment(hit.at)}, {speaker}:', 'dim')} {part}")
        if explain:
            output.say(output.style(f"    {_explain(hit)}", "dim"))


def _tell_end(hit: Hit) -> str:
    """`, no longer true: replaced by d12 on 3 May`; with a date asked for what held then says how long it did."""
    when = output.day(hit.until) if hit.until is not None else ""
    if hit.status == "live":
        return f", until {when}" if when and hit.replaced_by else ""
    if hit.replaced_by:
        return f", no longer true: replaced by {hit.replaced_by}{f' on {when}' if when else ''}"
    return f", no longer true{f' since {when}' if when else ''}"


def _explain(hit: Hit) -> str:
    matched = ", ".join(output.line(str(term), max_chars=64) for term in hit.why.get("matched", ()))
    parts = [f"score {hit.score:.2f}", f"words: {matched or 'none'}"]
    parts.append(f"share of the question {hit.why.get('coverage', 0):.0%}")
    ranks = hit.why.get("ranks", {})
    for name, value in hit.why.get("signals", {}).items():
        if value:
            parts.append(f"{name} {value:.1f}" + (f" (number {ranks[name]})" if name in ranks else ""))
    return "; ".join(parts)
