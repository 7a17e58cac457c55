"""The one place that runs git: objects are read, nothing of the repository is run, written or fetched."""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
from typing import IO, TYPE_CHECKING

from engram_hooks.errors import EngramError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

TIMEOUT_S = 30.0
MAX_COMPLAINT_BYTES = 65_536
NULL = os.devnull

# what a repository's or a hook's own settings must not decide
SETTINGS = (
    "core.fsmonitor=false",
    f"core.hooksPath={NULL}",
    "core.askPass=",
    "credential.helper=",
    "protocol.allow=never",
    "gc.auto=0",
    "maintenance.auto=false",
    "log.showSignature=false",
    "color.ui=false",
)
# of the caller's GIT_* variables only those that say where git itself is, or how far it may look
_KEPT = "GIT_EXEC_PATH", "GIT_CEILING_DIRECTORIES", "GIT_CONFIG_GLOBAL", "GIT_TEST_ASSUME_DIFFERENT_OWNER"
_SET = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
}


class GitError(EngramError):
    """Git answered with an error; the message is its reason in one line."""


class GitMissing(GitError):
    """There is no git to run."""


def run(
    arguments: Sequence[str],
    cwd: str,
    *,
    environ: Mapping[str, str] | None = None,
    timeout_s: float = TIMEOUT_S,
    stdin: bytes = b"",
    extra: Mapping[str, str] | None = None,
) -> bytes:
    """Run `git ARGUMENTS` in the folder `cwd` and return what it printed.

    `environ` (default: that of the process) is scrubbed of what leads git elsewhere; `extra` is set all the
    same. Raises `GitMissing`, or `GitError` where git fails, takes longer than `timeout_s` or the folder is gone.
    """
    try:
        done = subprocess.run(
            make_argv(arguments),
            cwd=cwd,
            env=make_environ(os.environ if environ is None else environ, extra),
            input=stdin,
            capture_output=True,
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise GitError(f"git {arguments[0]} took longer than {timeout_s:g} s in {cwd}") from None
    except OSError as error:
        raise _explain_start(error, cwd) from None
    if done.returncode:
        raise explain(arguments, done.stderr, cwd)
    return done.stdout


@contextlib.contextmanager
def open_stream(
    arguments: Sequence[str], cwd: str, *, environ: Mapping[str, str] | None = None, stdin: bytes = b""
) -> Iterator[IO[bytes]]:
    """Run git and read its output while it runs; leaving early ends git.

    Raises like `run`, at the end of the block where git has failed by then.
    """
    import tempfile

    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as complaints:
        given.write(stdin)
        given.seek(0)
        try:
            process = subprocess.Popen(
                make_argv(arguments),
                cwd=cwd,
                env=make_environ(os.environ if environ is None else environ),
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=complaints,
            )
        except OSError as error:
            raise _explain_start(error, cwd) from None
        assert process.stdout
        with process:
            try:
                yield process.stdout
                ended = not process.stdout.read(1)
            except BaseException:
                process.kill()
                raise
            if not ended:
                process.kill()
                return
            if process.wait():
                complaints.seek(0)
                raise explain(arguments, complaints.read(MAX_COMPLAINT_BYTES), cwd)


def read_some(
    arguments: Sequence[str],
    cwd: str,
    *,
    environ: Mapping[str, str],
    extra: Mapping[str, str],
    max_bytes: int,
    timeout_s: float,
) -> bytes | None:
    """What git prints where that is at most `max_bytes`, else None, without waiting for the rest.

    Raises like `run`, but the message does not say why git failed.
    """
    try:
        process = subprocess.Popen(
            make_argv(arguments),
            cwd=cwd,
            env=make_environ(environ, extra),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError as error:
        raise _explain_start(error, cwd) from None
    assert process.stdout
    limit = threading.Timer(timeout_s, process.kill)
    limit.start()
    with process:
        try:
            output = process.stdout.read(max_bytes + 1)
            if len(output) > max_bytes:
                process.kill()
                return None
        finally:
            limit.cancel()
    if process.returncode:
        raise GitError("git failed")
    return output


def make_argv(arguments: Sequence[str]) -> list[str]:
    """The command line of a git that does only what it is told."""
    argv = ["git", "--no-pager", "--no-optional-locks", "--literal-pathspecs"]
    for setting in SETTINGS:
        argv += ["-c", setting]
    return [*argv, *arguments]


def make_environ(environ: Mapping[str, str], extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment for git: no variable that a git hook inherits, no prompts, no locks, no network."""
    kept = {name: value for name, value in environ.items() if not name.startswith("GIT_") or name in _KEPT}
    kept.pop("LANGUAGE", None)
    return {**kept, **_SET, **(extra or {})}


def explain(arguments: Sequence[str], stderr: bytes, cwd: str) -> GitError:
    """The error for what git wrote when it failed, with the way out where we know one."""
    lines = [line.strip() for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    named = [line for line in lines if line.startswith(("fatal:", "error:"))]
    reason = (named or lines or [f"git {arguments[0]} failed"])[0].removeprefix("fatal: ")
    if "dubious ownership" in reason:
        return GitError(reason, hint=f"git config --global --add safe.directory {cwd}")
    return GitError(f"git: {reason} ({cwd})" if cwd not in reason else f"git: {reason}")


def _explain_start(error: OSError, cwd: str) -> GitError:
    if isinstance(error, FileNotFoundError | NotADirectoryError) and not os.path.isdir(cwd):
        return GitError(f"the folder {cwd} is gone")
    if isinstance(error, FileNotFoundError):
        return GitMissing(
            "git is not installed, or not on PATH", hint="install git, then run the command again"
        )
    return GitError(f"git cannot be started: {error.strerror}")
