"""Numbers about what is kept, for people who ask how much it is."""

from __future__ import annotations

import os
from sqlite3 import Connection
from typing import Any

from engram_hooks.paths import store_path
from engram_hooks.store import counts, lookup


def collect(db: Connection, data: str, project_id: int, *, name: str) -> dict[str, Any]:
    """Records by status and kind, conversation, what was shown: of a project with the global layer."""
    both = list(dict.fromkeys((project_id, 0)))
    return {
        "project": name,
        "records": lookup.count_by_status(db, both, candidates_of=project_id),
        "kinds": counts.count_kinds(db, both),
        "global": sum(counts.count_kinds(db, [0]).values()),
        **counts.count_conversation(db, project_id),
        "shown": counts.count_shown(db, project_id),
        "store_bytes": os.stat(store_path(data)).st_size,
    }
