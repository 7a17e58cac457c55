"""The hook process: read the payload, hand it to the room of its event, print one answer, never fail.

The launcher calls it under `python -I -S`, and `engram hook EVENT` does the same. Whatever goes wrong, the
client sees exit code 0 and an empty output.
"""

from __future__ import annotations

import gc
import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from engram_hooks.errors import StoreError

READ_MS = 2_000
WORK_MS = {"session-end": 900, "stop": 1_500}
DEFAULT_WORK_MS = 2_000
MAX_PAYLOAD_BYTES = 64 << 20
READ_BYTES = 64 << 10


class DeadlineError(BaseException):
    """The hook's own time is up."""


def main(argv: list[str]) -> None:
    """Serve one call and end the process with exit code 0; never returns.

    `argv` is what follows `engram` on the command line (`hook EVENT`, `statusline`) or what the launcher
    passes: (anything, package folder, data folder, event). `ENGRAM_HOME` wins over the launcher's data folder.
    """
    gc.disable()  # a hook ends before garbage matters
    environ = dict(os.environ)
    if argv[:1] == ["hook"] or argv[:1] == ["statusline"]:
        data, event = "", argv[1] if len(argv) > 1 else ""
    else:
        from engram_hooks import loading

        loading.install()
        data, event = argv[2], argv[3] if len(argv) > 3 else ""
    if environ.get("ENGRAM_HOME") or not data:
        from engram_hooks.paths import data_dir

        data = data_dir(environ)
    if argv[0] == "statusline":
        _print_status(data, environ)
    else:
        run_hook(event, data, environ)
    os._exit(0)  # nothing is left to flush, and tearing the interpreter down costs time


def _print_status(data: str, environ: Mapping[str, str]) -> None:
    try:
        from engram_hooks.hooks.statusline import render_line

        write_all(1, render_line(read_payload(0) or {}, data, environ).encode() + b"\n")
    except Exception as error:
        _note_failure(data, "statusline", _describe(error))
        write_all(1, b"engram !\n")


def run_hook(event_name: str, data: str, environ: Mapping[str, str]) -> int:
    """Serve one event from standard input to standard output; always 0."""
    if environ.get("ENGRAM_BRAIN"):
        return 0  # the brain's own session: nothing is said to it, nothing is learnt from it
    try:
        set_deadline(READ_MS + WORK_MS.get(event_name, DEFAULT_WORK_MS))
        from engram_hooks.paths import is_off

        payload = read_payload(0)
        if payload is None or not data or environ.get("ENGRAM_WORKER") or is_off(data):
            return 0
        text = serve(event_name, payload, data, environ)
        if text:
            write_all(1, text.encode())
    except DeadlineError:
        _note_failure(data, event_name, "deadline")
    except Exception as error:
        _note_failure(data, event_name, _describe(error))
    return 0


def serve(event_name: str, payload: dict[str, object], data: str, environ: Mapping[str, str]) -> str:
    """The text to print for an event; '' for nothing. The payload's own event name decides."""
    from engram_hooks.paths import is_brain_folder
    from engram_hooks.sessions import events

    own = payload.get("hook_event_name")
    name = events.NAMES.get(own, "") if isinstance(own, str) else event_name
    if name not in events.NAMES.values():
        return ""
    event = events.reduce(name, payload, environ, now_ms=int(time.time() * 1000))
    if is_brain_folder(event["directory"]):
        return ""
    return _answer(event, payload, data, environ)


def _answer(event: dict[str, str], payload: dict[str, object], data: str, environ: Mapping[str, str]) -> str:
    from engram_hooks.errors import StoreError
    from engram_hooks.hooks.call import Call
    from engram_hooks.paths import store_path
    from engram_hooks.store.connect import DatabaseError, explain, open_store

    call = None
    text = ""
    try:
        db = open_store(store_path(data))
        call = Call(db, data, event, environ=environ, payload=payload)
        room = __import__(f"engram_hooks.hooks.{event['name'].replace('-', '_')}", fromlist=("answer",))
        text = room.answer(call)
    except DeadlineError:
        if call is None or not call.is_applied:
            _postpone(event, data, environ)
        raise
    except DatabaseError as error:
        _recover(explain(error), call, event, data=data, environ=environ)
    except StoreError as error:
        _recover(error, call, event, data=data, environ=environ)
    if call is not None and call.wants_worker:
        start_worker(data, environ)
    return str(text)


