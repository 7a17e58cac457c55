"""Run a command as if nobody stood between it and its terminal, and keep the end of what it prints."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import Any

CHUNK_BYTES = 64 << 10
HEAD_BYTES, TAIL_BYTES = 50_000, 150_000
NOT_FOUND, NOT_EXECUTABLE = 127, 126
_FORWARDED = ("SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2")
_LEFT_TO_CHILD = ("SIGINT", "SIGQUIT")


class Tail:
    """The beginning and the end of a stream of bytes."""

    def __init__(self) -> None:
        self.head = b""
        self.tail = bytearray()

    def add(self, data: bytes) -> None:
        """Take bytes in."""
        room = HEAD_BYTES - len(self.head)
        if room > 0:
            self.head += data[:room]
            data = data[room:]
        self.tail += data
        if len(self.tail) > 2 * TAIL_BYTES:
            del self.tail[:-TAIL_BYTES]

    def text(self) -> str:
        """What was kept; the middle of a long stream is left out."""
        return (self.head + bytes(self.tail[-TAIL_BYTES:])).decode("utf-8", "replace")


def run_through(argv: Sequence[str]) -> tuple[int, str]:
    """(exit code, what was printed) of a command whose streams are passed on as they come.

    Where a stream of ours is a terminal the command sees one of the same size. A command that a signal ended gives
    the negative number of the signal; one that cannot be started 127 or 126, with a word on stderr.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    with contextlib.ExitStack() as stack:
        ends = {fd: _open_end(fd, stack) for fd in (1, 2)}
        if ends[1][2] and ends[2][2]:
            ends[2] = ends[1]  # one terminal: the order of both is kept
        try:
            child = subprocess.Popen(list(argv), stdout=ends[1][1], stderr=ends[2][1])
        except FileNotFoundError:
            return _refuse(argv, "not found", NOT_FOUND)
        except OSError as error:
            return _refuse(argv, error.strerror or "cannot be run", NOT_EXECUTABLE)
        for write_end in {end[1] for end in ends.values()}:
            os.close(write_end)
        kept = Tail()
        with _signals(child, [end[0] for end in ends.values() if end[2]]):
            _pump({read_end: fd for fd, (read_end, _, _) in reversed(list(ends.items()))}, kept)
            code = child.wait()
        return code, kept.text()


def _open_end(fd: int, stack: contextlib.ExitStack) -> tuple[int, int, bool]:
    """(end to read, end for the command, whether it is a terminal) in place of a stream of ours."""
    if os.isatty(fd) and os.name == "posix":
        import pty
        import tty

        read_end, write_end = pty.openpty()
        tty.setraw(write_end)
        _copy_size(fd, read_end)
        stack.callback(_close, read_end)
        return read_end, write_end, True
    read_end, write_end = os.pipe()
    stack.callback(_close, read_end)
    return read_end, write_end, False


def _pump(ends: dict[int, int], kept: Tail) -> None:
    """Pass on what comes until every writer is gone."""
    with selectors.DefaultSelector() as selector:
        for read_end in ends:
            selector.register(read_end, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select():
                try:
                    data = os.read(key.fd, CHUNK_BYTES)
                except OSError:  # a terminal whose last writer is gone
                    data = b""
                if not data:
                    selector.unregister(key.fd)
                    continue
                kept.add(data)
                _write(ends[key.fd], data)


def _write(fd: int, data: bytes) -> None:
    with contextlib.suppress(OSError):  # whoever read it is gone; the command goes on
        while data:
            data = data[os.write(fd, data) :]


@contextlib.contextmanager
def _signals(child: subprocess.Popen[bytes], terminals: Sequence[int]) -> Iterator[None]:
    """Signals go to the command: those of the keyboard reach it by themselves, others are passed on."""

    def forward(number: int, _frame: FrameType | None) -> None:
        with contextlib.suppress(ProcessLookupError):
            child.send_signal(number)

    def resize(_number: int, _frame: FrameType | None) -> None:
        for terminal in terminals:
            _copy_size(1, terminal)

    wanted: dict[str, Any] = dict.fromkeys(_FORWARDED, forward) | dict.fromkeys(
        _LEFT_TO_CHILD, signal.SIG_IGN
    )
    if terminals:
        wanted["SIGWINCH"] = resize
    before: dict[int, Any] = {}
    for name, handler in wanted.items():
        number = getattr(signal, name, None)
        if number is not None:
            before[number] = signal.signal(number, handler)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _copy_size(source: int, target: int) -> None:
    import fcntl
    import termios

    with contextlib.suppress(OSError):
        size = fcntl.ioctl(source, termios.TIOCGWINSZ, b"\0" * 8)
        fcntl.ioctl(target, termios.TIOCSWINSZ, size)


def _refuse(argv: Sequence[str], reason: str, code: int) -> tuple[int, str]:
    text = f"engram exec: {argv[0]}: {reason}"
    print(text, file=sys.stderr)
    return code, text


def _close(fd: int) -> None:
    with contextlib.suppress(OSError):
        os.close(fd)
