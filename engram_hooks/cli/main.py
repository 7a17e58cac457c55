"""The command `engram`: loads the command that was typed, and says what went wrong."""

from __future__ import annotations

import errno
import os
import sys

import click

from engram_hooks import __version__
from engram_hooks.cli import output
from engram_hooks.cli.commands import LazyGroup
from engram_hooks.errors import EXIT_BUG, EXIT_INTERRUPTED, EXIT_OK, EngramError


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, "-V", "--version", prog_name="engram")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """A memory for Claude Code: decisions, reasons and failed attempts, kept on your own machine."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(args: list[str] | None = None) -> int:
    """Run a command line (without the program's name) and return its exit code."""
    output.make_streams_safe()
    given = [_read_argument(arg) for arg in (sys.argv[1:] if args is None else args)]
    try:
        code = _run(given)
        sys.stdout.flush()
    except OSError as error:
        if not isinstance(error, BrokenPipeError) and error.errno not in (errno.EPIPE, errno.EINVAL):
            return _report_bug(error)
        _stop_printing()
        return EXIT_OK
    except (KeyboardInterrupt, EOFError, click.Abort):
        output.say(to_stderr=True)
        return EXIT_INTERRUPTED
    except Exception as error:
        return _say_error(known) if (known := _explain(error)) else _report_bug(error)
    return code


def _run(args: list[str]) -> int:
    if request := os.environ.get("_ENGRAM_COMPLETE"):
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, "engram", "_ENGRAM_COMPLETE", request)
    try:
        with cli.make_context("engram", args) as ctx:
            cli.invoke(ctx)
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        error.show(sys.stderr)
        return error.exit_code
    except EngramError as error:
        return _say_error(error)
    return EXIT_OK


def _stop_printing() -> None:
    """Nobody reads any more: what is still in the buffer goes nowhere, so that the end of Python is quiet."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):  # not a real stream
        return
    finally:
        os.close(nowhere)


def _explain(error: Exception) -> EngramError | None:
    """What the database refused, in our words; None for any other error."""
    if type(error).__module__ != "sqlite3":
        return None
    from engram_hooks.store.connect import explain

    return explain(error)


def _say_error(error: EngramError) -> int:
    output.say(f"{output.style('engram:', 'bad')} {output.safe(error.message)}", to_stderr=True)
    if error.hint:
        output.say(f"{output.style('hint:', 'warn')} {output.safe(error.hint)}", to_stderr=True)
    return error.exit_code


def _report_bug(error: BaseException) -> int:
    from engram_hooks.cli.crash import write_crash

    path = write_crash(error, os.environ)
    where = f"details are in {path}" if path else "and the log cannot be written"
    output.say(f"engram: this is a bug: {type(error).__name__}; {where}", to_stderr=True)
    return EXIT_BUG


def _read_argument(arg: str) -> str:
    """An argument as UTF-8, whatever the locale made of its bytes."""
    if arg.isascii() or os.name == "nt":
        return arg
    return os.fsencode(arg).decode("utf-8", "replace")
