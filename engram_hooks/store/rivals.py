"""Pairs of records that may set one thing to two values, until a person says what holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_hooks.store.records import TOLD

if TYPE_CHECKING:
    from collections.abc import Iterable
    from sqlite3 import Connection


def put_rivals(db: Connection, pairs: Iterable[tuple[int, int, float]], *, now_ms: int) -> int:
    """Keep (newer, older, cosine) pairs that nobody was asked about yet; returns how many are new."""
    before = db.total_changes
    db.executemany(
        "INSERT OR IGNORE INTO rivals (newer_id, older_id, cosine, created_at) VALUES (?, ?, ?, ?)",
        [(*pair, now_ms) for pair in pairs],
    )
    return db.total_changes - before


def list_open(db: Connection, project_id: int, *, limit: int) -> list[tuple[int, int]]:
    """(newer, older) of pairs of a project that are both told and not answered, the most alike first."""
    told = ", ".join(f"'{status}'" for status in TOLD)
    return db.execute(
        "SELECT p.newer_id, p.older_id FROM rivals p JOIN records n ON n.id = p.newer_id"  # noqa: S608 (own names)
        f" JOIN records o ON o.id = p.older_id WHERE NOT p.is_answered AND n.project_id = ? AND n.status IN ({told})"
        f" AND o.status IN ({told}) ORDER BY p.cosine DESC, p.newer_id LIMIT ?",
        (project_id, limit),
    ).fetchall()


def close(db: Connection, newer_id: int, older_id: int) -> bool:
    """Ask no more about a pair; whether it was open. Inside the caller's transaction."""
    done = db.execute(
        "UPDATE rivals SET is_answered = 1 WHERE newer_id = ? AND older_id = ? AND NOT is_answered",
        (newer_id, older_id),
    )
    return done.rowcount > 0
