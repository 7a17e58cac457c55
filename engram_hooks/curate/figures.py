"""Numbers about what is kept, for people who ask how much it is."""

from __future__ import annotations

import os
from sqlite3 import Connection
from typing import Any

from engram_hooks.curate.record import short_id
from engram_hooks.paths import store_path
from engram_hooks.store import counts, lookup

# from here on a record needs clearly better odds than others
HELD_BACK = -1.0
MAX_HELD_BACK = 20


def collect(db: Connection, data: str, project_id: int, *, name: str) -> dict[str, Any]:
    """Records by status and kind, conversation, what was shown and what came of it: here and in the global layer."""
    both = list(dict.fromkeys((project_id, 0)))
    return {
        "project": name,
        "records": lookup.count_by_status(db, both, candidates_of=project_id),
        "kinds": counts.count_kinds(db, both),
        "global": sum(counts.count_kinds(db, [0]).values()),
        **counts.count_conversation(db, project_id),
        "shown": counts.count_shown(db, project_id),
        "use": counts.count_use(db, project_id),
        **counts.count_silence(db, project_id),
        "held_back": _list_held_back(db, project_id),
        "store_bytes": os.stat(store_path(data)).st_size,
    }


def _list_held_back(db: Connection, project_id: int) -> list[dict[str, Any]]:
    """The records that were ignored so often that they are seldom shown, worst first."""
    rows = counts.list_held_back(db, project_id, below=HELD_BACK, limit=MAX_HELD_BACK)
    return [
        {"id": short_id(kind, number), "summary": summary, "standing": round(standing, 2)}
        for number, kind, summary, standing in rows
    ]
