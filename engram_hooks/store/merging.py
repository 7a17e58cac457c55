"""Two projects become one: every row of every table that belongs to a project moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_hooks.errors import EngramError, StoreError
from engram_hooks.store.attempts import erase_attempt
from engram_hooks.store.check import project_tables
from engram_hooks.store.invariants import erase_rule
from engram_hooks.store.meta import set_fact
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from sqlite3 import Connection

_FORWARD = "merged:"
# rows that may stand in the way of others: what they say is said by the target's own row
_REPEATABLE = frozenset(("project_keys", "settings", "settings_files", "usage", "branches"))
# rows of which the target has an equal: that of the source goes
_EQUALS = {
    "attempts": (
        "SELECT s.id FROM attempts AS s JOIN attempts AS t USING (change_key, fingerprint)"
        " WHERE s.project_id = ? AND t.project_id = ?",
        erase_attempt,
    ),
    "invariants": (
        "SELECT s.id FROM invariants AS s JOIN invariants AS t USING (file, name)"
        " WHERE s.project_id = ? AND t.project_id = ?",
        erase_rule,
    ),
}


def merge_projects(
    db: Connection, source_id: int, target_id: int, *, now_ms: int, actor: str = "engram", reason: str = ""
) -> int:
    """Move everything of one project to another and remove the first; returns how many rows moved.

    The tables are read from the schema, so that later ones are not forgotten. Where both hold an import
    with the same id, the moved one gets the source's uid behind it. Raises `EngramError` for projects that
    do not exist or are the same, `StoreError` (nothing is changed then) where a row cannot move.
    """
    if source_id == target_id or not source_id or not target_id:
        raise EngramError("a project cannot be merged with itself or with the global layer")
    with Transaction(db):
        source, target = _read(db, source_id), _read(db, target_id)
        moved = sum(_move(db, table, source_id, target_id) for table in project_tables(db))
        db.execute("DELETE FROM projects WHERE id = ?", (source_id,))
        db.execute(
            "UPDATE meta SET value = ? WHERE key LIKE 'merged:%' AND value = ?", (target_id, source_id)
        )
        set_fact(db, f"{_FORWARD}{source_id}", str(target_id))
        before, after = (
            f"project {one} {name} {uid}" for one, (name, uid) in ((source_id, source), (target_id, target))
        )
        db.execute(
            "INSERT INTO audit (actor, action, before, after, reason, created_at) VALUES (?, ?, ?, ?, ?, ?)",
            (actor, "merge projects", before, after, reason, now_ms),
        )
    return moved


def settle_strays(db: Connection) -> int:
    """Move rows that a process wrote for a project while it was merged away; returns how many.

    Looks first, so that nobody waits where there is none.
    """
    found = "SELECT substr(key, 8), value FROM meta WHERE key >= 'merged:' AND key < 'merged;'"
    forwards = [(int(source), int(target)) for source, target in db.execute(found)]
    tables = project_tables(db) if forwards else []
    strays = [(*way, table) for way in forwards for table in tables if _has_rows(db, table, way[0])]
    if not strays:
        return 0
    with Transaction(db):
        return sum(_move(db, table, source, target) for source, target, table in strays)


def _has_rows(db: Connection, table: str, project_id: int) -> bool:
    found = db.execute(f"SELECT 1 FROM {table} WHERE project_id = ? LIMIT 1", (project_id,))  # noqa: S608
    return found.fetchone() is not None


def _read(db: Connection, project_id: int) -> tuple[str, str]:
    row = db.execute("SELECT name, uid FROM projects WHERE id = ?", (project_id,)).fetchone()
    if row is None:
        raise EngramError(f"there is no project {project_id}", hint="engram projects list")
    return str(row[0]), str(row[1])


def _move(db: Connection, table: str, source_id: int, target_id: int) -> int:
    if table in _EQUALS:
        question, erase = _EQUALS[table]
        for (row_id,) in db.execute(question, (source_id, target_id)).fetchall():
            erase(db, row_id)
    done = db.execute(
        f"UPDATE OR IGNORE {table} SET project_id = ? WHERE project_id = ?",  # noqa: S608 (read from the schema)
        (target_id, source_id),
    )
    moved = int(done.rowcount)
    if table == "records":
        moved += _move_imports(db, source_id, target_id)
    elif table in _REPEATABLE:
        db.execute(f"DELETE FROM {table} WHERE project_id = ?", (source_id,))  # noqa: S608
    left = db.execute(f"SELECT count(*) FROM {table} WHERE project_id = ?", (source_id,)).fetchone()[0]  # noqa: S608
    if left:
        raise StoreError(f"{left} rows of {table} cannot move to the other project", hint="engram doctor")
    return moved


def _move_imports(db: Connection, source_id: int, target_id: int) -> int:
    done = db.execute(
        "UPDATE records SET project_id = ?2, external_id = external_id || '@' || uid WHERE project_id = ?1",
        (source_id, target_id),
    )
    return int(done.rowcount)
