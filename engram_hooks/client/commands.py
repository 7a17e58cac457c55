"""The command lines that setup registers with the client, and how to recognise them again."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

LAUNCHER_NAME = "engram-hook"
STATUSLINE_NAME = "engram-statusline"

EDIT_TOOLS = "Edit|Write|MultiEdit|NotebookEdit"
WATCHED_TOOLS = EDIT_TOOLS + "|Bash|Read"

EVENTS: tuple[tuple[str, str, str, int], ...] = (
    ("SessionStart", "session-start", "", 10),
    ("UserPromptSubmit", "user-prompt-submit", "", 5),
    ("PreToolUse", "pre-tool-use", EDIT_TOOLS, 5),
    ("PostToolUse", "post-tool-use", WATCHED_TOOLS, 5),
    ("PostToolUseFailure", "post-tool-use-failure", WATCHED_TOOLS, 5),
    ("Stop", "stop", "", 10),
    ("SessionEnd", "session-end", "", 5),
    ("PreCompact", "pre-compact", "", 10),
    ("SubagentStart", "subagent-start", "", 5),
)
"""The client's name of the event, ours, the matcher (empty: none), and the timeout in seconds."""

_KEBABS = frozenset(kebab for _, kebab, _, _ in EVENTS)
_TAIL = re.compile(r"(?:\s*(?:\d?>{1,2}\s*/dev/null|2>&1))*\s*(?:\|\|\s*(?::|true|exit 0))?\s*;?\s*$")
_BARE_PATH = re.compile(
    r"(?P<program>(?:[A-Za-z]:)?[~/\\](?:(?!\s+(?:[-/~\"'$]|[A-Za-z]:[/\\])|[\"'|&;<>$`\n]).)*[/\\]engram(?:\.exe)?)"
    r"\s+(?P<rest>hook\s+[a-z-]+|statusline)",
    re.IGNORECASE,
)
_SHELLS = frozenset({"sh", "bash", "dash"})
_PYTHON = re.compile(r"(?:python|pypy)[0-9.]*w?(?:\.exe)?|py(?:\.exe)?", re.IGNORECASE)


def quote_for_sh(text: str) -> str:
    """The text as one word of a POSIX shell, always in single quotes."""
    return "'" + text.replace("'", "'\\''") + "'"


def hook_commands(data: Path, *, windows: bool) -> dict[str, str]:
    """The command of each event (by the client's name), through the launcher in the data folder.

    The ending keeps a session unharmed whatever happens to the launcher: a shell that cannot open its
    script exits with 2, and the client takes that for "block this prompt, this tool".
    """
    if windows:
        launcher = f'"{(data / "bin" / LAUNCHER_NAME).as_posix()}.cmd"'
        return {event: f"{launcher} {kebab}" for event, kebab, _, _ in EVENTS}
    launcher = f"sh {quote_for_sh(str(data / 'bin' / LAUNCHER_NAME))}"
    return {event: f"{launcher} {kebab} || :" for event, kebab, _, _ in EVENTS}


def statusline_command(data: Path, *, windows: bool) -> str:
    """The command of the status line."""
    if windows:
        return f'"{(data / "bin" / STATUSLINE_NAME).as_posix()}.cmd"'
    return f"sh {quote_for_sh(str(data / 'bin' / STATUSLINE_NAME))}"


def is_own_hook(command: str, args: tuple[str, ...] = ()) -> bool:
    """Does the whole command line run one of our events, in this or an older form?

    Only the full line counts (an engram program or our launcher, `hook` and the name of an event):
    other tools are called engram too.
    """
    rest = _own_arguments(command, args, script=LAUNCHER_NAME)
    return rest is not None and len(rest) == 1 and rest[0] in _KEBABS


def is_own_statusline(command: str) -> bool:
    """Does the whole command line print our status line?"""
    return _own_arguments(command, (), script=STATUSLINE_NAME) == ()


def _own_arguments(command: str, args: tuple[str, ...], *, script: str) -> tuple[str, ...] | None:
    """What follows our program and sub-command, None where the line is not ours."""
    sub_command = "hook" if script == LAUNCHER_NAME else "statusline"
    for words in _readings(command, args):
        if words and words[0].lower() in _SHELLS | {"/bin/sh", "/bin/bash"}:
            words = words[1:]
        if not words:
            continue
        name = _file_name(words[0])
        if name in (script, script + ".cmd") and _folder_name(words[0]) == "bin":
            return words[1:]
        if name in ("engram", "engram.exe") and words[1:2] == (sub_command,):
            return words[2:]
        if _PYTHON.fullmatch(name):
            options = _skip_options(words[1:])
            if options[:3] == ("-m", "engram_hooks", sub_command):
                return options[3:]
    return None


def _readings(command: str, args: tuple[str, ...]) -> list[tuple[str, ...]]:
    if args:
        return [(command, *args)]
    line = _TAIL.sub("", command.strip())
    found: list[tuple[str, ...]] = []
    bare = _BARE_PATH.fullmatch(line)
    if bare:
        found.append((bare["program"], *bare["rest"].split()))
    try:
        found.append(tuple(shlex.split(line)))
    except ValueError:
        pass
    return found


def _skip_options(words: tuple[str, ...]) -> tuple[str, ...]:
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] != "-m":
        at += 2 if words[at] in ("-X", "-W") else 1
    return words[at:]


def _file_name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2].lower()


def _folder_name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[0].rpartition("/")[2]
