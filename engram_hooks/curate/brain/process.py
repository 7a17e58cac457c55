"""Run the brain's program once: prompt in, answer out, with an end to its time, its output and its children."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

OK, TIMEOUT, TOO_LONG, FAILED = "ok", "timeout", "too_long", "failed"
MAX_OUTPUT_BYTES = 256 << 10
MAX_COMPLAINT_BYTES = 4_096
GRACE_S = 0.5
"""How long the output of a program that has ended is waited for: a child of it may hold the pipe open."""

_TERM_S = 1.0
_STEP_S = 0.05
_BLOCK = 64 << 10


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended: ok, timeout, too_long or failed; why, in our own words; what the program said to stderr."""

    outcome: str
    output: str = ""
    reason: str = ""
    complaint: str = ""


@dataclass(slots=True)
class _Talk:
    """What is under way between us and a program."""

    to_send: memoryview
    output: bytearray = field(default_factory=bytearray)
    complaint: bytearray = field(default_factory=bytearray)


def run_program(
    argv: Sequence[str], prompt: str, *, cwd: str, environ: Mapping[str, str], timeout_s: float
) -> Ending:
    """Run a program in a process group of its own, the prompt on its standard input, and take its answer.

    Whatever it started and left behind in that group is ended with it. Never raises for what the program does.
    """
    run = _run_on_windows if os.name == "nt" else _run_on_posix
    try:
        return run(argv, prompt.encode("utf-8", "replace"), cwd=cwd, environ=environ, timeout_s=timeout_s)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else "") or type(error).__name__
        return Ending(FAILED, reason=f"cannot be started: {reason}")


def _run_on_posix(
    argv: Sequence[str], prompt: bytes, *, cwd: str, environ: Mapping[str, str], timeout_s: float
) -> Ending:
    process = subprocess.Popen(
        argv,
        cwd=cwd,
        env=environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        bufsize=0,
    )
    talk = _Talk(memoryview(prompt))
    try:
        outcome = _exchange(process, talk, until=time.monotonic() + timeout_s)
    finally:
        _end_group(process)
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
    return _judge(outcome, process.returncode, bytes(talk.output), bytes(talk.complaint), timeout_s=timeout_s)


def _exchange(process: subprocess.Popen[bytes], talk: _Talk, *, until: float) -> str:
    """Write and read until the program has ended and said all, its time is up, or it says too much."""
    assert process.stdin
    assert process.stdout
    assert process.stderr
    with selectors.DefaultSelector() as selector:
        os.set_blocking(process.stdin.fileno(), False)
        selector.register(process.stdin, selectors.EVENT_WRITE, _send)
        selector.register(process.stdout, selectors.EVENT_READ, _take_output)
        selector.register(process.stderr, selectors.EVENT_READ, _take_complaint)
        is_ended = False
        while (now := time.monotonic()) < until:
            if not is_ended and process.poll() is not None:
                is_ended, until = True, min(until, now + GRACE_S)
            if is_ended and process.stdout not in {key.fileobj for key in selector.get_map().values()}:
                return OK
            for key, _ in selector.select(min(_STEP_S, until - now)):
                if not key.data(key.fd, talk):
                    selector.unregister(key.fileobj)
                    if key.fileobj is process.stdin:
                        process.stdin.close()
            if len(talk.output) > MAX_OUTPUT_BYTES:
                return TOO_LONG
    return OK if is_ended else TIMEOUT


def _send(fd: int, talk: _Talk) -> bool:
    """Write what the pipe takes; whether more is to be written."""
    with suppress(BlockingIOError):
        try:
            talk.to_send = talk.to_send[os.write(fd, talk.to_send[:_BLOCK]) :]
        except BrokenPipeError:  # it does not want to know
            return False
    return bool(talk.to_send)


def _take_output(fd: int, talk: _Talk) -> bool:
    part = os.read(fd, _BLOCK)
    talk.output += part
    return bool(part)


def _take_complaint(fd: int, talk: _Talk) -> bool:
    part = os.read(fd, _BLOCK)
    talk.complaint += part[: max(0, MAX_COMPLAINT_BYTES - len(talk.complaint))]
    return bool(part)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End the program, gently first, then all that is left of its group."""
    if process.poll() is None:
        _signal_group(process.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_TERM_S)
    _signal_group(process.pid, signal.SIGKILL)
    process.wait()


def _signal_group(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _run_on_windows(
    argv: Sequence[str], prompt: bytes, *, cwd: str, environ: Mapping[str, str], timeout_s: float
) -> Ending:
    flags = {"creationflags": 0x00000200 | 0x08000000}  # NEW_PROCESS_GROUP, NO_WINDOW
    pipe = subprocess.PIPE
    streams = {"stdin": pipe, "stdout": pipe, "stderr": pipe}
    process = subprocess.Popen(argv, cwd=cwd, env=environ, **streams, **flags)  # type: ignore[call-overload]
    try:
        output, complaint = process.communicate(prompt, timeout=timeout_s)
    except subprocess.TimeoutExpired:
        tree = ["taskkill", "/T", "/F", "/PID", str(process.pid)]
        with suppress(subprocess.SubprocessError, OSError):
            subprocess.run(tree, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=10)
        process.kill()
        return _judge(TIMEOUT, 1, b"", b"", timeout_s=timeout_s)
    outcome = TOO_LONG if len(output) > MAX_OUTPUT_BYTES else OK
    return _judge(outcome, process.returncode, output, complaint[:MAX_COMPLAINT_BYTES], timeout_s=timeout_s)


def _judge(outcome: str, code: int, output: bytes, complaint: bytes, *, timeout_s: float) -> Ending:
    said = complaint.decode("utf-8", "replace").strip()
    if outcome == TIMEOUT:
        return Ending(TIMEOUT, reason=f"no answer within {timeout_s:g} s", complaint=said)
    if outcome == TOO_LONG:
        return Ending(TOO_LONG, reason=f"more than {MAX_OUTPUT_BYTES >> 10} KB of answer", complaint=said)
    text = output.decode("utf-8", "replace")
    if code:
        return Ending(FAILED, text, f"exit code {code}", said)
    return Ending(OK, text, complaint=said)
