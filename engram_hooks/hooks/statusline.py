"""`engram statusline`: the same line as the script that the client runs."""

from __future__ import annotations

import os

from engram_hooks.paths import file_size, is_off, read_small, store_path
from engram_hooks.recall.statusline import GENERIC_TROUBLE, parse_ready, render
from engram_hooks.sessions.ready import ready_path
from engram_hooks.store.connect import HEADER
from engram_hooks.store.trouble import FLAG_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_COLUMN_DIGITS = 5


def render_line(payload: dict[str, object], data: str, environ: Mapping[str, str]) -> str:
    """The status line for the client's payload, from the files that hooks leave behind."""
    session, transcript = payload.get("session_id"), payload.get("transcript_path")
    path = ready_path(data, session) if isinstance(session, str) else ""
    ready = read_small(path) if path else ""
    size = max(file_size(transcript), 0) if isinstance(transcript, str) and transcript else None
    columns = environ.get("COLUMNS", "")
    return render(
        ready or None,
        transcript_size=size,
        trouble=_find_trouble(data, is_ready=parse_ready(ready) is not None),
        columns=int(columns) if columns.isdigit() and len(columns) <= MAX_COLUMN_DIGITS else 0,
        color=not environ.get("NO_COLOR") and environ.get("TERM") != "dumb",
        off=is_off(data),
    )


def _find_trouble(data: str, *, is_ready: bool) -> str:
    """The flag that a hook or command left, else what is wrong with the store at first sight."""
    flag = os.path.join(data, FLAG_NAME)
    if os.path.isfile(flag):
        return read_small(flag).partition("\n")[0].strip(" \t") or GENERIC_TROUBLE
    path = store_path(data)
    if not os.path.exists(path):
        return "store missing" if is_ready else ""
    if not os.access(path, os.R_OK):
        return "store not readable"
    head = read_small(path, max_bytes=len(HEADER)).encode("utf-8", "surrogateescape")
    return "" if head == HEADER else "store damaged"
