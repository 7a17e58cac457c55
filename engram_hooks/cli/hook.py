"""`engram hook` and `engram statusline` for their help; both run without any of this (see `__main__`)."""

from __future__ import annotations

import click


@click.command(name="hook")
@click.argument("event")
def hook(event: str) -> None:
    """Serve one EVENT of the client: JSON on standard input, one JSON document or nothing on standard output.

    EVENT is session-start, user-prompt-submit, pre-tool-use, post-tool-use, post-tool-use-failure, stop,
    session-end, pre-compact or subagent-start. The exit code is always 0.
    """


@click.command(name="statusline")
def statusline() -> None:
    """Print the status line for the JSON that the client gives on standard input."""
