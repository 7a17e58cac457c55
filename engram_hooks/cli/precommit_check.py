"""The check that runs before a commit, as a process of its own: it loads little, and never breaks a commit."""

from __future__ import annotations

import os
import sys

from engram_hooks.errors import EXIT_BLOCKED, EXIT_FAILURE, EXIT_INTERRUPTED, EXIT_OK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType

OPTIONS = frozenset(("--strict", "--json", "--hook"))
BLOCK_CODE = (
    10  # of `--hook`; what a shell, Python or another program of our name ends with when it is broken is less
)
LIMIT_S = 0.45  # what is left of half a second once Python has started


def is_check(arguments: Sequence[str]) -> bool:
    """Whether these arguments of `engram pre-commit` ask for the check itself and nothing else."""
    return all(argument in OPTIONS or not argument.startswith("-") for argument in arguments)


def main(arguments: Sequence[str]) -> None:
    """Check the commit that is being made and end the process; whatever goes wrong, its exit code is 0."""
    sys.excepthook = _leave
    wanted = frozenset(arguments)
    code = run(
        os.environ,
        is_strict="--strict" in wanted,
        as_json="--json" in wanted,
        is_hook="--hook" in wanted,
    )
    os._exit(code)  # nothing is left to flush, and taking the interpreter down costs time


def run(environ: Mapping[str, str], *, is_strict: bool, as_json: bool, is_hook: bool) -> int:
    """Check the commit in the working directory, print what was found, and return the exit code."""
    # the driver first: once `functools` is there it brings its whole public package along
    from engram_hooks.store import connect  # noqa: F401, I001
    from engram_hooks.cli.precommit_report import render, to_json
    from engram_hooks.curate.code.precommit import Report, check_commit
    from engram_hooks.history.allowance import Allowance

    try:
        report = check_commit(os.getcwd(), environ, allowance=Allowance(LIMIT_S))
    except FileNotFoundError:
        report = Report(reason="the directory is gone")
    # a rule holds whatever the commit does: it would stop each one that touches its files
    is_blocked = (is_strict or report.is_strict) and any(one.check != "rule" for one in report.findings)
    if as_json:
        from engram_hooks.jsontext import dumps

        _print(dumps(to_json(report, is_blocked=is_blocked)) + "\n")
    else:
        _print(render(report, is_blocked=is_blocked, has_colour=_has_colour(environ)))
    if not is_blocked:
        return EXIT_OK
    return EXIT_BLOCKED if is_hook else EXIT_FAILURE


def _has_colour(environ: Mapping[str, str]) -> bool:
    return sys.stdout.isatty() and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"


def _print(text: str) -> None:
    """Print UTF-8 whatever the locale says; a reader that is gone is no concern of ours."""
    try:
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
        sys.stdout.flush()
    except OSError:
        return


def _leave(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """The end of a check that broke: the reason goes to the log, the commit goes on."""
    code = EXIT_INTERRUPTED if issubclass(kind, KeyboardInterrupt) else EXIT_OK
    try:
        if code == EXIT_OK:
            from engram_hooks.cli.crash import write_crash

            write_crash(error, os.environ)
    finally:
        os._exit(code)
