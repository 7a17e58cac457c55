"""The book of changes as it is asked: the newest entries, of one record, one actor, one sort of change."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from engram_hooks.jsontext import loads

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from sqlite3 import Connection
    from typing import Any

NAMES = (
    *("id", "created_at", "actor", "action", "record_id", "kind", "project_id", "summary"),
    *("before", "after", "reason"),
)


def list_all(
    db: Connection,
    *,
    record_id: int | None = None,
    project_ids: Sequence[int] | None = None,
    since_ms: int = 0,
    actor: str = "",
    action: str = "",
    limit: int = 20,
) -> list[dict[str, Any]]:
    """Changes, newest first, as dicts of `NAMES`; kind, project and summary are those of the record today.

    `project_ids` keeps the records of other projects out; changes of no record (core memory, settings, projects)
    and of records that are gone belong to all. `action` is its beginning, `created_at` in ms UTC. `before` and
    `after` are dicts; what was forgotten for good is only a hash.
    """
    marks = ", ".join("?" * len(project_ids or ()))
    where = [
        "a.created_at >= ?",
        "a.record_id = ?" if record_id is not None else "1",
        "a.actor = ?" if actor else "1",
        "substr(a.action, 1, length(?)) = ?" if action else "1",
        f"(r.id IS NULL OR r.project_id IN ({marks}))" if project_ids is not None else "1",
    ]
    values: list[object] = [since_ms]
    values += [record_id] if record_id is not None else []
    values += [actor] if actor else []
    values += [action, action] if action else []
    values += project_ids or ()
    rows = db.execute(
        "SELECT a.id, a.created_at, a.actor, a.action, a.record_id, r.kind, r.project_id, r.summary, a.before,"  # noqa: S608
        " a.after, a.reason FROM audit a LEFT JOIN records r ON r.id = a.record_id"
        f" WHERE {' AND '.join(where)} ORDER BY a.id DESC",
        tuple(values),
    )
    entries = (_decode(dict(zip(NAMES, row, strict=True))) for row in rows)
    own = (entry for entry in entries if project_ids is None or _belongs_to(entry, project_ids))
    return list(islice(own, limit))


def is_gone(db: Connection, record_id: int) -> bool:
    """Whether the book names a record that there is no more."""
    row = db.execute(
        "SELECT 1 FROM audit WHERE record_id = ?1 AND NOT EXISTS (SELECT 1 FROM records WHERE id = ?1) LIMIT 1",
        (record_id,),
    )
    return row.fetchone() is not None


def list_compacted(db: Connection, *, first_id: int, last_id: int) -> list[str]:
    """The core blocks that were compacted in a stretch of the book: behind entry `first_id`, up to `last_id`."""
    rows = db.execute(
        "SELECT after FROM audit WHERE id > ? AND id <= ? AND action = 'core compact' ORDER BY id",
        (first_id, last_id),
    )
    found = (_decode({"before": "", "after": after})["after"].get("block", "") for (after,) in rows)
    return [block for block in dict.fromkeys(found) if block]


def _belongs_to(entry: Mapping[str, Any], project_ids: Sequence[int]) -> bool:
    """Whether an entry of no record names one of these projects, or none; that a project has a name is no secret."""
    project = entry["after"].get("project", entry["before"].get("project"))
    return project is None or project in project_ids or entry["action"].endswith(" project")


def _decode(row: dict[str, Any]) -> dict[str, Any]:
    for name in ("before", "after"):
        try:
            value = loads(row[name]) if row[name] else {}
        except ValueError:  # a sentence, or a hash where the text was forgotten
            value = {"text": row[name]}
        row[name] = value if isinstance(value, dict) else {"text": value}
    return row
