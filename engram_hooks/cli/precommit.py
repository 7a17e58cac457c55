"""`engram pre-commit`: the check before a commit, and putting it into the hook of git."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output, precommit_check
from engram_hooks.cli.options import json_option
from engram_hooks.errors import UsageError

if TYPE_CHECKING:
    from engram_hooks.client.git_hook import HookReport

INSTALL, UNINSTALL, STATUS = "install", "uninstall", "status"


@click.command(name="pre-commit")
@click.argument("files", nargs=-1)
@click.option("--install", "action", flag_value=INSTALL, help="Run the check before each commit here.")
@click.option("--uninstall", "action", flag_value=UNINSTALL, help="Do not run it any more.")
@click.option(
    "--status", "action", flag_value=STATUS, help="Say where the hook is and whether it runs the check."
)
@click.option(
    "--strict", "is_strict", is_flag=True, help="End with 1 where something is found, which stops a commit."
)
@click.option(
    "--hook",
    "is_hook",
    is_flag=True,
    help="As the installed hook calls it: then that code is 10, for nothing else.",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    action: str | None,
    *,
    is_strict: bool,
    is_hook: bool,
    as_json: bool,
) -> None:
    """Check what is staged: lines of fixes that it takes out or brings back, files that usually change along.

    One line a finding, nothing where all is well or nothing is known. It warns and stops no commit, unless
    --strict or the setting precommit.strict says so. FILES are ignored: the whole change is checked, whatever
    names a tool passes on.
    """
    if action is None:
        ctx.exit(precommit_check.run(os.environ, is_strict=is_strict, as_json=as_json, is_hook=is_hook))
    if is_strict or is_hook:
        hint = "engram config set precommit.strict true"
        raise UsageError(f"--strict and --hook are for the check, not for --{action}", hint=hint)
    report = _act(action)
    if as_json:
        output.print_json(to_json(report))
        return
    for change in report.changes:
        output.say(output.line(change))
    output.say(_tell(report))
    for note in [*report.notes, *_list_doubts(report)]:
        output.say(f"{output.style('note:', 'warn')} {output.line(note)}")


def to_json(report: HookReport) -> dict[str, object]:
    """The contract of `--install`, `--uninstall` and `--status` with `--json`."""
    return {
        "installed": report.is_installed,
        "kind": report.place.kind,
        "hook": str(report.place.hook),
        "file": str(report.file),
        "shared": report.place.is_shared,
        "all_repositories": report.place.is_for_all,
        "changed": bool(report.changes),
        "changes": list(report.changes),
        "notes": list(report.notes),
    }


def _list_doubts(report: HookReport) -> list[str]:
    """Why the check that is installed finds nothing as things are: that is not said at a commit."""
    from engram_hooks.curate.code.precommit import NO_INDEX, check_commit
    from engram_hooks.history.allowance import Allowance

    if not report.is_installed:
        return []
    reason = check_commit(os.getcwd(), os.environ, allowance=Allowance(precommit_check.LIMIT_S)).reason
    return (
        [f"{reason}: engram index" if reason == NO_INDEX else f"nothing is found now: {reason}"]
        if reason
        else []
    )


def _act(action: str) -> HookReport:
    from engram_hooks.client import git_hook
    from engram_hooks.client.git_hook_block import Interpreter
    from engram_hooks.client.launcher import PACKAGE_PARENT

    cwd = os.getcwd()
    if action == UNINSTALL:
        return git_hook.uninstall(cwd, environ=os.environ)
    if action == STATUS:
        return git_hook.read_status(cwd, environ=os.environ)
    home = os.environ.get("ENGRAM_HOME", "")
    own = Interpreter(sys.executable, str(PACKAGE_PARENT), home and os.path.abspath(home))
    return git_hook.install(cwd, environ=os.environ, interpreter=own)


def _tell(report: HookReport) -> str:
    kind, file = report.place.kind, output.line(str(report.file))
    if report.is_installed:
        return f"Commits here are checked: {file} ({kind})"
    return f"Commits here are not checked: {file} ({kind}) does not call engram"
