"""Private files: built aside, moved into place without overwriting, locked between processes."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator

from engram_hooks.errors import StoreBusy, StoreError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LOCK_NAME = "store.lock"
SIDE_FILES = "-wal", "-shm", "-journal"
_POLL_S = 0.01
_HINT = "set ENGRAM_HOME to a folder that you can write"


def make_folder(path: str) -> None:
    """Create a folder that only the user can read, or close an empty one; a filled one stays as it is.

    Raises `StoreError`.
    """
    if not path:
        raise StoreError("there is no place for the store: neither HOME nor ENGRAM_HOME is set", hint=_HINT)
    try:
        if not os.path.isdir(path):
            os.makedirs(path, mode=0o700, exist_ok=True)
        if os.stat(path).st_mode & 0o777 != 0o700 and not os.listdir(path):
            os.chmod(path, 0o700)
    except OSError as error:
        raise explain_os(error, f"the folder {path} cannot be made") from error


def make_file_beside(path: str) -> str:
    """Create an empty private file with a name of its own beside `path`; return it. Raises `OSError`."""
    while True:
        name = f"{path}.new-{os.getpid()}-{os.urandom(4).hex()}"
        try:
            os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            continue
        os.chmod(name, 0o600)
        return name


def find_free_name(path: str) -> str:
    """`path`, or with the first number behind it that no file has yet."""
    name, number = path, 1
    while os.path.lexists(name):
        number += 1
        name = f"{path}-{number}"
    return name


def move_into_place(temporary: str, path: str) -> bool:
    """Give a finished file its name unless something has that name already; the temporary name is gone after.

    Returns whether this file now stands at `path`. Raises `OSError`.
    """
    try:
        return _link(temporary, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)


def _link(temporary: str, path: str) -> bool:
    try:
        os.link(temporary, path)
    except FileExistsError:
        return False
    except (OSError, NotImplementedError):  # no hard links here
        if os.path.lexists(path):
            return False
        os.rename(temporary, path)
    _sync_folder(os.path.dirname(path))
    return True


def _sync_folder(folder: str) -> None:
    with contextlib.suppress(OSError):  # Windows and some network file systems cannot
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


def delete_leftovers(path: str, *, now_ms: int, min_age_ms: int = 3_600_000) -> None:
    """Delete what interrupted processes left of `make_file_beside(path)`."""
    folder, prefix = os.path.dirname(path), os.path.basename(path) + ".new-"
    for name in os.listdir(folder):
        file = os.path.join(folder, name)
        if name.startswith(prefix):
            with contextlib.suppress(OSError):
                if now_ms - os.stat(file).st_mtime * 1000 > min_age_ms:
                    os.unlink(file)


@contextlib.contextmanager
def hold_lock(
    folder: str,
    *,
    max_wait_ms: int,
    name: str = LOCK_NAME,
    taken: str = "another engram is creating or upgrading the store",
) -> Iterator[None]:
    """Keep other processes from creating, migrating or replacing the store in `folder` meanwhile.

    The lock ends with the process. Where the file system has no locks nothing is held: each step is
    safe on its own, the lock saves work. Raises `StoreBusy`, which says `taken`, after `max_wait_ms`.
    """
    try:
        fd = os.open(os.path.join(folder, name), os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise explain_os(error, f"the folder {folder} cannot be written") from error
    try:
        _wait_for(fd, max_wait_ms, taken)
        yield
    finally:
        os.close(fd)


def _wait_for(fd: int, max_wait_ms: int, taken: str) -> None:
    if fcntl is None:
        return
    deadline = time.monotonic() + max_wait_ms / 1000
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise StoreBusy(taken, hint="run the command again") from None
            time.sleep(_POLL_S)
        except OSError:
            return
        else:
            return


def explain_os(error: OSError, what: str) -> StoreError:
    """The `StoreError` for what the system refused; `what` begins the sentence."""
    reason = (error.strerror or str(error)).lower()
    hint = "free some space, then run the command again" if error.errno == 28 else _HINT
    return StoreError(f"{what}: {reason}", hint=hint)
