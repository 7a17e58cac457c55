"""`engram consolidate`: put memory in order, say what was done, take it back."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from textwrap import indent
from typing import TYPE_CHECKING, Any

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.options import json_option, project_option
from engram_hooks.errors import UsageError

if TYPE_CHECKING:
    from engram_hooks.curate.record import Record
    from engram_hooks.memory import Engram

MAX_SHOWN = 40
# what a person reads for the verdict on a proposal
_DONE = {
    "create": "kept",
    "merge": "merged",
    "update": "added",
    "supersede": "kept in place of another",
    "discard": "known already",
    "needs_review": "waits for your review",
}
_SUMMARY_CHARS = 90


@click.command(name="consolidate")
@click.option("--dry-run", "is_dry", is_flag=True, help="Only say what would change; write nothing.")
@click.option(
    "--show-prompts",
    "is_showing",
    is_flag=True,
    help="With --dry-run: print what brain.command would be asked.",
)
@click.option("--only", metavar="STEP", multiple=True, help="Only this step.")
@click.option("--skip", metavar="STEP", multiple=True, help="All steps but this.")
@click.option("--last", "is_last", is_flag=True, help="Show what the last run did.")
@click.option("--report", "run_id", type=click.IntRange(1), metavar="RUN", help="Show what a run did.")
@click.option("--undo", metavar="RUN", help="Take back what a run did to notes; 'last' is the last.")
@project_option
@json_option
def command(
    is_dry: bool,
    is_showing: bool,
    only: tuple[str, ...],
    skip: tuple[str, ...],
    is_last: bool,
    run_id: int | None,
    undo: str | None,
    project: str | None,
    as_json: bool,
) -> None:
    """Put the memory of all projects in order: it is done daily by itself, here it is done now.

    Steps: summarise promote merge rivals expire decay compact reflect staleness relations core prune vacuum.
    Decisions, constraints, architecture, security rules and pinned notes are never touched.
    """
    if is_showing and not is_dry:
        raise click.UsageError("--show-prompts goes with --dry-run")
    if sum(map(bool, (is_dry or only or skip, is_last, run_id, undo))) > 1:
        raise click.UsageError("give one of --last, --report, --undo, or what to do")
    with open_memory(project=project) as memory:
        if undo is not None:
            _undo(memory, undo, as_json=as_json)
        elif is_last or run_id:
            run = memory.read_report(run_id)
            _show(memory, {**run["report"], "run_id": run["id"]}, ended_at=run["ended_at"], as_json=as_json)
        else:
            steps = _choose(memory, only, skip)
            asked: list[tuple[str, str]] = []
            report = memory.consolidate(
                steps=steps,
                is_dry=is_dry,
                project_id=memory.project_id if project else None,
                on_step=_say_step,
                on_question=lambda purpose, prompt: asked.append((purpose, prompt)),
            )
            _clear_line()
            shown = (
                {"questions": [{"purpose": name, "prompt": text} for name, text in asked]} if asked else {}
            )
            _show(memory, {**report.as_dict(), **shown}, ended_at=report.started_at, as_json=as_json)
            if asked and not as_json:
                _say_questions(asked, is_showing=is_showing)


def _choose(memory: Engram, only: Sequence[str], skip: Sequence[str]) -> list[str] | None:
    from engram_hooks.curate.consolidate import STEPS, choose_steps

    for name in (*only, *skip):
        if name not in STEPS:
            raise UsageError(f"there is no step {name[:40]!r}", hint=f"one of: {', '.join(STEPS)}")
    if not only and not skip:
        return None
    chosen = list(only) if only else choose_steps(memory.db, memory.environ, None)
    return [name for name in chosen if name not in skip]


def _say_step(name: str) -> None:
    if sys.stderr.isatty():
        click.echo(f"\r{name} ...".ljust(30), err=True, nl=False)


def _clear_line() -> None:
    if sys.stderr.isatty():
        click.echo("\r" + " " * 40 + "\r", err=True, nl=False)


def _show(memory: Engram, report: Mapping[str, Any], *, ended_at: int | None, as_json: bool) -> None:
    if as_json:
        output.print_json(report)
        return
    if ended_at is None or "steps" not in report:
        output.say(f"Run {report['run_id']} did not come to its end; the next one goes on where it was.")
        return
    head = "Would be done" if report["is_dry"] else f"Run {report['run_id']}, {output.moment(ended_at)}"
    output.say(f"{output.style(head, 'bold')} ({report['took_ms'] / 1000:.1f} s)")
    rows = [
        [step["name"], _count(step), "" if step["is_complete"] else "goes on next time"]
        for step in report["steps"]
    ]
    output.say(
        output.table([[f"  {row[0]}", *row[1:]] for row in rows if row[1] or row[2]]) or "  nothing to do"
    )
    _show_changes(memory, report)
    for note in (note for step in report["steps"] for note in step["notes"]):
        output.say(f"  {output.line(note)}")
    if not report["is_dry"] and any(step["changes"] for step in report["steps"]):
        output.say(output.style(f"undo: engram consolidate --undo {report['run_id']}", "dim"))


def _say_questions(asked: Sequence[tuple[str, str]], *, is_showing: bool) -> None:
    """What brain.command would be asked, if it answered nothing: the prompts, or only how many."""
    if not is_showing:
        number = output.count(len(asked), "question")
        output.say(output.style(f"brain.command would be asked {number}: --show-prompts", "dim"))
        return
    for purpose, prompt in asked:
        output.say()
        output.say(output.style(f"brain.command would be asked to {purpose}:", "bold"))
        output.say(indent(output.pack(prompt), "  "))


def _count(step: Mapping[str, Any]) -> str:
    return " · ".join(
        f"{number:,} {name}" for name, number in step["counts"].items() if number and name != "looked at"
    )


def _show_changes(memory: Engram, report: Mapping[str, Any]) -> None:
    from engram_hooks.curate.record import from_row
    from engram_hooks.store.lookup import read_many

    changes = [change for step in report["steps"] for change in step["changes"] if change["record"]]
    ids = {number for change in changes for number in (change["record"], change["target"]) if number}
    known = {row["id"]: from_row(row) for row in read_many(memory.db, sorted(ids))}
    proposed = [change for change in changes if change["action"] == "proposed"]
    done = [change for change in changes if change["action"] != "proposed"]
    for change in done[:MAX_SHOWN]:
        output.say(f"  {_describe(change, known)}")
    if len(done) > MAX_SHOWN:
        output.say(output.style(f"  and {len(done) - MAX_SHOWN:,} more: --json lists them", "dim"))
    if proposed:
        output.say("For you to decide:")
    for change in proposed[:MAX_SHOWN]:
        own, other = known.get(change["record"]), known.get(change["target"])
        if own and other:
            summary = output.line(own.summary, max_chars=_SUMMARY_CHARS)
            names = f"{own.short_id} {other.short_id}"
            output.say(f"  {_name(own)} says the same as {_name(other)}: {summary}")
            output.say(output.style(f"    one instead of the other: engram supersede {names}", "dim"))


def _describe(change: Mapping[str, Any], known: Mapping[int, Record]) -> str:
    own, other = known.get(change["record"]), known.get(change["target"])
    into = f" -> {_name(other)}" if other else ""
    action = _DONE.get(change["action"], change["action"])
    if own is None:
        return f"{change['record']} {action}{into}"
    reason = "" if other else f" ({output.line(change['reason'], max_chars=80)})"
    return f"{_name(own)} {action}{into}{reason}: {output.line(own.summary, max_chars=_SUMMARY_CHARS)}"


def _name(record: Record) -> str:
    return output.style(record.short_id, "id")


def _undo(memory: Engram, name: str, *, as_json: bool) -> None:
    if name != "last" and not name.isdigit():
        raise UsageError(f"a run has a number, not {name[:40]!r}", hint="engram consolidate --undo last")
    done, kept = memory.undo_run(None if name == "last" else int(name))
    if as_json:
        output.print_json(
            {"undone": [one.short_id for one in done], "changed_since": [one.short_id for one in kept]}
        )
        return
    for record in done[:MAX_SHOWN]:
        output.say(
            f"{_name(record)} {record.status} again: {output.line(record.summary, max_chars=_SUMMARY_CHARS)}"
        )
    output.say(f"Taken back: {output.count(len(done), 'note')}.")
    if kept:
        names = " ".join(record.short_id for record in kept)
        output.say(f"Changed since, and left as they are: {names}")
