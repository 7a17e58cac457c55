"""Writing memories: one function a change, each with its full text and its entry in the book of changes."""

from __future__ import annotations

import os

from engram_hooks.errors import EngramError
from engram_hooks.guard.firewall import look, name_order
from engram_hooks.guard.redact import redact
from engram_hooks.jsontext import mend
from engram_hooks.store.audit import add_entry
from engram_hooks.store.transactions import Transaction
from engram_hooks.terms import index_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Connection
    from typing import Any

    Fields = Mapping[str, Any]  # Any: column name -> a value of that column's type

COLUMNS = (
    *(
        "id",
        "uid",
        "external_id",
        "kind",
        "scope",
        "project_id",
        "branch",
        "paths",
        "summary",
        "detail",
        "tags",
    ),
    *("status", "importance", "confidence", "trust", "is_pinned", "valid_from", "valid_to", "created_at"),
    *("updated_at", "expired_at", "superseded_by", "parent_id", "status_reason", "source", "session_id"),
    *("evidence_count", "use_count", "ignored_count", "last_used_at", "looked_by"),
)
TEXTS = "summary", "detail", "tags"
TOLD = "active", "compacted"
QUARANTINED = "quarantined"
QUARANTINE_REASON = "reads as an order to an agent: "
_CHECKED = frozenset(("active", "compacted", "candidate", "needs_review"))
_REDACTED = (*TEXTS, "paths", "status_reason")
_REQUIRED = "kind", "project_id", "summary"
_FIXED = frozenset(("id", "uid", "created_at", "updated_at", "looked_by"))


def insert(db: Connection, fields: Fields, *, now_ms: int, actor: str, reason: str = "") -> int:
    """Store one memory and return its id.

    `fields` are columns of `records`; kind, project_id and summary are required, the rest has defaults
    (scope by the project, status active, valid from `now_ms`, source `actor`, a random uid). Texts are
    redacted here; what reads as an order to an agent is put aside (status quarantined). Raises `ValueError` for
    an unknown column or an empty summary.
    """
    _check_columns(fields)
    row = {name: _safe(name, value) for name, value in fields.items()}
    if any(row.get(name) is None for name in _REQUIRED) or not str(row["summary"]).strip():
        raise ValueError("a record needs a kind, a project and a summary")
    row.setdefault("uid", os.urandom(16).hex())
    row.setdefault("scope", "project" if row["project_id"] else "global")
    row.setdefault("status", "active")
    row.setdefault("valid_from", now_ms)
    row.setdefault("created_at", now_ms)
    row.setdefault("source", actor)
    row["updated_at"] = now_ms
    row |= _settle(row)
    row["looked_by"] = look(row["summary"])
    names = ", ".join(row)
    marks = ", ".join("?" * len(row))
    with Transaction(db):
        done = db.execute(f"INSERT INTO records ({names}) VALUES ({marks})", tuple(row.values()))  # noqa: S608 (own column names)
        record_id = int(done.lastrowid or 0)
        _feed(db, record_id, row)
        after = {name: row[name] for name in ("kind", "status", "summary", "detail", "tags") if row.get(name)}
        add_entry(db, record_id, "add", actor=actor, now_ms=now_ms, after=after, reason=reason)
    return record_id


def update(
    db: Connection,
    record_id: int,
    changes: Fields,
    *,
    now_ms: int,
    actor: str,
    reason: str = "",
    action: str = "edit",
) -> bool:
    """Change columns of one record; whether anything is different now.

    The full text follows in the same transaction. Texts that read as an order put the record aside, others take
    it back. Raises `EngramError` where there is no such record, `ValueError` for a column that never changes.
    """
    _check_columns(changes)
    if _FIXED & changes.keys():
        raise ValueError(f"these columns never change: {sorted(_FIXED & changes.keys())}")
    with Transaction(db):
        old = read(db, record_id)
        new = {name: _safe(name, value) for name, value in changes.items()}
        new = {name: value for name, value in new.items() if old[name] != value}
        if not new:
            return False
        if not str(new.get("summary", old["summary"])).strip():
            raise ValueError("a record needs a summary")
        if any(name in new for name in TEXTS):
            new |= _settle({**old, **new})
        looked = {"looked_by": look(new["summary"])} if "summary" in new else {}
        sets = ", ".join(f"{name} = ?" for name in (*new, *looked))
        db.execute(
            f"UPDATE records SET {sets}, updated_at = ? WHERE id = ?",  # noqa: S608 (own column names)
            (*new.values(), *looked.values(), now_ms, record_id),
        )
        if any(name in new for name in TEXTS):
            unfeed(db, old)
            _feed(db, record_id, {**old, **new})
        before = {name: old[name] for name in new}
        add_entry(db, record_id, action, actor=actor, now_ms=now_ms, before=before, after=new, reason=reason)
    return True


def set_status(
    db: Connection, record_id: int, status: str, *, now_ms: int, actor: str, reason: str = ""
) -> bool:
    """Move one record to another status; whether it had another one."""
    if read(db, record_id)["status"] == status:
        return False
    changes: dict[str, object] = {"status": status, "status_reason": reason}
    if status in ("retracted", "expired", "archived"):
        changes["expired_at"] = now_ms
    elif status in TOLD:
        changes["expired_at"] = None
    return update(
        db, record_id, changes, now_ms=now_ms, actor=actor, reason=reason, action=f"status {status}"
    )


