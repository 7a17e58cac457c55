"""`engram exec`: run a check from a terminal, so that engram learns from it as it does from the agent's."""

from __future__ import annotations

import os
import shlex
import signal
import sys

import click

from engram_hooks.errors import EngramError


@click.command(
    name="exec", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False}
)
@click.option("--note", default="", metavar="TEXT", help="What you are trying.")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def command(note: str, command: tuple[str, ...]) -> None:
    """Run COMMAND as it is, and keep how it ended.

    A test, build or linter that fails, and the lines that you had changed, become an attempt; when you take them back,
    the agent is told. Output, colours, signals and the exit code are those of COMMAND.
    """
    from engram_hooks.cli.passthrough import run_through

    cwd = os.getcwd()
    code, output = run_through(command)
    _record(shlex.join(command), output, code, cwd=cwd, note=note)
    if code < 0:  # ended by a signal: so are we
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    sys.stdout.flush()
    os._exit(code if code >= 0 else 128 - code)


def _record(line: str, output: str, code: int, *, cwd: str, note: str) -> None:
    """Keep the run; what goes wrong here is no business of the command's."""
    from engram_hooks.curate.running import record_run
    from engram_hooks.store.trouble import note_failure

    try:
        record_run(line, output, code, cwd=cwd, environ=os.environ, note=note)
    except (EngramError, OSError, ValueError) as error:
        import time

        from engram_hooks.paths import data_dir

        note_failure(data_dir(os.environ), "exec", str(error), now_ms=time.time_ns() // 1_000_000)
