"""Setup and uninstall: the launcher, the status line, and the client's settings, in the safe order."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from engram_hooks.client import claude_settings, launcher, settings_file, setup_record, statusline_script
from engram_hooks.client.claude_settings import Plan, Undo
from engram_hooks.client.commands import hook_commands, statusline_command
from engram_hooks.client.programs import find_foreign_engram
from engram_hooks.errors import EngramError, UsageError

STATUSLINE_CHOICES = ("auto", "wrap", "off")
WINDOWS = os.name == "nt"


@dataclass(frozen=True, slots=True)
class Report:
    """What was changed (or would be), one line each, and the file that it is about."""

    settings: Path
    changes: tuple[str, ...]
    changed: bool
    dry_run: bool


def setup(
    data: Path,
    settings: Path,
    *,
    statusline: str = "auto",
    dry_run: bool = False,
    python: str = sys.executable,
    search_path: str = "",
) -> Report:
    """Wire engram into one settings file of the client, through scripts in the data folder.

    statusline: `auto` (ours where there is none), `wrap` (ours runs the user's own) or `off`. Nothing is
    written when the settings cannot be edited. Safe to run again: what is right stays byte for byte. On
    `search_path` (that of the shell) another program of our name is looked for. Raises `EngramError`.
    """
    _check_choice(statusline)
    data = _make_absolute(data)
    undo = setup_record.load_undo(data, settings)
    commands = hook_commands(data, windows=WINDOWS)
    line = None if statusline == "off" else statusline_command(data, windows=WINDOWS)

    def plan(text: str) -> Plan:
        return claude_settings.plan_setup(
            text, commands=commands, statusline=line, wrap=statusline == "wrap", undo=undo
        )

    first = settings_file.apply(settings, plan, dry_run=True)
    _check_wrapped(data, settings, first)
    foreign = find_foreign_engram(search_path, python=python) if search_path else ""
    warnings = (f"warning: another program is called engram too: {foreign}",) if foreign else ()
    if dry_run:
        return Report(settings, first.changes + warnings, first.text != first.before, dry_run=True)
    try:
        notes = _install_scripts(data, first, python=python)
        done = settings_file.apply(settings, plan, dry_run=False)
        _save(data, settings, done, undo)
    except OSError as error:
        raise _explain(data, error) from error
    changed = bool(notes) or done.text != done.before
    return Report(settings, (*notes, *done.changes, *warnings), changed, dry_run=False)


def uninstall(data: Path, settings: Path, *, dry_run: bool = False) -> Report:
    """Take engram out of one settings file, and its scripts once no other settings file needs them.

    The memory itself stays. Raises `EngramError` where the settings cannot be edited.
    """
    data = _make_absolute(data)
    undo = setup_record.load_undo(data, settings)

    def plan(text: str) -> Plan:
        return claude_settings.plan_uninstall(text, undo=undo)

    done = settings_file.apply(settings, plan, dry_run=dry_run)
    others = [path for path, _ in setup_record.list_others(data, settings)]
    changes = list(done.changes)
    if done.remove_file:
        changes.append(f"removes {settings}, which setup had created")
    scripts = not others and launcher.launcher_path(data, windows=WINDOWS).exists()
    if scripts:
        changes.append(f"removes the scripts in {data / 'bin'}")
    if others:
        changes.append(f"keeps the scripts: {', '.join(others)} still uses them")
    if not dry_run:
        _clean_up(data, settings, undo, last=not others)
    changes.append(f"keeps your memory in {data} (delete that folder to forget everything)")
    changed = scripts or done.remove_file or done.text != done.before
    return Report(settings, tuple(changes), changed, dry_run=dry_run)


def _check_choice(statusline: str) -> None:
    if statusline not in STATUSLINE_CHOICES:
        raise UsageError(f"unknown choice {statusline!r} for the status line", hint="use auto, wrap or off")
    if statusline == "wrap" and WINDOWS:
        raise UsageError("a status line cannot be wrapped on Windows", hint="use --statusline auto")


def _save(data: Path, settings: Path, done: Plan, undo: Undo | None) -> None:
    """Keep the way back, once the settings are written."""
    if done.text == done.before:
        return
    kept = claude_settings.make_undo(done, undo)
    setup_record.save_undo(data, settings, kept)
    if undo and undo.wrapped and not kept.wrapped:
        statusline_script.drop_wrapped(data)


def _install_scripts(data: Path, plan: Plan, *, python: str) -> list[str]:
    notes = []
    if launcher.write_launcher(data, python=python, windows=WINDOWS):
        notes.append(f"writes the launcher {launcher.launcher_path(data, windows=WINDOWS)}")
    statusline_script.install(data, windows=WINDOWS)
    if plan.wrapped:
        statusline_script.save_wrapped(data, plan.wrapped.command)
    if not launcher.compile_package(python):
        notes.append("warning: the package could not be byte-compiled, each hook starts slower")
    return notes


def _check_wrapped(data: Path, settings: Path, plan: Plan) -> None:
    """One data folder holds one wrapped command: a second, other one is refused."""
    for path, other in setup_record.list_others(data, settings):
        if plan.wrapped and other.wrapped and other.wrapped.command != plan.wrapped.command:
            raise EngramError(
                f"the status line of {path} is wrapped already",
                hint=f"run `engram uninstall --settings {path}` first, or use --statusline auto",
            )


def _clean_up(data: Path, settings: Path, undo: Undo | None, *, last: bool) -> None:
    try:
        setup_record.drop_undo(data, settings)
        if undo and undo.wrapped:
            statusline_script.drop_wrapped(data)
        if last:
            launcher.remove_launcher(data)
    except OSError as error:
        raise _explain(data, error) from error


def _make_absolute(data: Path) -> Path:
    path = Path(os.path.abspath(data))
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError as error:
        raise EngramError(
            f"the name of the data folder {str(path)!r} is not UTF-8, settings cannot hold it",
            hint="set ENGRAM_HOME to another folder",
        ) from error
    return path


def _explain(data: Path, error: OSError) -> EngramError:
    reason = error.strerror or str(error)
    return EngramError(
        f"cannot write to {data}: {reason}", hint="check the rights of the folder, or set ENGRAM_HOME"
    )
