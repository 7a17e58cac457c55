"""Do the files of core memory say what is told?"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from engram_hooks.client.findings import Finding
from engram_hooks.errors import StoreError
from engram_hooks.paths import store_path
from engram_hooks.sessions import core_mirror
from engram_hooks.store import settings
from engram_hooks.store.connect import open_store
from engram_hooks.store.core import BLOCKS

BUSY_MS = 2_000


def check_core(data: Path, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Findings about the files of both blocks; none where the store cannot be read. Changes nothing."""
    folder = str(data)
    try:
        db = open_store(store_path(folder), busy_ms=BUSY_MS)
        try:
            knobs = settings.read(db, 0, environ)
            pending = {
                block: core_mirror.find_pending(db, folder, block, core_mirror.cap_of(knobs, block))
                for block in BLOCKS
            }
        finally:
            db.close()
    except StoreError:  # other findings say so
        return
    for block, fault in pending.items():
        if fault:
            path = core_mirror.file_of(folder, block)
            yield Finding("core-refused", f"{path} is not taken over: {fault}", f"engram core show {block}")
        conflict = core_mirror.conflict_of(folder, block)
        if os.path.exists(conflict):
            text = f"{conflict} holds what lost when file and store were both changed"
            yield Finding("core-conflict", text, f"engram core show {block}")
