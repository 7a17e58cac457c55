"""Events that no store could take in time: one private file each, drained by the next writer."""

from __future__ import annotations

import os
import time

from engram_hooks.jsontext import dumps, loads
from engram_hooks.paths import make_private_dir
from engram_hooks.store.transactions import Transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Connection

FOLDER = "spool"
MAX_FILES = 5_000
MAX_ROWS_BYTES = 64 << 10
STALE_CLAIM_S = 60
STALE_PART_S = 3_600
WAIT_STEP_S = 0.02


def write_event(data: str, event: dict[str, str]) -> bool:
    """Put a reduced event into the spool; False where the spool is full. Raises `OSError`."""
    folder = os.path.join(data, FOLDER)
    make_private_dir(folder)
    if len(os.listdir(folder)) >= MAX_FILES:
        return False
    name = f"{int(event['at']):015d}-{time.monotonic_ns():020d}-{os.getpid()}"
    part = os.path.join(folder, name + ".part")
    fd = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        try:
            left = dumps(event).encode()
            while left:  # a disk that fills takes a part of it
                left = left[os.write(fd, left) :]
        finally:
            os.close(fd)
        os.rename(part, os.path.join(folder, name + ".json"))
    except OSError:
        os.unlink(part)
        raise
    return True


def attach_rows(event: dict[str, str]) -> None:
    """Put the conversation itself beside the pointer to its transcript, as far as a bounded read goes.

    For an event that comes before there is a usable store: until then the client may replace the file.
    """
    from engram_hooks.guard.redact import redact
    from engram_hooks.sessions.events import TAILING_NAMES
    from engram_hooks.sessions.transcript import read_chunk

    if event["name"] not in TAILING_NAMES or not event["transcript"]:
        return
    try:
        found = read_chunk(event["transcript"], max_bytes=MAX_ROWS_BYTES)[0]
    except OSError:
        return
    event["rows"] = dumps([(row[0], row[1], row[7], redact(row[2]), row[3]) for row in found])


def backlog(data: str) -> int:
    """How many events wait in the spool."""
    try:
        return sum(
            name.endswith(".json") or ".json." in name for name in os.listdir(os.path.join(data, FOLDER))
        )
    except OSError:
        return 0


def is_waiting(data: str) -> bool:
    """Whether there is an event that nobody has claimed."""
    try:
        return any(name.endswith(".json") for name in os.listdir(os.path.join(data, FOLDER)))
    except OSError:
        return False


def drain(db: Connection, data: str, environ: Mapping[str, str], *, wait_ms: int = 0) -> int:
    """Apply all events of the spool in their order; returns how many.

    Each file is claimed by a rename, so that two drains never share one, and removed once its rows are
    committed. What another drain holds is waited for, up to `wait_ms`. An event that cannot be applied at all
    is set aside, that it may not stand in the way of others. Raises `StoreBusy` where the store is held; the
    rest then waits for the next drain.
    """
    folder = os.path.join(data, FOLDER)
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return 0
    done = 0
    for name in names:
        if name.endswith(".json") or (".json." in name and _is_older(folder, name, STALE_CLAIM_S)):
            done += _drain_file(db, os.path.join(folder, name.partition(".")[0]), name, environ)
        elif name.endswith(".part") and _is_older(folder, name, STALE_PART_S):
            _remove(os.path.join(folder, name))
    limit = time.monotonic() + wait_ms / 1000
    while time.monotonic() < limit and any(".json." in name for name in os.listdir(folder)):
        time.sleep(WAIT_STEP_S)
    return done


def _drain_file(db: Connection, stem: str, name: str, environ: Mapping[str, str]) -> int:
    """Apply one file of the spool; `stem` is its path without an ending, `name` its name as it stands there."""
    from engram_hooks.sessions.events import apply

    claimed = f"{stem}.json.{os.getpid()}"
    try:
        os.rename(os.path.join(os.path.dirname(stem), name), claimed)
    except OSError:
        return 0
    event = _read_event(claimed)
    if event is not None:
        try:
            with Transaction(db):
                apply(db, event, environ)
        except (ValueError, TypeError, LookupError):  # written by another version
            os.rename(claimed, f"{stem}.failed")
            return 0
        except BaseException:
            os.rename(claimed, f"{stem}.json")
            raise
    os.unlink(claimed)
    return int(event is not None)


def _read_event(path: str) -> dict[str, str] | None:
    with open(path, "rb") as file:
        text = file.read()
    try:
        event = loads(text)
    except ValueError:
        return None
    needed = "name", "at", "session", "transcript", "directory", "prompt_id", "agent", "source"
    if not isinstance(event, dict) or any(not isinstance(event.get(key), str) for key in needed):
        return None
    return event


def _is_older(folder: str, name: str, age_s: int) -> bool:
    """Whether a file was left behind by a process that died."""
    try:
        return time.time() - os.stat(os.path.join(folder, name)).st_ctime > age_s
    except OSError:
        return False


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
