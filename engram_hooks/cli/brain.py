"""`engram brain`: the user's own model as a judge of notes: where it stands, what it is sent, whether it answers."""

from __future__ import annotations

from textwrap import indent
from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.options import json_option
from engram_hooks.errors import EXIT_FAILURE

if TYPE_CHECKING:
    from engram_hooks.curate.brain.report import Status
    from engram_hooks.memory import Engram

_STATES = {
    "off": "off; engram setup --brain turns it on",
    "ready": "ready",
    "missing": "its program is not found, so it is not asked",
    "spent": "the budget of this hour is spent",
    "within": "this is one of its own sessions: nothing of engram is at work here",
}


@click.group(name="brain")
def group() -> None:
    """Let a model of your own judge notes: in the background, within a budget, off until you set it up.

    `engram setup --brain` turns it on with Claude Code and a small model, `engram setup --brain COMMAND` with any
    program that takes a prompt on its standard input and prints JSON. docs/brain.md tells more.
    """


@group.command()
@json_option
def status(*, as_json: bool) -> None:
    """Show whether it is on, what is left of the hour's budget, and how the last calls went."""
    from engram_hooks.curate.brain.report import read_status
    from engram_hooks.memory import now

    with open_memory() as memory:
        found = read_status(memory.db, memory.environ, now_ms=now())
    if as_json:
        output.print_json(found.as_dict())
        return
    output.say(output.table([(output.style(label, "dim"), text) for label, text in _list_rows(found)]))
    if found.calls:
        rows = [
            (
                output.moment(call["at"]),
                call["purpose"],
                call["outcome"],
                f"{call['tokens']:,}",
                f"{call['took_ms'] / 1000:.1f} s",
                output.line(call["reason"], max_chars=80),
            )
            for call in found.calls
        ]
        output.say()
        output.print_table(("asked", "for", "outcome", "tokens", "took", ""), rows, right=(3, 4))


@group.command(name="test")
@json_option
@click.pass_context
def try_it(ctx: click.Context, /, *, as_json: bool) -> None:
    """Make one tiny call now, and show what was sent, what came back and how long it took."""
    from engram_hooks.curate.brain.report import try_brain
    from engram_hooks.memory import now

    with open_memory() as memory:
        trial = try_brain(memory, now_ms=now())
    reply = trial.reply
    if as_json:
        output.print_json(trial.as_dict())
    else:
        output.say(output.style("Sent", "dim"))
        output.say(indent(output.pack(trial.prompt), "  "))
        output.say(output.style("Came back", "dim"))
        output.say(output.block(reply.text.strip()) or "  nothing")
        verdict = "a usable answer" if reply.value else f"{reply.outcome}: {output.line(reply.reason)}"
        output.say(
            f"{output.style(verdict, 'good' if reply.value else 'bad')} in {reply.took_ms / 1000:.1f} s"
        )
    if not reply.value:
        ctx.exit(EXIT_FAILURE)


@group.command()
@click.option(
    "--session", metavar="ID", help="Another session than the last one here, by the start of its id."
)
@click.option("--record", "ref", metavar="ID", default="", help="What is asked about this note instead.")
@json_option
def show(*, session: str | None, ref: str, as_json: bool) -> None:
    """Show what would be sent, with --json to the letter; nothing is sent.

    About the last session here: what is asked once it is over. About the notes here: what is asked when memory is
    put in order.
    """
    from engram_hooks.curate.brain.report import show_prompts

    with open_memory() as memory:
        memory.finish_jobs()
        session_id = None if ref else _find_session(memory, session)
        shown = show_prompts(memory, session_id=session_id, ref=ref)
    if as_json:
        output.print_json([{"purpose": purpose, "prompt": prompt} for purpose, prompt in shown])
        return
    for purpose, prompt in shown:
        output.say(output.style(purpose, "bold"))
        output.say(indent(output.pack(prompt), "  "))
        output.say()
    if not shown:
        output.say("Nothing here is worth a question yet.")


def _list_rows(found: Status) -> list[tuple[str, str]]:
    state = (
        _STATES.get(found.state)
        or f"left alone until {output.moment(found.rests_until)}: its last calls failed"
    )
    rows = [("Brain", state)]
    if found.command:
        rows += [
            ("Command", output.line(found.command, max_chars=400)),
            ("Program", output.line(found.program, max_chars=200) or "not found"),
            (
                "This hour",
                f"{found.calls_used:,} of {found.max_calls:,} calls,"
                f" {found.tokens_used:,} of about {found.max_tokens:,} tokens",
            ),
        ]
    return rows


def _find_session(memory: Engram, start: str | None) -> int | None:
    """The number of the session that `start` begins, or of the last one here; None where there is none.

    Raises `EngramError` where `start` begins none.
    """
    from engram_hooks.cli.log import resolve_session
    from engram_hooks.store import sessions

    if start is None:
        newest = sessions.recent_sessions(memory.db, memory.project_id or 0, limit=1)
        return newest[0][0] if newest else None
    found = sessions.find_session(memory.db, resolve_session(memory, start))
    return found[0] if found else None
