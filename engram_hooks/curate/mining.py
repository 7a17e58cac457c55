"""Candidates out of the log: what a session decided and nobody has written down yet."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from engram_hooks.curate.capture import UNBOUND_KINDS
from engram_hooks.sessions.candidates import extract
from engram_hooks.store import boot, log, records, sessions, tombstones
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from sqlite3 import Connection

CONTEXT_ROWS = 4
MAX_KNOWN = 2_000


def mine_session(db: Connection, session_id: int, *, now_ms: int) -> int:
    """Look through the session's new log rows and keep what is found as candidates; returns how many.

    The rows just before are read again as context (an answer needs its question). What is known, was
    captured, or was refused before is passed over.
    """
    mined = log.mined_until(db, session_id)
    rows = log.rows_after(db, session_id, mined, context=CONTEXT_ROWS)
    if not rows or rows[-1][0] <= mined:
        return 0
    known = boot.known_summaries(db, sessions.project_of(db, session_id), limit=MAX_KNOWN)
    fresh = {row[1] for row in rows if row[0] > mined}
    turns = [(uuid, role, text, at, "", "", "", "") for _, uuid, role, text, at in rows]
    found = [item for item in extract(turns, known=known) if item.uuid in fresh]
    added, origin = 0, _find_origin(db, session_id) if found else {}
    with Transaction(db):
        if log.mined_until(db, session_id) != mined:
            return 0  # another process was faster
        project_id = sessions.project_of(db, session_id)  # a merge may have moved the session meanwhile
        for item in found:
            if tombstones.is_buried(db, item.summary, project_id=project_id):
                continue
            fields = {
                "kind": item.kind,
                "project_id": project_id,
                "summary": item.summary,
                "detail": item.quote if item.quote != item.summary else "",
                "status": "candidate",
                "confidence": item.confidence,
                "trust": 0.5,
                "valid_from": item.at_ms or now_ms,
                "source": "log",
                "session_id": session_id,
                **({} if item.kind in UNBOUND_KINDS else origin),
            }
            record_id = records.insert(db, fields, now_ms=now_ms, actor="miner", reason=item.reason)
            records.add_evidence(db, record_id, "log", item.uuid, now_ms=now_ms)
            added += 1
        log.set_mined(db, session_id, rows[-1][0])
    return added


def _find_origin(db: Connection, session_id: int) -> dict[str, str]:
    """The scope and branch of what is noticed in a session of a feature branch, nothing on the mainline."""
    from engram_hooks.curate.ground.mainline import find_feature, scope_of

    project_id, root = sessions.project_of(db, session_id), sessions.root_of(db, session_id)
    feature = find_feature(db, project_id, root, os.environ)
    if not feature:
        return {}
    return {"branch": feature, "scope": scope_of(db, project_id, os.environ, kind="fact", feature=feature)}
