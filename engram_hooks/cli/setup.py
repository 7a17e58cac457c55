"""`engram setup`: connect engram with Claude Code, and show what the next session will be told."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.options import json_option
from engram_hooks.errors import EngramError, UsageError

if TYPE_CHECKING:
    from engram_hooks.client.brain_setup import BrainPlan
    from engram_hooks.client.setup import Report
    from engram_hooks.history.indexing import IndexReport
    from engram_hooks.memory import Engram

SCOPES = ("user", "project", "local")
STATUSLINES = ("auto", "wrap", "off")


@click.command(name="setup")
@click.option(
    "--scope", type=click.Choice(SCOPES), default="user", show_default=True, help="Whose settings file."
)
@click.option(
    "--settings", type=click.Path(path_type=Path), help="This settings file instead of that of a scope."
)
@click.option(
    "--statusline",
    type=click.Choice(STATUSLINES),
    default="auto",
    show_default=True,
    help="auto: ours where there is none; wrap: yours, then ours; off: none.",
)
@click.option(
    "--index/--no-index",
    "wants_index",
    default=None,
    help="Learn the history of the repository here, or not; without either a terminal is asked.",
)
@click.option(
    "--brain",
    "brain",
    metavar="[COMMAND]",
    is_flag=False,
    flag_value="suggested",
    help="Let a model of your own judge notes: Claude Code with a small one, or COMMAND (docs/brain.md).",
)
@click.option("--no-brain", "is_brainless", is_flag=True, help="Let no model judge notes.")
@click.option("--dry-run", "is_dry", is_flag=True, help="Only say what would change.")
@json_option
def command(
    scope: str,
    settings: Path | None,
    statusline: str,
    wants_index: bool | None,
    *,
    brain: str | None,
    is_brainless: bool,
    is_dry: bool,
    as_json: bool,
) -> None:
    """Connect engram with Claude Code: hooks and status line in its settings, the launcher, the store.

    Only entries of engram are added or replaced; run it again after an upgrade or a move. In a repository that was
    not indexed yet it offers to do so (see `engram index`).
    """
    from engram_hooks.client import setup as wiring
    from engram_hooks.client.brain_setup import set_brain
    from engram_hooks.client.config import compile_settings
    from engram_hooks.curate.code.repository import lacks_index

    path, data = find_settings_file(scope, settings), find_data_folder()
    plan = _plan_brain(brain, is_brainless=is_brainless)
    report = wiring.setup(
        data, path, statusline=statusline, dry_run=is_dry, search_path=os.environ.get("PATH", "")
    )
    if is_dry:
        _say_report(report, plan, as_json=as_json)
        return
    if plan:
        set_brain(plan)
    with open_memory() as memory:
        problems = compile_settings(memory.db, memory.environ, memory.cwd)
        pack, line = memory.context()
        learnt = _offer_index(memory, wants_index, may_ask=not as_json)
        is_untold = wants_index is None and not output.is_interactive() and lacks_index(memory)
    for problem in problems:
        output.say(output.style(output.line(str(problem)), "warn"), to_stderr=True)
    _say_report(report, plan, as_json=as_json, pack=pack, line=line, learnt=learnt)
    if is_untold and not as_json:
        output.say("To learn why lines here are as they are, from git alone: engram index")


def _plan_brain(brain: str | None, *, is_brainless: bool) -> BrainPlan | None:
    """What is to become of the brain; None where nothing was said about it. Raises `EngramError`."""
    from engram_hooks.client.brain_setup import plan_brain

    if brain is not None and is_brainless:
        raise UsageError("--brain and --no-brain contradict each other")
    if brain is None and not is_brainless:
        return None
    return plan_brain("" if is_brainless else brain or "", os.environ)


def _offer_index(memory: Engram, wants_index: bool | None, *, may_ask: bool) -> IndexReport | None:
    """Index the repository here where that is wanted; a person at a terminal is asked, once there is none yet."""
    from engram_hooks.cli.index import STOPPED, learn
    from engram_hooks.curate.code.repository import lacks_index

    if wants_index is None and may_ask and output.is_interactive() and lacks_index(memory):
        name = output.safe(os.path.basename(memory.root))
        wants_index = click.confirm(
            f"Learn the history of {name}, to say why lines are as they are? Only git is read.", default=True
        )
    try:
        return learn(memory) if wants_index else None
    except KeyboardInterrupt:
        output.say(STOPPED, to_stderr=True)
        return None


def find_settings_file(scope: str, settings: Path | None) -> Path:
    """The settings file that is meant: the one named, or that of the scope."""
    from engram_hooks.client.settings_file import find_settings
    from engram_hooks.paths import home_dir

    if settings is not None:
        return Path(os.path.abspath(settings))
    home = home_dir(os.environ)
    if not home:
        raise EngramError(
            "HOME is not set, so the settings of the client are not known", hint="--settings FILE"
        )
    return find_settings(scope, environ=os.environ, home=Path(home), directory=Path.cwd())


def find_data_folder() -> Path:
    """The data folder. Raises `EngramError` where the environment names none."""
    from engram_hooks.paths import data_dir

    data = data_dir(os.environ)
    if not data:
        raise EngramError("there is no place for the store", hint="set HOME or ENGRAM_HOME")
    return Path(data)


def _say_report(
    report: Report,
    plan: BrainPlan | None,
    *,
    as_json: bool,
    pack: str = "",
    line: str = "",
    learnt: IndexReport | None = None,
) -> None:
    from engram_hooks.cli.index import describe

    if as_json:
        output.print_json(
            {
                "settings": str(report.settings),
                "changes": report.changes,
                "changed": report.changed,
                "dry_run": report.dry_run,
                "pack": pack,
                "index": asdict(learnt) if learnt else None,
                "brain": [plan.change, *plan.warnings] if plan else [],
            }
        )
        return
    say_changes(report.settings, report.changes, is_dry=report.dry_run)
    if plan:
        _say_brain(plan, is_dry=report.dry_run)
    if report.dry_run:
        return
    if learnt:
        output.say(f"Learnt from git: {describe(learnt)}")
    output.say()
    if pack:
        output.say("The next session in this directory starts with:")
        output.say(indent(output.pack(pack), "  "))
        output.say(output.style(output.line(line), "dim"))
    else:
        output.say("Nothing is kept for this directory yet: the next session starts without notes.")
        output.say('Keep one: engram add -s "..."     See what it does: engram demo')


def _say_brain(plan: BrainPlan, *, is_dry: bool) -> None:
    say_changes(Path(plan.file), (plan.change, *plan.warnings), is_dry=is_dry)
    if plan.command and not is_dry:
        output.say("  Try it: engram brain test     See what it is sent: engram brain show")


def say_changes(settings: Path, changes: tuple[str, ...], *, is_dry: bool) -> None:
    """One line a change, under the file that they are about."""
    name = output.safe(str(settings))
    if not changes:
        output.say(f"{name}: nothing to change")
        return
    output.say(f"{name}{' would change' if is_dry else ''}")
    for change in changes:
        output.say(f"  {output.line(change, max_chars=400)}")
