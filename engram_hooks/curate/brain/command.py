"""The command that stands for the brain: its words, its program, the environment it runs in."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping

from engram_hooks.errors import EngramError
from engram_hooks.paths import home_dir
from engram_hooks.spawn import BRAIN_MARK

WINDOWS = os.name == "nt"

_SYSTEM = "You answer with one JSON document and nothing else."
_FLAGS = "--output-format json --setting-sources {empty} {hooks}--tools {empty} --strict-mcp-config"
_CLAUDE = "claude -p --model haiku " + _FLAGS + ' --no-session-persistence --system-prompt "' + _SYSTEM + '"'
_NO_HOOKS = "--settings '{\"disableAllHooks\":true}' "
# what one session of the client tells the programs that it starts: a client within one takes itself for a part of it,
# or refuses to start, and the token lets its holder speak in that session
_OF_A_SESSION = frozenset(
    "AI_AGENT CLAUDECODE CLAUDE_EFFORT CLAUDE_ENV_FILE CLAUDE_PID CLAUDE_PROJECT_DIR"
    " CLAUDE_PLUGIN_ROOT CLAUDE_PLUGIN_DATA CLAUDE_CODE_CHILD_NOTES_DIR CLAUDE_CODE_CHILD_SESSION"
    " CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_EXECPATH CLAUDE_CODE_MESSAGING_SOCKET"
    " CLAUDE_CODE_MESSAGING_TOKEN CLAUDE_CODE_SESSION_ATTENDED CLAUDE_CODE_SESSION_ID"
    " CLAUDE_CODE_SSE_PORT PWD OLDPWD".split()
)


def suggest_command(*, windows: bool = WINDOWS) -> str:
    """The command that `engram setup --brain` writes where none is named: Claude Code with a small model.

    Without tools, hooks, plugins, MCP servers, settings and a transcript; its answer comes in the client's envelope.
    """
    hooks = (
        "" if windows else _NO_HOOKS
    )  # without settings there are none; a batch file would spoil the quotes
    return _CLAUDE.replace("{empty}", '""').replace("{hooks}", hooks)


def split_command(text: str, *, windows: bool = WINDOWS) -> list[str]:
    """The words of a command line as a shell would split it; nothing else of a shell happens.

    On Windows backslashes are part of paths, and double quotes alone hold words together. Raises `EngramError` for
    an empty line or a quote that is not closed.
    """
    try:
        words = _split_on_windows(text) if windows else shlex.split(text)
    except ValueError:
        raise EngramError(
            "a quote in brain.command is not closed", hint="engram config get brain.command"
        ) from None
    if not words or not words[0]:
        raise EngramError("brain.command names no program", hint="engram setup --brain")
    return words


def find_program(name: str, environ: Mapping[str, str]) -> str:
    """The whole path of a program: one that is named in full, or the first on `PATH`; '' where there is none.

    The working directory, that of somebody's repository perhaps, is never looked into.
    """
    if name.startswith("~/"):
        name = home_dir(environ) + name[1:]
    if os.path.dirname(name):
        return (shutil.which(name) or "") if os.path.isabs(name) else ""
    for folder in environ.get("PATH", os.defpath).split(os.pathsep):
        found = shutil.which(os.path.join(folder, name)) if os.path.isabs(folder) else None
        if found:
            return found
    return ""


def find_named_program(command: str, environ: Mapping[str, str]) -> str:
    """The program of a command line; '' where it is not there, or the line is none."""
    try:
        return find_program(split_command(command)[0], environ)
    except EngramError:
        return ""


def make_environ(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment of the program: the user's own, which it may need to log in, without what is ours or a session's.

    With the mark that keeps every hook and worker of ours in it silent.
    """
    kept = {
        name: value
        for name, value in environ.items()
        if not name.startswith("ENGRAM_") and name not in _OF_A_SESSION
    }
    return {**kept, BRAIN_MARK: "1"}


def _split_on_windows(text: str) -> list[str]:
    """Words by white space; between double quotes it does not count, and a backslash keeps a quote a character."""
    words: list[str] = []
    word: list[str] | None = None
    is_quoted = False
    at = 0
    while at < len(text):
        char = text[at]
        if text.startswith('\\"', at):
            word = [*(word or ()), '"']
            at += 1
        elif char == '"':
            is_quoted = not is_quoted
            word = word or []
        elif char.isspace() and not is_quoted:
            words += ["".join(word)] if word is not None else []
            word = None
        else:
            word = [*(word or ()), char]
        at += 1
    if is_quoted:
        raise ValueError("a quote is not closed")
    return words + (["".join(word)] if word is not None else [])
