"""`engram completion`: what a shell needs to complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from engram_hooks.errors import EngramError

SHELLS = ("bash", "zsh", "fish")


@click.command(name="completion")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(ctx: click.Context, /, shell: str) -> None:
    """Print the script that completes commands and options in SHELL.

    bash: add `eval "$(engram completion bash)"` to ~/.bashrc. zsh: the same with zsh in ~/.zshrc. fish:
    `engram completion fish > ~/.config/fish/completions/engram.fish`.
    """
    kind = get_completion_class(shell)
    if kind is None:
        raise EngramError(f"click knows no completion for {shell}")
    completion = kind(ctx.find_root().command, {}, "engram", "_ENGRAM_COMPLETE")
    values = completion.source_vars()
    click.echo(completion.source_template % values)
