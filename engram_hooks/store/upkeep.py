"""What consolidation asks the store: records that are told or wait, when each was last seen, what sessions did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engram_hooks.store.log import pack_uuid
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Connection

    Row = dict[str, Any]  # Any: column name -> a value of that column's type

COLUMNS = (
    *("id", "kind", "scope", "project_id", "branch", "paths", "summary", "tags", "status", "importance"),
    *("confidence", "is_pinned", "valid_from", "valid_to", "created_at", "updated_at", "source"),
    *("evidence_count", "use_count", "ignored_count", "last_used_at", "parent_id"),
)
# whose entries in the book of changes show that somebody cares for a record
PEOPLE = "person", "import", "review"
_MAX_IDS = 500


def list_rows(
    db: Connection,
    statuses: Sequence[str],
    *,
    project_id: int | None = None,
    changed_after: int = -1,
) -> list[Row]:
    """Records of these statuses, in the order of their ids, without their details.

    `changed_after` (ms UTC) leaves out what was not changed since; project None stands for all.
    """
    marks = ", ".join("?" * len(statuses))
    rows = db.execute(
        f"SELECT {', '.join(COLUMNS)} FROM records WHERE status IN ({marks})"  # noqa: S608 (own column names)
        " AND (? IS NULL OR project_id = ?) AND updated_at > ? ORDER BY id",
        (*statuses, project_id, project_id, changed_after),
    )
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


def last_seen(db: Connection, record_ids: Sequence[int]) -> dict[int, int]:
    """When somebody last spoke for each record (ms UTC): new evidence, or what a person or an import did to it."""
    people = ", ".join("?" * len(PEOPLE))
    found: dict[int, int] = {}
    for start in range(0, len(record_ids), _MAX_IDS):
        part = tuple(record_ids[start : start + _MAX_IDS])
        marks = ", ".join("?" * len(part))
        evidence = f"SELECT record_id, max(created_at) FROM evidence WHERE record_id IN ({marks}) GROUP BY 1"  # noqa: S608
        acts = (
            f"SELECT record_id, max(created_at) FROM audit WHERE record_id IN ({marks}) AND actor IN ({people})"  # noqa: S608
            " GROUP BY 1"
        )
        for record_id, at_ms in (*db.execute(evidence, part), *db.execute(acts, (*part, *PEOPLE))):
            found[record_id] = max(at_ms, found.get(record_id, 0))
    return found


def sum_use(db: Connection) -> dict[int, tuple[float, float]]:
    """(used, ignored) of every record that was judged in some project: decayed counts of turns, summed up."""
    rows = db.execute("SELECT record_id, sum(used), sum(ignored) FROM usage GROUP BY record_id")
    return {record_id: (used, ignored) for record_id, used, ignored in rows}


def restored_ids(db: Connection) -> frozenset[int]:
    """Records that a person brought back: what was done to them is not done a second time."""
    rows = db.execute("SELECT DISTINCT record_id FROM audit WHERE action IN ('restore', 'undo')")
    return frozenset(row[0] for row in rows)


def sessions_of_evidence(db: Connection, record_ids: Sequence[int]) -> dict[int, set[int]]:
    """The sessions whose log lines each record rests on."""
    found: dict[int, set[int]] = {}
    for start in range(0, len(record_ids), _MAX_IDS):
        part = record_ids[start : start + _MAX_IDS]
        marks = ", ".join("?" * len(part))
        rows = db.execute(
            f"SELECT record_id, ref FROM evidence WHERE kind = 'log' AND record_id IN ({marks})",  # noqa: S608
            tuple(part),
        ).fetchall()
        for record_id, ref in rows:
            line = db.execute("SELECT session_id FROM log WHERE uuid = ?", (pack_uuid(ref),)).fetchone()
            if line:
                found.setdefault(record_id, set()).add(line[0])
    return found


def rests_on(db: Connection, record_id: int, uuid: str) -> bool:
    """Whether a record has a line of the log as evidence."""
    row = db.execute(
        "SELECT 1 FROM evidence WHERE record_id = ? AND kind = 'log' AND ref = ?", (record_id, uuid)
    ).fetchone()
    return row is not None


def said_after(db: Connection, log_id: int, *, limit: int) -> list[tuple[int, bytes, int, int, str, int]]:
    """What users said behind a log row: (id, uuid, session id, project id, text, moment), oldest first."""
    return db.execute(
        "SELECT l.id, l.uuid, l.session_id, s.project_id, plain(l.text), l.created_at"
        " FROM log l JOIN sessions s ON s.id = l.session_id"
        " WHERE l.id > ? AND l.role = 'user' AND l.agent = '' ORDER BY l.id LIMIT ?",
        (log_id, limit),
    ).fetchall()


def failures_of(db: Connection, session_id: int, *, limit: int) -> list[tuple[str, str]]:
    """(command, error) of what failed in a session, the most frequent first."""
    return db.execute(
        "SELECT command, error FROM tool_events WHERE session_id = ? AND outcome = 'failed' AND command <> ''"
        " ORDER BY repeat_count DESC, updated_at DESC LIMIT ?",
        (session_id, limit),
    ).fetchall()


def reworked_files(
    db: Connection, *, since_ms: int, min_sessions: int
) -> list[tuple[int, str, str, int, int]]:
    """Files that several sessions edited since a moment: (project id, path, session ids, first, last moment).

    The session ids are separated by commas; paths are those of the checkouts where the edits were made. What the most
    sessions edited, most often, comes first.
    """
    return db.execute(
        "SELECT s.project_id, CASE WHEN s.root <> '' AND substr(t.target, 1, length(s.root) + 1) = s.root || '/'"
        " THEN substr(t.target, length(s.root) + 2) ELSE t.target END AS path,"
        " group_concat(DISTINCT t.session_id), min(t.updated_at), max(t.updated_at)"
        " FROM tool_events t JOIN sessions s ON s.id = t.session_id"
        " WHERE t.updated_at >= ? AND t.target <> '' AND t.outcome IN ('ok', 'started') AND s.project_id <> 0"
        " AND t.tool IN ('Edit', 'Write', 'MultiEdit', 'NotebookEdit')"
        " GROUP BY s.project_id, path HAVING count(DISTINCT t.session_id) >= ?"
        " ORDER BY s.project_id, count(DISTINCT t.session_id) DESC, count(*) DESC, path",
        (since_ms, min_sessions),
    ).fetchall()


def sessions_with_failures(db: Connection, session_ids: Sequence[int]) -> set[int]:
    """Those of some sessions in which a check or another command failed."""
    marks = ", ".join("?" * len(session_ids))
    rows = db.execute(
        f"SELECT session_id FROM check_runs WHERE outcome = 'failed' AND session_id IN ({marks})"  # noqa: S608
        f" UNION SELECT session_id FROM tool_events WHERE outcome = 'failed' AND session_id IN ({marks})",
        (*session_ids, *session_ids),
    )
    return {row[0] for row in rows}


def last_activity_at(db: Connection) -> int:
    """When something was last said or done in any session (ms UTC), 0 for never."""
    newest = [
        db.execute(f"SELECT {column} FROM {table} ORDER BY id DESC LIMIT 1").fetchone()  # noqa: S608 (own names)
        for table, column in (("prompts", "created_at"), ("log", "created_at"), ("tool_events", "updated_at"))
    ]
    return max((int(row[0]) for row in newest if row), default=0)


def is_turn_running(db: Connection, *, since_ms: int) -> bool:
    """Whether a turn is under way that began or was heard of since a moment."""
    row = db.execute(
        "SELECT 1 FROM sessions WHERE is_running AND last_at >= ? LIMIT 1", (since_ms,)
    ).fetchone()
    return row is not None


def drop_evidence_of(db: Connection, record_id: int, other_id: int, *, since_ms: int) -> int:
    """Take from a record the evidence that it got since a moment and another has, too; returns how much."""
    with Transaction(db):
        done = db.execute(
            "DELETE FROM evidence WHERE record_id = ?1 AND created_at >= ?3 AND EXISTS (SELECT 1 FROM evidence o"
            " WHERE o.record_id = ?2 AND o.kind = evidence.kind AND o.ref = evidence.ref)",
            (record_id, other_id, since_ms),
        ).rowcount
        db.execute(
            "UPDATE records SET evidence_count = max(0, evidence_count - ?) WHERE id = ?", (done, record_id)
        )
    return done
