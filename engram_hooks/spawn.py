"""Start the worker: a detached process that outlives the hook and holds none of its streams."""

from __future__ import annotations

import os
import sys

WORKER_MARK = "ENGRAM_WORKER"
BRAIN_MARK = "ENGRAM_BRAIN"
"""In the environment of the program that judges notes: nothing of ours does anything within it."""
LOCK_NAME = "worker.lock"


def start_worker(data: str, environ: dict[str, str], *, package_parent: str = "") -> int:
    """Start `python -m engram_hooks.worker` for the data folder; returns its process id, 0 where none was started.

    Inside a worker, or the program that judges notes, nothing is started. The new process has its own session,
    `/dev/null` as its three streams and a mark in the environment that keeps hooks in it silent. Raises `OSError`
    where the system refuses.
    """
    if environ.get(WORKER_MARK) or environ.get(BRAIN_MARK):
        return 0
    env = dict(environ)
    env[WORKER_MARK] = "1"
    code = "import sys; sys.path.append(sys.argv[2]); from engram_hooks.worker import main; main(sys.argv[1])"
    argv = [sys.executable, "-I", "-c", code, data, package_parent or _package_parent()]
    if os.name == "nt":
        return _start_on_windows(argv, env)
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    try:
        return os.posix_spawn(argv[0], argv, env, file_actions=null, setsid=True)
    except NotImplementedError:
        return os.posix_spawn(argv[0], argv, env, file_actions=null, setpgroup=0)


def lock_worker(data: str) -> int:
    """A descriptor that holds the one worker's lock until it is closed; -1 where another process has it.

    Raises `OSError` where the folder cannot be written.
    """
    fd = os.open(os.path.join(data, LOCK_NAME), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        else:
            import fcntl

            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        return -1
    return fd


def is_worker_running(data: str) -> bool:
    """Whether a worker holds the lock of this data folder. Raises `OSError` where the folder cannot be written."""
    fd = lock_worker(data)
    if fd < 0:
        return True
    os.close(fd)
    return False


def _package_parent() -> str:
    return os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def _start_on_windows(argv: list[str], env: dict[str, str]) -> int:
    import subprocess

    detached = 0x00000008 | 0x00000200 | 0x08000000  # DETACHED_PROCESS, NEW_PROCESS_GROUP, NO_WINDOW
    null = subprocess.DEVNULL
    flags = {"creationflags": detached}
    done = subprocess.Popen(argv, env=env, stdin=null, stdout=null, stderr=null, **flags)  # type: ignore[call-overload]
    return int(done.pid)