def supersede(
    db: Connection, old_id: int, new_id: int, *, at_ms: int, now_ms: int, actor: str, reason: str = ""
) -> bool:
    """Close the validity of `old_id` at `at_ms` (ms UTC) and link the record that replaces it.

    Raises `EngramError` where that would make a record its own successor.
    """
    with Transaction(db):
        if old_id in _successors(db, new_id):
            raise EngramError(
                "a record cannot be superseded by what it replaced itself",
                hint=f"engram show {old_id}",
            )
        old = read(db, old_id)
        ends = [at_ms] if old["valid_to"] is None else [at_ms, old["valid_to"]]
        changes = {
            "status": "superseded",
            "superseded_by": new_id,
            "valid_to": max(min(ends), old["valid_from"]),
            "expired_at": now_ms,
            "status_reason": reason,
        }
        return update(db, old_id, changes, now_ms=now_ms, actor=actor, reason=reason, action="supersede")


def reinstate(db: Connection, record_id: int, *, now_ms: int, actor: str, reason: str = "") -> bool:
    """Make a superseded or retracted record true again, with open validity and no successor."""
    changes = {
        "status": "active",
        "superseded_by": None,
        "valid_to": None,
        "expired_at": None,
        "status_reason": reason,
    }
    return update(db, record_id, changes, now_ms=now_ms, actor=actor, reason=reason, action="reinstate")


def add_evidence(
    db: Connection, record_id: int, kind: str, ref: str, *, now_ms: int, detail: str = "", actor: str = ""
) -> bool:
    """Say what a record rests on; False where that is known. `kind` as listed in the schema.

    What a record is made with needs no entry in the book of changes; without `actor` later evidence of the kind
    `person` is the act of one.
    """
    with Transaction(db):
        done = db.execute(
            "INSERT OR IGNORE INTO evidence (record_id, kind, ref, detail, created_at)"
            " VALUES (?, ?, ?, ?, ?)",
            (record_id, kind, mend(redact(ref)), mend(redact(detail)), now_ms),
        )
        if done.rowcount <= 0:
            return False
        made = db.execute(
            "UPDATE records SET evidence_count = evidence_count + 1 WHERE id = ? RETURNING created_at",
            (record_id,),
        ).fetchone()
        if made and made[0] != now_ms:
            actor = actor or ("person" if kind == "person" else "engram")
            text = mend(redact(f"{kind} {ref}"))
            add_entry(db, record_id, "evidence", actor=actor, now_ms=now_ms, reason=text)
    return True


def read(db: Connection, record_id: int) -> dict[str, Any]:
    """One record as a dict of its columns. Raises `EngramError` where there is none."""
    found = db.execute(f"SELECT {', '.join(COLUMNS)} FROM records WHERE id = ?", (record_id,)).fetchone()  # noqa: S608
    if found is None:
        raise EngramError(f"there is no record {record_id}", hint="engram list")
    return dict(zip(COLUMNS, found, strict=True))


def unfeed(db: Connection, row: Fields) -> None:
    """Take a record's words out of the full text; `row` holds its id and the texts it was fed with."""
    db.execute(
        "INSERT INTO records_fts (records_fts, rowid, summary, detail, tags) VALUES ('delete', ?, ?, ?, ?)",
        (row["id"], *_terms(row)),
    )


def _feed(db: Connection, record_id: int, row: Fields) -> None:
    db.execute(
        "INSERT INTO records_fts (rowid, summary, detail, tags) VALUES (?, ?, ?, ?)",
        (record_id, *_terms(row)),
    )


def _terms(row: Fields) -> tuple[str, ...]:
    return tuple(index_terms(str(row.get(name) or "")) for name in TEXTS)


def _settle(row: Fields) -> dict[str, Any]:
    """The changes of status that the texts of a record ask for: put aside as an order, or taken back as none."""
    is_aside = row["status"] == QUARANTINED
    if not is_aside and row["status"] not in _CHECKED:
        return {}
    kind = name_order("\n\n".join(str(row[name]) for name in ("summary", "detail") if row.get(name)))
    if kind:
        return {"status": QUARANTINED, "status_reason": QUARANTINE_REASON + kind}
    is_ours = str(row.get("status_reason") or "").startswith(QUARANTINE_REASON)
    return {"status": "active", "status_reason": ""} if is_aside and is_ours else {}


def _safe(name: str, value: Any) -> Any:
    return mend(redact(value)) if name in _REDACTED and isinstance(value, str) else value


def _check_columns(fields: Fields) -> None:
    unknown = fields.keys() - set(COLUMNS)
    if unknown:
        raise ValueError(f"records have no column {sorted(unknown)}")


def _successors(db: Connection, record_id: int) -> set[int]:
    """The record and all that come after it in its chain."""
    seen: set[int] = set()
    here: int | None = record_id
    while here is not None and here not in seen:
        seen.add(here)
        found = db.execute("SELECT superseded_by FROM records WHERE id = ?", (here,)).fetchone()
        here = found[0] if found else None
    return seen