def _recover(
    error: StoreError, call: object, event: dict[str, str], *, data: str, environ: Mapping[str, str]
) -> None:
    """A store that cannot be used now: the event waits in the spool; trouble that stays is flagged."""
    from engram_hooks.errors import StoreBusy, StoreMissing, StoreOutdated

    if not isinstance(error, StoreBusy | StoreMissing | StoreOutdated):
        _flag_trouble(data, error.message.split(":")[0])
    if not getattr(call, "is_applied", False):
        if isinstance(error, StoreMissing | StoreOutdated):
            from engram_hooks.sessions.spool import attach_rows

            attach_rows(event)
        _postpone(event, data, environ)


def _postpone(event: dict[str, str], data: str, environ: Mapping[str, str]) -> None:
    from engram_hooks.sessions.spool import write_event

    if event["session"] and write_event(data, event):
        start_worker(data, environ)


def start_worker(data: str, environ: Mapping[str, str]) -> None:
    """Start the worker where none is at work."""
    from engram_hooks import spawn

    if not spawn.is_worker_running(data):
        spawn.start_worker(data, dict(environ))


def read_payload(fd: int) -> dict[str, object] | None:
    """The JSON object on a descriptor, acted on as soon as it is complete; None where there is none.

    All bytes up to its end are read, so that the writer never meets a closed pipe. A pipe that stays open
    without one is left through the deadline.
    """
    from engram_hooks.jsontext import parse_prefix

    if os.isatty(fd):
        return None
    data = b""
    tried_bytes = 0
    while len(data) <= MAX_PAYLOAD_BYTES:
        part = os.read(fd, READ_BYTES)
        data = data + part if data else part
        if part and (part.rstrip()[-1:] != b"}" or (tried_bytes * 2 > len(data) and _is_readable(fd))):
            continue
        tried_bytes = len(data)
        try:
            value, _ = parse_prefix(data)
        except ValueError:
            value = None
        if isinstance(value, dict):
            return value
        if not part or value is not None:
            break
    return None


def _is_readable(fd: int) -> bool:
    """Whether more stands ready at once; asked only where an object seemed complete and was not."""
    if os.name == "nt":
        return False
    from select import select

    return bool(select([fd], [], [], 0)[0])


def write_all(fd: int, data: bytes) -> None:
    """Write all bytes; a reader that is gone is no concern of ours."""
    try:
        while data:
            data = data[os.write(fd, data) :]
    except OSError:
        return


def set_deadline(after_ms: int) -> None:
    """Raise `DeadlineError` in this process after a time, where the system has interval timers."""
    try:
        import _signal  # type: ignore[import-not-found]  # the public module brings enum

        _signal.signal(_signal.SIGALRM, _raise_deadline)
        _signal.setitimer(_signal.ITIMER_REAL, after_ms / 1000)
    except (ImportError, AttributeError, ValueError):
        return


def _raise_deadline(signum: int, frame: object) -> None:
    raise DeadlineError


def _describe(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f" at {os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}" if trace else ""
    return f"{type(error).__name__}: {error}{where}"


def _note_failure(data: str, event_name: str, text: str) -> None:
    try:
        from engram_hooks.store.trouble import note_failure

        note_failure(data, event_name, text, now_ms=int(time.time() * 1000))
    except Exception:
        return


def _flag_trouble(data: str, text: str) -> None:
    try:
        from engram_hooks.store.trouble import flag

        flag(data, text)
    except OSError:
        return
