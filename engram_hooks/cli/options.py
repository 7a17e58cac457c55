"""Options that several commands share, and values that begin with dashes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])  # Any: click passes options by name


class TextCommand(click.Command):
    """A command whose short options also take their value after `=`: `-s=text`, `-q=--force`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Turn `-s=text` into `-s`, `text`; what follows an option is its value, whatever it looks like."""
        takes_value = {
            name
            for param in self.params
            if isinstance(param, click.Option) and not param.is_flag and not param.count
            for name in param.opts
        }
        out: list[str] = []
        rest = iter(args)
        for arg in rest:
            name, equals, value = arg.partition("=")
            if arg == "--":
                out.append(arg)
                out.extend(rest)
            elif arg in takes_value:
                out.append(arg)
                out.extend(value for value in [next(rest, None)] if value is not None)
            elif equals and name in takes_value and not name.startswith("--"):
                out += [name, value]
            else:
                out.append(arg)
        return super().parse_args(ctx, out)


def json_option(command: Command) -> Command:
    """`--json`, passed as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def project_option(command: Command) -> Command:
    """`--project NAME`, passed as `project`."""
    return click.option("--project", metavar="NAME", help="Another project than the one here.")(command)


def split_option(command: Command) -> Command:
    """`--split`, passed as `split`: which words a made-up world is made of."""
    return click.option(
        "--split",
        type=click.Choice(["dev", "unseen"]),
        default="dev",
        show_default=True,
        help="Which words what is made up is made of; nothing is tuned to unseen.",
    )(command)


def yes_option(command: Command) -> Command:
    """`--yes`, passed as `is_confirmed`."""
    return click.option("-y", "--yes", "is_confirmed", is_flag=True, help="Do not ask.")(command)
