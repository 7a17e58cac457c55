"""`engram statusline`: the same line as the script that the client runs."""

from __future__ import annotations

import os

from engram_hooks.paths import read_small, store_path
from engram_hooks.recall.statusline import render
from engram_hooks.sessions.ready import ready_path
from engram_hooks.sessions.tail import file_size
from engram_hooks.store.connect import HEADER
from engram_hooks.store.trouble import FLAG_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def render_line(payload: dict[str, object], data: str, environ: Mapping[str, str]) -> str:
    """The status line for the client's payload, from the files that hooks leave behind."""
    session, transcript = payload.get("session_id"), payload.get("transcript_path")
    path = ready_path(data, session) if isinstance(session, str) else ""
    ready = read_small(path) if path else ""
    size = file_size(transcript) if isinstance(transcript, str) else -1
    columns = environ.get("COLUMNS", "")
    return render(
        ready or None,
        transcript_size=size if size >= 0 else None,
        trouble=_trouble(data),
        columns=int(columns) if columns.isdigit() else 0,
        color="NO_COLOR" not in environ,
    )


def _trouble(data: str) -> str:
    text = read_small(os.path.join(data, FLAG_NAME)).partition("\n")[0].strip()
    if text:
        return text
    path = store_path(data)
    if not os.path.exists(path):
        return ""
    head = read_small(path, max_bytes=len(HEADER)).encode("utf-8", "surrogateescape")
    return "" if head == HEADER else "store damaged"
