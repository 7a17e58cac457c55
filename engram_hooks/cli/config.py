"""`engram config`: list, read and change settings."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import open_memory
from engram_hooks.cli.options import json_option
from engram_hooks.errors import EngramError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engram_hooks.client.config import Problem
    from engram_hooks.memory import Engram


def _repository_option(command: click.decorators.FC) -> click.decorators.FC:
    text = "In .engram/config.toml of this repository, for everybody who works on it."
    return click.option("--repository", "is_repository", is_flag=True, help=text)(command)


@click.group(name="config", invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Read and change settings; without a command, list them.

    What you set is in `config.toml` in your settings folder; a repository may set a few in
    `.engram/config.toml`; variables of the environment (`ENGRAM_` and the name) win.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_all)


@command.command(name="list")
@json_option
def list_all(*, as_json: bool) -> None:
    """List every setting with its value, where that comes from, and what it means."""
    from engram_hooks.client.config import SETTINGS, find_problems
    from engram_hooks.store.settings import trace

    with open_memory() as memory:
        _refresh(memory)
        found = trace(memory.db, memory.project_id or 0, memory.environ)
        problems = find_problems(memory.environ, memory.cwd)
    if as_json:
        rows = [
            {**asdict(knob), "value": found[key][0], "source": found[key][1] or "default"}
            for key, knob in SETTINGS.items()
        ]
        output.print_json({"settings": rows, "problems": [str(problem) for problem in problems]})
        return
    table = [
        [output.style(key, "bold"), _show(found[key][0]), output.safe(found[key][1]) or "default", knob.help]
        for key, knob in SETTINGS.items()
    ]
    output.say(output.table(table))
    _say_problems(problems)


@command.command()
@click.argument("name")
@json_option
def get(name: str, *, as_json: bool) -> None:
    """Print the value of the setting NAME."""
    from engram_hooks.client.config import find_knob
    from engram_hooks.store.settings import trace

    knob = find_knob(name)
    with open_memory() as memory:
        _refresh(memory)
        value, source = trace(memory.db, memory.project_id or 0, memory.environ)[name]
    if as_json:
        output.print_json({**asdict(knob), "value": value, "source": source or "default"})
        return
    output.say(_show(value))


@command.command(name="set")
@click.argument("name")
@click.argument("value")
@_repository_option
def set_one(name: str, value: str, *, is_repository: bool) -> None:
    """Set NAME to VALUE; comments and order of the file stay."""
    from engram_hooks.client.config import PROJECT_KEY, parse_value

    given = value if is_repository and name == PROJECT_KEY else parse_value(name, value)
    path, _ = _change(name, given, is_repository=is_repository)
    output.say(f"{output.safe(name)} = {_show(given)} in {output.safe(path)}")


@command.command()
@click.argument("name")
@_repository_option
def unset(name: str, *, is_repository: bool) -> None:
    """Remove NAME from the file, so that its default counts again."""
    from engram_hooks.client.config import PROJECT_KEY, find_knob

    if not (is_repository and name == PROJECT_KEY):
        find_knob(name)
    path, is_changed = _change(name, None, is_repository=is_repository)
    words = "is gone from" if is_changed else "was not set in"
    output.say(f"{output.safe(name)} {words} {output.safe(path)}")


def _change(name: str, value: str | float | bool | None, *, is_repository: bool) -> tuple[str, bool]:
    from engram_hooks.client import config

    with open_memory() as memory:
        path = config.user_file(memory.environ)
        if is_repository:
            path = config.repository_file(memory.cwd, memory.environ)
            if not path:
                raise EngramError("there is no repository here", hint="go to one, or leave --repository out")
        is_changed = config.change_file(path, name, value, is_repository=is_repository)
        problems = config.compile_settings(memory.db, memory.environ, memory.cwd)
        knob = config.SETTINGS.get(name)
        if knob and knob.variable in memory.environ:
            text = f"{knob.variable} in the environment still wins"
            output.say(output.style(text, "warn"), to_stderr=True)
    _say_problems(problems)
    return path, is_changed


def _refresh(memory: Engram) -> None:
    from engram_hooks.client.config import refresh_settings

    refresh_settings(memory.db, memory.environ, memory.cwd)


def _say_problems(problems: Iterable[Problem]) -> None:
    for problem in problems:
        output.say(output.style(output.safe(str(problem)), "warn"), to_stderr=True)


def _show(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return output.line(str(value)) if value != "" else '""'
