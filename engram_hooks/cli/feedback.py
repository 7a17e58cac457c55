"""`engram feedback`: say that a note was of use, or that it is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.options import TextCommand, json_option, project_option

if TYPE_CHECKING:
    from engram_hooks.curate.feedback import Heard


@click.command(name="feedback", cls=TextCommand)
@click.argument("ref", metavar="ID")
@click.argument("verdict", type=click.Choice(["useful", "wrong"]), metavar="useful|wrong")
@click.option("--reason", default="", metavar="TEXT", help="Why, for the history.")
@project_option
@json_option
def command(ref: str, verdict: str, reason: str, project: str | None, *, as_json: bool) -> None:
    """Say that a note was useful, or that it is wrong: a wrong one is not told until you have looked at it."""
    from engram_hooks.curate.feedback import give_feedback

    with open_memory(project=project) as memory:
        heard = give_feedback(memory, ref, verdict, reason=reason)
    if as_json:
        found = {
            "verdict": heard.verdict,
            "standing": heard.standing,
            "held": heard.is_held,
            "left": heard.is_left,
        }
        output.print_json({**heard.record.as_dict(), **found})
        return
    _print(heard)


def _print(heard: Heard) -> None:
    record = heard.record
    name = record.short_id
    if heard.verdict == "useful":
        head = "Told again:" if heard.is_back else "Useful:"
    else:
        head = "Not told any more:" if heard.is_held else "Wrong:"
    output.say(f"{head} {output.style(name, 'id')} {output.line(record.summary, max_chars=200)}")
    if heard.verdict == "useful":
        output.say(output.style("It is put beside prompts a little more readily.", "dim"))
        return
    if heard.is_left:
        output.say("It is a protected note, which only a person changes. Ask the user to run one of these:")
    elif heard.is_held:
        output.say("What now?")
    else:
        output.say(f"It is {record.status.replace('_', ' ')} and was not told as true anyway.")
        return
    choices = [
        (f'engram supersede {name} -s "..."', "something else is true now"),
        (f"engram forget {name}", "it never was"),
    ]
    if heard.is_left:
        choices.insert(0, (f"engram feedback {name} wrong", "hold it back"))
    output.say(output.table([(f"  {line}", output.style(why, "dim")) for line, why in choices]))
    if heard.is_held:
        output.say(output.style(f"undo: engram feedback {name} useful", "dim"))
