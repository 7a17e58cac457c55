"""Do the client's settings files run our hooks, all of them, once, and in their present form?"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from engram_hooks.client.commands import EVENTS, is_own_hook, is_own_statusline
from engram_hooks.client.findings import Finding
from engram_hooks.client.programs import find_foreign_engram

SHAPES: dict[str, type] = {"hooks": dict, "statusLine": dict, "permissions": dict, "env": dict}
"""Keys of which one wrong value makes the client drop the whole file without a word."""


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """What one settings file says: its values (None where it cannot be read) and the reason."""

    path: Path
    values: dict[str, object] | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One hook command of a settings file."""

    path: Path
    event: str
    matcher: str
    command: str
    is_own: bool


def read_settings(path: Path) -> SettingsFile | None:
    """The values of a settings file; None where there is no file."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except NotADirectoryError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        return SettingsFile(path, None, str(error))
    if not text.strip():
        return SettingsFile(path, {})
    try:
        values = json.loads(text)
    except ValueError as error:
        return SettingsFile(path, None, f"not JSON: {error}")
    if not isinstance(values, dict):
        return SettingsFile(path, None, "not a JSON object")
    return SettingsFile(path, values)


def list_entries(settings: SettingsFile) -> Iterator[Entry]:
    """Every hook command of a file, ours and others'; parts of a wrong shape are passed over."""
    hooks = (settings.values or {}).get("hooks")
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            inner = group.get("hooks") if isinstance(group, dict) else None
            for hook in inner if isinstance(inner, list) else ():
                if isinstance(hook, dict) and isinstance(hook.get("command"), str):
                    yield _entry(settings.path, event, group.get("matcher"), hook)


def _entry(path: Path, event: str, matcher: object, hook: Mapping[str, object]) -> Entry:
    args = hook.get("args")
    words = tuple(str(word) for word in args) if isinstance(args, list) else ()
    command = str(hook["command"])
    label = matcher if isinstance(matcher, str) else ""
    return Entry(path, event, label, command, is_own_hook(command, words))


def check_settings(
    files: list[SettingsFile], commands: Mapping[str, str], *, statusline: str = ""
) -> list[Finding]:
    """Findings about the files in the order they are read; `commands` is what setup would register.

    `statusline` is the status-line command that setup would register.
    """
    found = [finding for settings in files for finding in _check_file(settings)]
    entries = [entry for settings in files for entry in list_entries(settings)]
    own = [entry for entry in entries if entry.is_own]
    if not own:
        readable = any(settings.values is not None for settings in files) or not files
        text = "no settings file of the client runs engram here"
        return [*found, Finding("hooks-unregistered", text, "engram setup")] if readable else found
    found += [finding for settings in files for finding in _check_statusline(settings, statusline)]
    return [*found, *_check_entries(own, commands), *_check_others(entries)]


def _check_file(settings: SettingsFile) -> Iterator[Finding]:
    if settings.values is None:
        text = f"{settings.path} cannot be used, so the client ignores all of it: {settings.problem}"
        yield Finding("settings-invalid", text)
        return
    for key, kind in SHAPES.items():
        if key in settings.values and not isinstance(settings.values[key], kind):
            text = f"{settings.path}: {key!r} is no object, and the client then ignores the whole file"
            yield Finding("settings-refused", text)
    if settings.values.get("disableAllHooks") is True:
        yield Finding("hooks-disabled", f"{settings.path} sets disableAllHooks: no hook runs")


def _check_entries(own: list[Entry], commands: Mapping[str, str]) -> Iterator[Finding]:
    missing = [event for event in commands if event not in {entry.event for entry in own}]
    if missing:
        yield Finding("hooks-incomplete", f"not registered: {', '.join(missing)}", "engram setup")
    matchers = {event: matcher for event, _, matcher, _ in EVENTS}
    old = [
        entry
        for entry in own
        if entry.command != commands.get(entry.event) or entry.matcher != matchers.get(entry.event, "")
    ]
    if old:
        files = ", ".join(sorted({str(entry.path) for entry in old}))
        events = ", ".join(dict.fromkeys(entry.event for entry in old))
        text = f"registered in another form than setup writes now: {events} ({files})"
        yield Finding("hooks-outdated", text, "engram setup")
    for event in commands:
        lines = {entry.command for entry in own if entry.event == event}
        if len(lines) > 1:  # the client runs equal commands once
            yield Finding("hooks-doubled", f"{event} runs {len(lines)} engram commands", "engram setup")


def _check_statusline(settings: SettingsFile, current: str) -> Iterator[Finding]:
    line = (settings.values or {}).get("statusLine")
    command = line.get("command") if isinstance(line, dict) else None
    if isinstance(command, str) and is_own_statusline(command) and command != current:
        text = f"the status line is registered in another form than setup writes now ({settings.path})"
        yield Finding("hooks-outdated", text, "engram setup")


def _check_others(entries: list[Entry]) -> Iterator[Finding]:
    others = {entry.command for entry in entries if not entry.is_own and "engram" in entry.command.lower()}
    for command in sorted(others):
        yield Finding("other-tool", f"another tool with engram in its command is registered: {command[:120]}")


def check_program(environ: Mapping[str, str]) -> list[Finding]:
    """Whether a shell finds another program called engram first."""
    other = find_foreign_engram(environ.get("PATH", os.defpath))
    return (
        [Finding("other-tool", f"the shell finds another program called engram first: {other}")]
        if other
        else []
    )
