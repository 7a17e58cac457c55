"""The command of the brain: its words, where its program is looked for, what its environment holds."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest

from engram_hooks.curate.brain.command import find_program, make_environ, split_command, suggest_command
from engram_hooks.errors import EngramError


def make_program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("judge", ["judge"], id="one word"),
        pytest.param("claude -p  --tools ''", ["claude", "-p", "--tools", ""], id="an empty word"),
        pytest.param('a "b c" d\\ e', ["a", "b c", "d e"], id="quotes and a backslash"),
        pytest.param(
            "a; rm -rf $HOME | b > c", ["a;", "rm", "-rf", "$HOME", "|", "b", ">", "c"], id="no shell"
        ),
        pytest.param("a `id` $(id)", ["a", "`id`", "$(id)"], id="nothing is substituted"),
    ],
)
def test_command_is_split_as_a_shell_would(text: str, words: list[str]) -> None:
    assert split_command(text, windows=False) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(r"C:\bin\judge.exe -x", [r"C:\bin\judge.exe", "-x"], id="backslashes are kept"),
        pytest.param(r'"C:\my bin\judge.exe" ""', [r"C:\my bin\judge.exe", ""], id="quotes hold together"),
        pytest.param(r"judge '{\"a\": 1}'", ["judge", '\'{"a":', "1}'"], id="an escaped quote is one"),
    ],
)
def test_command_on_windows_keeps_backslashes(text: str, words: list[str]) -> None:
    assert split_command(text, windows=True) == words


@pytest.mark.parametrize(
    ("text", "windows"),
    [
        *((text, False) for text in ("", "  ", "''", '""', 'claude "-p', "claude '-p")),
        *((text, True) for text in ("", "  ", '""', 'claude "-p')),
    ],
)
def test_command_that_names_no_program_is_refused(text: str, *, windows: bool) -> None:
    with pytest.raises(EngramError):
        split_command(text, windows=windows)


@pytest.mark.parametrize("windows", [False, True])
def test_suggested_command_switches_off_all_that_could_come_back_to_us(*, windows: bool) -> None:
    words = split_command(suggest_command(windows=windows), windows=windows)
    assert words[:4] == ["claude", "-p", "--model", "haiku"]
    flags = dict(pairwise(words))
    assert (flags["--tools"], flags["--setting-sources"], flags["--output-format"]) == ("", "", "json")
    assert {"--strict-mcp-config", "--no-session-persistence", "--system-prompt"} <= set(words)
    assert flags.get("--settings") == (None if windows else '{"disableAllHooks":true}')


def test_program_is_looked_for_on_the_path(tmp_path: Path) -> None:
    program = make_program(tmp_path / "bin" / "judge")
    environ = {"PATH": os.pathsep.join(("/nowhere", str(program.parent)))}
    assert find_program("judge", environ) == str(program)
    assert find_program(str(program), {}) == str(program)
    assert find_program("~/bin/judge", {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}) == str(program)


@pytest.mark.parametrize("path", ["", ".", "bin"])
@pytest.mark.parametrize("name", ["judge", "./judge", "bin/judge"])
def test_working_directory_is_never_looked_into(
    name: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_program(tmp_path / "judge")
    make_program(tmp_path / "bin" / "judge")
    monkeypatch.chdir(tmp_path)
    assert find_program(name, {"PATH": path}) == ""


def test_environment_holds_the_login_and_nothing_of_ours() -> None:
    own = {"HOME": "/home/ana", "PATH": "/bin", "CLAUDE_CONFIG_DIR": "/c", "CLAUDE_CODE_USE_BEDROCK": "1"}
    own |= {"ANTHROPIC_BASE_URL": "http://127.0.0.1", "CLAUDE_CODE_OAUTH_TOKEN": "t"}
    ours = dict.fromkeys(("ENGRAM_HOME", "ENGRAM_WORKER", "ENGRAM_BRAIN_COMMAND", "ENGRAM_PROJECT"), "ours")
    of_a_session = (  # what clients set for their hooks and shells, as seen
        "AI_AGENT CLAUDECODE CLAUDE_CODE_CHILD_NOTES_DIR CLAUDE_CODE_CHILD_SESSION CLAUDE_CODE_ENTRYPOINT"
        " CLAUDE_CODE_EXECPATH CLAUDE_CODE_MESSAGING_SOCKET CLAUDE_CODE_MESSAGING_TOKEN CLAUDE_CODE_SESSION_ATTENDED"
        " CLAUDE_CODE_SESSION_ID CLAUDE_EFFORT CLAUDE_ENV_FILE CLAUDE_PID CLAUDE_PROJECT_DIR PWD"
    )
    theirs = dict.fromkeys(of_a_session.split(), "of a session")
    assert make_environ({**own, **ours, **theirs}) == {**own, "ENGRAM_BRAIN": "1"}
