"""Does the user's own model answer, where one is set?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from engram_hooks.client.findings import Finding
from engram_hooks.curate.brain.report import read_status
from engram_hooks.errors import StoreError
from engram_hooks.paths import store_path
from engram_hooks.recall.fields import format_clock
from engram_hooks.store.connect import open_store

BUSY_MS = 2_000
MAX_COMMAND_CHARS = 60


def check_brain(data: Path, environ: Mapping[str, str], *, now_ms: int) -> Iterator[Finding]:
    """Findings about `brain.command`; none while it is off, or where the store cannot be read. Changes nothing."""
    try:
        db = open_store(store_path(str(data)), busy_ms=BUSY_MS)
        try:
            found = read_status(db, environ, now_ms=now_ms)
        finally:
            db.close()
    except StoreError:  # other findings say so
        return
    if found.state == "missing":
        text = f"the program of brain.command is not found: {found.command[:MAX_COMMAND_CHARS]}"
        yield Finding("brain-missing", text, "engram brain status")
    elif found.state == "resting":
        last = found.calls[0]
        why = f"{last['outcome']}, {last['reason']}" if last["reason"] else last["outcome"]
        until = format_clock(found.rests_until)
        text = f"the last calls of brain.command failed ({why}), so it is left alone until {until}"
        yield Finding("brain-resting", text, "engram brain test")
