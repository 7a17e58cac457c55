"""What went wrong in a hook: a capped log, a counter, and the flag that the status line shows."""

from __future__ import annotations

import os

from engram_hooks.guard.redact import redact
from engram_hooks.paths import make_private_dir, read_small

LOG_NAME = "hook.log"
COUNTER_NAME = "hook-failures"
FLAG_NAME = "trouble"
MAX_LOG_BYTES = 256 << 10
MAX_LINE_CHARS = 500


def note_failure(data: str, event_name: str, text: str, *, now_ms: int) -> None:
    """Append a line to the log, raise the counter and the flag. Raises `OSError`."""
    add_line(data, event_name, text, now_ms=now_ms)
    count = count_failures(data) + 1
    _write(os.path.join(data, COUNTER_NAME), str(count), os.O_TRUNC)
    flag(data, f"{count} hook failures")


def add_line(data: str, name: str, text: str, *, now_ms: int) -> None:
    """Append a line to the log, redacted, for what nobody has to be told. Raises `OSError`."""
    make_private_dir(data)
    path = os.path.join(data, LOG_NAME)
    line = f"{now_ms} {name} {redact(text)}".replace("\n", " ")[:MAX_LINE_CHARS] + "\n"
    if _size(path) > MAX_LOG_BYTES:
        os.replace(path, path + ".1")
    _write(path, line, os.O_APPEND)


def count_failures(data: str) -> int:
    """How many hooks failed since `clear` was called."""
    text = read_small(os.path.join(data, COUNTER_NAME))
    return int(text) if text.isdigit() else 0


def flag(data: str, text: str) -> None:
    """Leave one line for the status line. Raises `OSError`."""
    _write(os.path.join(data, FLAG_NAME), text.replace("\n", " ")[:120] + "\n", os.O_TRUNC)


def settle(data: str) -> None:
    """Take the flag away once the store works again; failures of hooks stay counted and flagged until `clear`."""
    path = os.path.join(data, FLAG_NAME)
    if os.path.exists(path) and not count_failures(data):
        try:
            os.unlink(path)
        except OSError:  # another process was faster, or the folder can only be read
            return


def clear(data: str) -> None:
    """Take the flag and the counter away."""
    for name in (FLAG_NAME, COUNTER_NAME):
        try:
            os.unlink(os.path.join(data, name))
        except FileNotFoundError:
            pass


def _write(path: str, text: str, how: int) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | how, 0o600)
    try:
        os.write(fd, text.encode("utf-8", "replace"))
    finally:
        os.close(fd)


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
