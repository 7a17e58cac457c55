"""The ready line: what the status line shows, left behind by hooks, commands and the worker."""

from __future__ import annotations

import os

from engram_hooks.paths import make_private_dir
from engram_hooks.store.sessions import session_counts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

FOLDER = "ready"
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def ready_path(data: str, client_id: str) -> str:
    """The file of a session's ready line; '' for an id that cannot be a file name."""
    if not client_id or len(client_id) > 100 or not _SAFE.issuperset(client_id):
        return ""
    return os.path.join(data, FOLDER, client_id)


def write_ready(
    db: Connection, data: str, client_id: str, *, session: tuple[int, int], is_settled: bool
) -> None:
    """Write the line of (session id, project id).

    `is_settled` is False while more is to be done behind the turn: the line then says that logging goes on.
    Where it cannot be written the old line stays; it never promises more than is logged.
    """
    path = ready_path(data, client_id)
    if not path:
        return
    notes, logged, candidates, cursor_bytes, is_running = session_counts(db, *session)
    state = "idle" if is_settled and not is_running else "running"
    line = f"1|{state}|{notes}|{logged}|{candidates}|{cursor_bytes}|\n"
    try:
        try:
            _replace(path, line)
        except FileNotFoundError:
            make_private_dir(os.path.dirname(path))
            _replace(path, line)
    except OSError:  # a full disk must not cost the agent what the hook has to say
        return


def drop_old(data: str, *, before_s: float) -> int:
    """Remove the lines of sessions that nobody has written since a moment (seconds); returns how many."""
    folder = os.path.join(data, FOLDER)
    try:
        paths = [os.path.join(folder, name) for name in os.listdir(folder)]
        old = [path for path in paths if os.stat(path).st_mtime < before_s]
        for path in old:
            os.unlink(path)
    except FileNotFoundError:  # no folder yet, or another process was faster
        return 0
    return len(old)


def _replace(path: str, line: str) -> None:
    part = f"{path}.{os.getpid()}"
    fd = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        try:
            os.write(fd, line.encode())
        finally:
            os.close(fd)
        os.replace(part, path)
    except OSError:
        os.unlink(part)
        raise
