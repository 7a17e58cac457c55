"""Finding memories without full text: by the id people type, by filter, by chain."""

from __future__ import annotations

from engram_hooks.errors import EngramError
from engram_hooks.store.records import COLUMNS, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from sqlite3 import Connection
    from typing import Any

    Row = dict[str, Any]  # Any: column name -> a value of that column's type

_SELECT = f"SELECT {', '.join(COLUMNS)} FROM records"  # noqa: S608 (own column names)
MIN_UID_CHARS = 6


def find(db: Connection, ref: str) -> Row:
    """The record that `ref` names: `d12`, `12` or the start of a uid (6 digits or more).

    Raises `EngramError` where none or several fit.
    """
    text = ref.strip().strip("[]").lower()
    number = text[1:] if text[:1].isalpha() else text
    if number.isascii() and number.isdigit() and len(number) <= 18:
        found = _rows(db, f"{_SELECT} WHERE id = ?", (int(number),))
        if found:
            return found[0]
    if len(text) >= MIN_UID_CHARS and not text.strip("0123456789abcdef"):
        found = _rows(db, f"{_SELECT} WHERE uid >= ? AND uid < ? LIMIT 2", (text, text + "g"))
        if len(found) == 1:
            return found[0]
        if found:
            raise EngramError(f"several records begin with {text}", hint="give more digits, or the short id")
    raise EngramError(f"there is no record {ref.strip()[:40]}", hint="engram list")


def list_records(
    db: Connection,
    *,
    project_ids: Iterable[int],
    statuses: Sequence[str] = (),
    kinds: Sequence[str] = (),
    tag: str = "",
    candidates_of: int | None = None,
    limit: int = 0,
) -> list[Row]:
    """Records of these projects (0 is the global layer), newest first; empty filters let everything pass.

    `candidates_of` is the one project whose candidates count.
    """
    where, values = _in_projects(project_ids, candidates_of)
    for name, wanted in (("status", statuses), ("kind", kinds)):
        if wanted:
            part, more = _in(name, wanted)
            where, values = f"{where} AND {part}", values + more
    if tag:
        where, values = f"{where} AND instr(' ' || tags || ' ', ?)", [*values, f" {tag} "]
    tail = " LIMIT ?" if limit > 0 else ""
    return _rows(
        db,
        f"{_SELECT} WHERE {where} ORDER BY created_at DESC, id DESC{tail}",
        [*values, limit] if limit > 0 else values,
    )


def find_external(db: Connection, project_id: int, external_id: str) -> Row | None:
    """The record that an import brought in under `external_id`, None where it did not."""
    found = _rows(db, f"{_SELECT} WHERE project_id = ? AND external_id = ?", (project_id, external_id))
    return found[0] if found else None


def read_many(db: Connection, record_ids: Sequence[int]) -> list[Row]:
    """The records with these ids, in the order given; ids that are gone are left out."""
    found: dict[int, Row] = {}
    for start in range(0, len(record_ids), 500):
        part, values = _in("id", record_ids[start : start + 500])
        found.update((row["id"], row) for row in _rows(db, f"{_SELECT} WHERE {part}", values))
    return [found[record_id] for record_id in record_ids if record_id in found]


def read_chain(db: Connection, record_id: int) -> list[Row]:
    """All records of one chain of successors, oldest first, the record itself among them."""
    here = read(db, record_id)
    seen = {here["id"]}
    while here["superseded_by"] is not None and here["superseded_by"] not in seen:
        here = read(db, here["superseded_by"])
        seen.add(here["id"])
    chain, edge = [here], [here["id"]]
    seen = {here["id"]}
    while edge:
        part, values = _in("superseded_by", edge)
        before = [row for row in _rows(db, f"{_SELECT} WHERE {part}", values) if row["id"] not in seen]
        edge = [row["id"] for row in before]
        seen.update(edge)
        chain += before
    return sorted(chain, key=lambda row: (row["valid_from"], row["id"]))


def read_replaced(db: Connection, record_id: int) -> list[Row]:
    """The records that this one replaced, oldest first."""
    return _rows(db, f"{_SELECT} WHERE superseded_by = ? ORDER BY valid_from, id", (record_id,))


def list_evidence(db: Connection, record_id: int) -> list[Row]:
    """What a record rests on, oldest first: kind, ref, detail, created_at (ms UTC)."""
    found = db.execute(
        "SELECT kind, ref, detail, created_at FROM evidence WHERE record_id = ? ORDER BY id", (record_id,)
    ).fetchall()
    return [dict(zip(("kind", "ref", "detail", "created_at"), row, strict=True)) for row in found]


def count_by_status(
    db: Connection, project_ids: Iterable[int], *, candidates_of: int | None = None
) -> dict[str, int]:
    """How many records of these projects have which status; `candidates_of` as in `list_records`."""
    part, values = _in_projects(project_ids, candidates_of)
    return dict(
        db.execute(f"SELECT status, count(*) FROM records WHERE {part} GROUP BY status", values).fetchall()  # noqa: S608
    )


def _rows(db: Connection, sql: str, values: Sequence[object]) -> list[Row]:
    return [dict(zip(COLUMNS, row, strict=True)) for row in db.execute(sql, values).fetchall()]


def _in_projects(project_ids: Iterable[int], candidates_of: int | None) -> tuple[str, list[Any]]:
    where, values = _in("project_id", list(project_ids))
    if candidates_of is None:
        return where, values
    return f"{where} AND (status <> 'candidate' OR project_id = ?)", [*values, candidates_of]


def _in(column: str, values: Sequence[Any]) -> tuple[str, list[Any]]:
    return f"{column} IN ({', '.join('?' * len(values))})", list(values)
