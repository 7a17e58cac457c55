"""Our own command lines are recognised, and nobody else's."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from engram_hooks.client.commands import (
    EVENTS,
    hook_commands,
    is_own_hook,
    is_own_statusline,
    quote_for_sh,
    statusline_command,
)

OWN = [
    "/opt/old venv/bin/engram hook stop",
    '"/opt/py311/bin/engram" hook stop',
    "'/home/dev/it'\\''s/bin/engram' hook session-start",
    "C:/Apps/dev/.local/bin/engram.exe hook stop",
    "C:\\Users\\dev\\bin\\engram.exe hook stop",
    '"C:\\Program Files\\engram.exe" hook pre-tool-use',
    "engram hook stop",
    "~/.local/bin/engram hook user-prompt-submit",
    "python -m engram_hooks hook stop",
    "/usr/bin/python3.12 -I -m engram_hooks hook stop",
    "'/opt/my venv/bin/python' -X utf8 -m engram_hooks hook session-end",
    "sh '/x/bin/engram-hook' stop",
    "sh '/x/bin/engram-hook' stop || :",
    "/bin/sh /x/bin/engram-hook pre-compact",
    "'/x y/bin/engram-hook' subagent-start",
    '"C:/Apps/dev/AppData/Local/engram/bin/engram-hook.cmd" stop',
    "engram hook stop 2>/dev/null || true",
]

FOREIGN = [
    "engram mcp --tools=agent",
    "/opt/other/bin/engram save --passive",
    "bash ~/.claude/plugins/engram/scripts/session-start.sh",
    "engram hook",
    "engram hook other-event",
    "engram hook stop --passive",
    "engram hook stop && say done",
    "echo engram hook stop",
    "/usr/bin/notify --after /opt/bin/engram hook stop",
    "/opt/run.sh /opt/bin/engram hook stop",
    "my-engram hook stop",
    "/opt/engramx hook stop",
    "python -m other_engram hook stop",
    "python -m engram_hooks.other hook stop",
    "sh /x/engram-hook stop",
    "sh /x/bin/engram-hook-2 stop",
    "sh /x/bin/engram-hook",
    "say 'engram hook stop'",
    "engram hook stop; rm -r /tmp/x",
    "'unclosed engram hook stop",
    "",
]


@pytest.mark.parametrize("command", OWN)
def test_own_command_line_is_recognised(command: str) -> None:
    assert is_own_hook(command)


@pytest.mark.parametrize("command", FOREIGN)
def test_other_command_line_is_left_alone(command: str) -> None:
    assert not is_own_hook(command)


@pytest.mark.parametrize(
    ("command", "args", "expected"),
    [
        pytest.param("/opt/old venv/bin/engram", ("hook", "stop"), True, id="ours"),
        pytest.param("sh", ("/x/bin/engram-hook", "stop"), True, id="our launcher"),
        pytest.param("engram", ("mcp", "--tools=agent"), False, id="other tool"),
        pytest.param("engram", ("hook", "stop", "--more"), False, id="more words"),
    ],
)
def test_command_without_a_shell_is_judged_by_its_arguments(
    command: str, args: tuple[str, ...], expected: bool
) -> None:
    assert is_own_hook(command, args) is expected


@pytest.mark.parametrize("folder", ["/x", "/home/a b/ü", "/it's", '/a "b" $c `d`', "/a\\b"])
def test_what_setup_writes_is_recognised(folder: str) -> None:
    data = Path(folder)
    commands = hook_commands(data, windows=False)
    assert list(commands) == [event for event, _, _, _ in EVENTS]
    assert all(is_own_hook(command) for command in commands.values())
    assert is_own_statusline(statusline_command(data, windows=False))
    assert not is_own_statusline(commands["Stop"])


@pytest.mark.parametrize(
    "command", ["my-line --fancy", "engram statusline --plain", "sh /x/statusline", "engram"]
)
def test_other_status_line_is_left_alone(command: str) -> None:
    assert not is_own_statusline(command)


def test_windows_commands_have_forward_slashes_and_quotes() -> None:
    commands = hook_commands(Path("C:/Apps/A B/engram"), windows=True)
    assert commands["Stop"] == '"C:/Apps/A B/engram/bin/engram-hook.cmd" stop'
    assert all(is_own_hook(command) for command in commands.values())


@pytest.mark.parametrize("text", ["plain", "a b", "it's", '"$HOME"', "`x`", "ü\\", "-n", ""])
def test_quoted_text_is_one_word_of_the_shell(text: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f"printf %s {quote_for_sh(text)}"],
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    assert done.stdout == text
