"""Entities and relations: what is to be read, what was read, and what of it holds when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_hooks.guard.redact import redact
from engram_hooks.jsontext import mend
from engram_hooks.store.matching import quote_terms
from engram_hooks.store.record_search import ONCE
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from sqlite3 import Connection
    from typing import Any

    # (record id, status, summary, detail, paths)
    Waiting = tuple[int, str, str, str, str]
    # (norm, name, kind), (source norm, relation, target norm)
    ThingRow = tuple[str, str, str]
    LinkRow = tuple[str, str, str]
    # what was read, the things in it, their links
    Read = tuple[Waiting, Sequence[ThingRow], Sequence[LinkRow]]
    # (norm, name, kind, record id)
    Mention = tuple[str, str, str, int]
    # (source norm, relation, target norm, record id)
    Link = tuple[str, str, str, int]
    # record id, kind, summary, status, valid_from, valid_to, created_at, expired_at, scope, branch
    Holder = tuple[Any, ...]  # Any: columns of one SQL row, each of its own type

_MAX_NAMES = 100
_UNREAD = "candidate", "needs_review", "quarantined"
_HOLDER = "r.id, r.kind, r.summary, r.status, r.valid_from, r.valid_to, r.created_at, r.expired_at, r.scope, r.branch"


def list_waiting(db: Connection, *, limit: int) -> list[Waiting]:
    """Records that are to be read, the oldest first."""
    return db.execute(
        "SELECT r.id, r.status, r.summary, r.detail, r.paths FROM relation_todo t"
        " JOIN records r ON r.id = t.record_id ORDER BY t.record_id LIMIT ?",
        (limit,),
    ).fetchall()


def has_waiting(db: Connection) -> bool:
    """Whether any record is to be read."""
    return db.execute("SELECT 1 FROM relation_todo LIMIT 1").fetchone() is not None


def is_readable(status: str) -> bool:
    """Whether a record of this status says anything of what is or was: nothing that still waits for a person does."""
    return status not in _UNREAD


def keep_readings(db: Connection, readings: Sequence[Read], *, now_ms: int) -> tuple[int, int]:
    """Store what records say of things in place of what was known, in one transaction: (how many say something new,
    how many were read).

    Each reading comes with its row as it was read: a record that says something else by now stays in the queue.
    A name that holds a secret is left out; a link counts only where both its ends are among the things.
    """
    changed = done = 0
    with Transaction(db):
        for row, things, links in readings:
            now = db.execute(
                "SELECT id, status, summary, detail, paths FROM records WHERE id = ?", (row[0],)
            ).fetchone()
            if now == row:
                db.execute("DELETE FROM relation_todo WHERE record_id = ?", (row[0],))
                changed += _keep(db, row[0], things, links, now_ms=now_ms)
                done += 1
    return changed, done


def _keep(
    db: Connection, record_id: int, things: Sequence[ThingRow], links: Sequence[LinkRow], *, now_ms: int
) -> bool:
    safe = [(norm, mend(name), kind) for norm, name, kind in things if redact(name) == name]
    norms = {norm for norm, _, _ in safe}
    kept = {link for link in links if link[0] in norms and link[2] in norms}
    if set(safe) == _mentions_of(db, record_id) and kept == _links_of(db, record_id):
        return False
    ids = {norm: _find_entity(db, norm, now_ms=now_ms) for norm, _, _ in safe}
    _replace(db, record_id, [(ids[norm], name, kind) for norm, name, kind in safe])
    db.execute("DELETE FROM relations WHERE record_id = ?", (record_id,))
    db.executemany(
        "INSERT OR IGNORE INTO relations VALUES (?, ?, ?, ?)",
        [(ids[source], kind, ids[target], record_id) for source, kind, target in sorted(kept)],
    )
    return True


def list_names(db: Connection) -> frozenset[str]:
    """Names of one word that some record surely means as such: of tools, services and people."""
    return frozenset(
        row[0]
        for row in db.execute(
            "SELECT DISTINCT e.norm FROM entities e JOIN mentions m ON m.entity_id = e.id"
            " WHERE m.kind IN ('tool', 'service', 'person') AND instr(e.norm, ' ') = 0"
        )
    )


def requeue(db: Connection, name: str) -> None:
    """Let the newest records that hold a word, and do not mention it, be read again."""
    rows = db.execute(
        "SELECT r.id FROM records_fts JOIN records r ON r.id = records_fts.rowid WHERE records_fts MATCH ?1"
        " AND r.status NOT IN ('candidate', 'needs_review', 'quarantined')"
        " AND NOT EXISTS (SELECT 1 FROM mentions m JOIN entities e ON e.id = m.entity_id"
        " WHERE m.record_id = r.id AND e.norm = ?2) ORDER BY records_fts.rowid DESC LIMIT ?3",
        (quote_terms([name]), name, _MAX_NAMES),
    ).fetchall()
    if rows:
        with Transaction(db):
            db.executemany("INSERT OR IGNORE INTO relation_todo VALUES (?)", rows)


def read_holders(db: Connection, project_ids: Iterable[int]) -> list[Holder]:
    """The records of these projects that say or said something of things, with when they hold, oldest first."""
    where, values = _in_projects(project_ids)
    sql = (
        f"SELECT {_HOLDER} FROM records r WHERE {where}"  # noqa: S608 (own column names)
        " AND EXISTS (SELECT 1 FROM mentions m WHERE m.record_id = r.id) ORDER BY r.valid_from, r.id"
    )
    return db.execute(sql, values).fetchall()


def read_mentions(db: Connection, project_ids: Iterable[int]) -> list[Mention]:
    """What the records of these projects speak of."""
    where, values = _in_projects(project_ids)
    return db.execute(
        "SELECT e.norm, m.name, m.kind, m.record_id FROM records r JOIN mentions m ON m.record_id = r.id"  # noqa: S608
        f" JOIN entities e ON e.id = m.entity_id WHERE {where} ORDER BY m.record_id, e.id",
        values,
    ).fetchall()


def read_links(db: Connection, project_ids: Iterable[int]) -> list[Link]:
    """How things stand to each other by the records of these projects."""
    where, values = _in_projects(project_ids)
    return db.execute(
        "SELECT s.norm, l.kind, t.norm, l.record_id FROM records r"  # noqa: S608 (own column names)
        " JOIN relations l ON l.record_id = r.id JOIN entities s ON s.id = l.source_id"
        f" JOIN entities t ON t.id = l.target_id WHERE {where} ORDER BY l.record_id, s.norm, t.norm",
        values,
    ).fetchall()


def find_sharers(
    db: Connection, norms: Sequence[str], *, project_ids: Sequence[int], max_records: int
) -> dict[str, list[tuple[int, str]]]:
    """(record, name as it writes it) of all that mention each of these things, for those that few records mention.

    A thing that more than `max_records` of them mention is left out: it says little.
    """
    where, values = _in_projects(project_ids)
    found: dict[str, list[tuple[int, str]]] = {}
    for norm in norms:
        rows = db.execute(
            "SELECT m.record_id, m.name FROM entities e JOIN mentions m ON m.entity_id = e.id"  # noqa: S608
            f" JOIN records r ON r.id = m.record_id WHERE e.norm = ? AND {where} LIMIT ?",
            (norm, *values, max_records + 1),
        ).fetchall()
        if 0 < len(rows) <= max_records:
            found[norm] = [(int(number), str(name)) for number, name in rows]
    return found


def find_known(db: Connection, norms: Sequence[str]) -> list[str]:
    """Those of these names that any record speaks of, in the same order."""
    chosen = list(norms)[:_MAX_NAMES]
    marks = ", ".join("?" * len(chosen))
    found = {row[0] for row in db.execute(f"SELECT norm FROM entities WHERE norm IN ({marks})", chosen)}  # noqa: S608
    return [norm for norm in chosen if norm in found]


def find_mentioned(db: Connection, record_ids: Sequence[int]) -> list[str]:
    """The things that these records speak of, those of the first record first."""
    found: dict[str, None] = {}
    for record_id in record_ids:
        rows = db.execute(
            "SELECT e.norm FROM mentions m JOIN entities e ON e.id = m.entity_id WHERE m.record_id = ? ORDER BY e.id",
            (record_id,),
        )
        found |= dict.fromkeys(row[0] for row in rows)
    return list(found)


def find_beside(db: Connection, norms: Sequence[str], *, project_ids: Sequence[int]) -> list[str]:
    """The things that stand to these by a relation that a record of these projects says, in either direction."""
    where, values = _in_projects(project_ids)
    found: dict[str, None] = {}
    for own, other in (("source_id", "target_id"), ("target_id", "source_id")):
        for norm in norms:
            rows = db.execute(
                f"SELECT o.norm FROM entities e JOIN relations l ON l.{own} = e.id"  # noqa: S608 (own names)
                f" JOIN entities o ON o.id = l.{other} JOIN records r ON r.id = l.record_id"
                f" WHERE e.norm = ? AND {where} ORDER BY r.id DESC LIMIT ?",
                (norm, *values, _MAX_NAMES),
            )
            found |= dict.fromkeys(row[0] for row in rows)
    return [norm for norm in found if norm not in norms]


def _in_projects(project_ids: Iterable[int]) -> tuple[str, list[object]]:
    """The condition on `records r` that leaves what is or was true in these projects, and its values."""
    projects = list(project_ids)
    marks = ", ".join("?" * len(projects))
    statuses = ", ".join("?" * len(ONCE))
    return f"r.project_id IN ({marks}) AND r.status IN ({statuses})", [*projects, *ONCE]


def _find_entity(db: Connection, norm: str, *, now_ms: int) -> int:
    db.execute("INSERT OR IGNORE INTO entities (norm, created_at) VALUES (?, ?)", (norm, now_ms))
    return int(db.execute("SELECT id FROM entities WHERE norm = ?", (norm,)).fetchone()[0])


def _mentions_of(db: Connection, record_id: int) -> set[ThingRow]:
    return set(
        db.execute(
            "SELECT e.norm, m.name, m.kind FROM mentions m JOIN entities e ON e.id = m.entity_id WHERE m.record_id = ?",
            (record_id,),
        ).fetchall()
    )


def _links_of(db: Connection, record_id: int) -> set[LinkRow]:
    return set(
        db.execute(
            "SELECT s.norm, l.kind, t.norm FROM relations l JOIN entities s ON s.id = l.source_id"
            " JOIN entities t ON t.id = l.target_id WHERE l.record_id = ?",
            (record_id,),
        ).fetchall()
    )


def _replace(db: Connection, record_id: int, rows: Sequence[tuple[int, str, str]]) -> None:
    """Set the mentions of a record; what nobody mentions any more goes by itself."""
    db.executemany(
        "INSERT INTO mentions VALUES (?, ?, ?, ?) ON CONFLICT (entity_id, record_id)"
        " DO UPDATE SET kind = excluded.kind, name = excluded.name",
        [(entity_id, record_id, kind, name) for entity_id, name, kind in rows],
    )
    kept = [entity_id for entity_id, _, _ in rows]
    marks = ", ".join("?" * len(kept))
    db.execute(
        f"DELETE FROM mentions WHERE record_id = ? AND entity_id NOT IN ({marks})",  # noqa: S608 (marks alone)
        (record_id, *kept),
    )
