"""The command line as a whole: exit codes, errors, help, what is loaded."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import click
import pytest

from engram_hooks.cli import main as main_module
from engram_hooks.cli.commands import COMMANDS
from engram_hooks.cli.main import cli, main
from engram_hooks.cli.options import TextCommand
from engram_hooks.errors import EngramError, StoreBusy


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """What the command `list` raises."""
    errors: list[BaseException] = []

    def fail(*_: object) -> None:
        raise errors[0]

    monkeypatch.setattr(main_module.cli, "invoke", fail)
    return errors


@pytest.mark.parametrize(
    ("error", "code"),
    [
        pytest.param(EngramError("no", hint="do this"), 1, id="expected"),
        pytest.param(StoreBusy("held"), 1, id="store"),
        pytest.param(click.UsageError("bad flag"), 2, id="usage"),
        pytest.param(KeyboardInterrupt(), 130, id="interrupted"),
        pytest.param(click.Abort(), 130, id="aborted"),
        pytest.param(BrokenPipeError(), 0, id="reader gone"),
        pytest.param(RuntimeError("oops"), 3, id="bug"),
    ],
)
def test_exit_codes(data: str, broken: list[BaseException], error: BaseException, code: int) -> None:
    broken.append(error)
    output = sys.stdout
    try:
        assert main(["list"]) == code
    finally:
        sys.stdout = output


def test_bug_is_logged_privately_without_secrets(
    data: str, broken: list[BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    secret = "ghp" + "_" + "a1B2" * 9
    broken.append(RuntimeError(f"oops {secret}"))
    main(["list"])
    path = Path(data) / "crash.log"
    assert str(path) in capsys.readouterr().err
    assert "RuntimeError" in path.read_text()
    assert secret not in path.read_text()
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


def test_hint_follows_the_message(
    data: str, broken: list[BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    broken.append(EngramError("it is gone", hint="engram list"))
    main(["list"])
    assert capsys.readouterr().err == "engram: it is gone\nhint: engram list\n"


def test_unknown_command_suggests_a_near_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recal"]) == 2
    assert "hint: engram recall" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help_lists_every_command(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 0
    printed = capsys.readouterr().out
    assert [name for name in COMMANDS if name not in printed] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_of_the_table_is_there_and_has_help(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.help


def test_only_the_typed_command_is_loaded(data: str, home: Path) -> None:
    code = (
        "import sys; from engram_hooks.cli.main import main; main(['add', '--help']);"
        "print([m for m in sys.modules if m.startswith('engram_hooks.cli.')"
        " or m in ('numpy', 'model2vec', 'engram_hooks.memory')], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(eval(done.stderr))
    assert loaded == {
        f"engram_hooks.cli.{name}" for name in ("main", "commands", "output", "add", "context", "options")
    }


@pytest.mark.parametrize(
    ("given", "text", "rest"),
    [
        (["-s=a=b"], "a=b", ()),
        (["-s", "-s=x"], "-s=x", ()),
        (["-s", "--"], "--", ()),
        (["-sx"], "x", ()),
        (["--", "-s=a"], None, ("-s=a",)),
        (["a=b"], None, ("a=b",)),
    ],
)
def test_values_after_an_equals_sign(given: list[str], text: str | None, rest: tuple[str, ...]) -> None:
    @click.command(cls=TextCommand)
    @click.option("-s", "--summary")
    @click.argument("words", nargs=-1)
    def command(summary: str | None, words: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
        return summary, words

    assert command.main(given, standalone_mode=False) == (text, rest)
