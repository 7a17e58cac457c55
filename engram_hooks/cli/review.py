"""`engram review`: what recent sessions decided and nobody has kept yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import EVERYWHERE, open_memory
from engram_hooks.cli.options import TextCommand, json_option, project_option
from engram_hooks.cli.review_dialog import KINDS
from engram_hooks.cli.review_questions import ask_question, find_questions, list_questions, settle_questions
from engram_hooks.store.records import QUARANTINED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.cli.review_questions import Question
    from engram_hooks.curate.review import Proposal
    from engram_hooks.memory import Engram


@click.command(name="review", cls=TextCommand)
@click.option("--accept", "accepted", multiple=True, metavar="ID", help="Keep this one; may be repeated.")
@click.option(
    "--never", "refused", multiple=True, metavar="ID", help="Never ask this again; may be repeated."
)
@click.option(
    "--core",
    "to_core",
    multiple=True,
    metavar="ID",
    help="Begin every session with this one; may be repeated.",
)
@click.option("--quarantined", is_flag=True, help="List what was put aside because it reads as an order.")
@click.option("--check", is_flag=True, help="Only say by the exit code whether something waits (1).")
@project_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    accepted: tuple[str, ...],
    refused: tuple[str, ...],
    to_core: tuple[str, ...],
    check: bool,
    quarantined: bool,
    project: str | None,
    as_json: bool,
) -> None:
    """Go through what recent sessions decided and nobody has kept yet, newest first.

    Then about notes whose files or lines are gone (--accept keeps one, --never puts it aside), and about those of
    merged branches (ID is branch:NAME; --accept lets them hold for the project). --accept also releases a note that
    was put aside, --never leaves it aside for good.
    """
    with open_memory(project=project) as memory:
        for ref in to_core:
            _accept_into_core(memory, ref)
        if accepted or refused or to_core:
            _decide(memory, accepted, refused)
            return
        if quarantined:
            _list_quarantined(memory, as_json=as_json)
            return
        found = memory.review()
        asked = find_questions(memory)
        count = len(found) + len(asked)
        if as_json:
            output.print_json([item.as_dict() for item in found] + [item.as_question() for item in asked])
        elif check:
            output.say(f"{output.count(count, 'note')} to review" if count else "Nothing to review.")
        elif not count:
            output.say("Nothing to review.")
        elif output.is_interactive():
            _ask_each(memory, found, asked)
        else:
            _list(found, asked)
        if check and count:
            ctx.exit(1)


def _decide(memory: Engram, accepted: Sequence[str], refused: Sequence[str]) -> None:
    from engram_hooks.cli.review_dialog import say_replaced
    from engram_hooks.curate import review
    from engram_hooks.memory import now

    accepted, refused = settle_questions(memory, accepted, refused)
    for ref in accepted:
        record = memory.find(ref)
        decide = review.release if record.status == QUARANTINED else review.accept
        record = decide(memory.db, record.id, now_ms=now())
        where = EVERYWHERE if record.scope == "global" else ""
        output.say(f"Kept {output.style(record.short_id, 'id')}{where}: {output.line(record.summary)}")
        say_replaced(memory, record)
    records = [memory.find(ref) for ref in refused]
    review.refuse(memory.db, [record.id for record in records], now_ms=now())
    for record in records:
        output.say(f"Never again: {output.style(record.short_id, 'id')}: {output.line(record.summary)}")


def _accept_into_core(memory: Engram, ref: str) -> None:
    from engram_hooks.curate.core.review import accept_into_core

    for line in accept_into_core(memory, memory.find(ref)).new:
        output.say(f"Every session begins with it now: {output.line(line)}")


def _list_quarantined(memory: Engram, *, as_json: bool) -> None:
    from engram_hooks.curate.review import list_quarantined

    found = list_quarantined(memory.db, memory.project_id or 0)
    if as_json:
        output.print_json([record.as_dict() for record in found])
        return
    if not found:
        output.say("Nothing is put aside.")
        return
    for record in found:
        output.say(
            f"{output.style(record.short_id, 'id')}  {record.kind}, {output.line(record.status_reason)}"
        )
        output.say(output.quote(f"{record.summary}\n{record.detail}"))
    output.say(output.style("engram review --accept ID tells it again · engram review --never ID", "dim"))


def _list(found: Sequence[Proposal], asked: Sequence[Question]) -> None:
    for item in found:
        label = output.style(item.record.short_id, "id")
        where = EVERYWHERE if item.record.scope == "global" else ""
        output.say(f"{label}  {item.record.kind}{where}: {output.line(item.record.summary)}")
        if item.record.status == "needs_review":
            output.say(f"    held back: {output.line(item.record.status_reason)}")
        for old in item.replaces:
            text = output.line(old.summary, max_chars=160)
            output.say(f"    would replace [{old.short_id}] {text} ({output.line(item.reason)})")
        if item.near and item.near not in item.replaces:
            output.say(f"    near: [{item.near.short_id}] {output.line(item.near.summary, max_chars=160)}")
    list_questions(asked)
    core = " · engram review --core ID" if any(item.record.kind in KINDS for item in found) else ""
    output.say(output.style(f"engram review --accept ID{core} · engram review --never ID", "dim"))


def _ask_each(memory: Engram, found: Sequence[Proposal], asked: Sequence[Question]) -> None:
    from engram_hooks.cli.review_dialog import ask_one

    count = len(found) + len(asked)
    for number, item in enumerate(found, 1):
        if not ask_one(memory, item, place=f"{number} of {count}"):
            return
    for number, question in enumerate(asked, len(found) + 1):
        if not ask_question(memory, question, place=f"{number} of {count}"):
            return
