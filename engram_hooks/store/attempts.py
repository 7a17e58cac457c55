"""Approaches that failed: kept once each, found again by file and by how they failed."""

from __future__ import annotations

from engram_hooks.jsontext import dumps, loads
from engram_hooks.store.packing import pack_text, unpack_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from sqlite3 import Connection
    from typing import Any

    # (id, outcome, intent, tool, faults, fingerprint, cure, note, branch, session, repeats, made at, changed at)
    Row = tuple[int, str, str, str, list[list[str]], str, str, str, str, int, int, int, int]
    # (path, symbols, lines that went, lines that came)
    File = tuple[str, list[str], list[str], list[str]]

# what a person decided stays
_DECIDED = "outcome = iif(attempts.decided_at, attempts.outcome, excluded.outcome)"
MAX_BY_FILE = 12
MAX_BY_FINGERPRINT = 4
_COLUMNS = (
    "a.id, a.outcome, a.intent, a.tool, a.faults, a.fingerprint, a.cure, a.note, a.branch, a.session_id,"
    " a.repeat_count, a.created_at, a.updated_at"
)


def attempts_on_file(db: Connection, project_id: int, path: str, *, limit: int = MAX_BY_FILE) -> list[Row]:
    """The abandoned approaches that changed a file, latest first."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM attempt_files AS f CROSS JOIN attempts AS a ON a.id = f.attempt_id"  # noqa: S608
        " WHERE f.path = ? AND a.project_id = ? AND a.outcome = 'abandoned' ORDER BY a.updated_at DESC, a.id LIMIT ?",
        (path, project_id, limit),
    )
    return [_read(row) for row in rows]


def attempts_with_fingerprint(
    db: Connection, project_id: int, fingerprint: str, *, limit: int = MAX_BY_FINGERPRINT
) -> list[Row]:
    """The decided approaches that failed in the same way, those with a cure first, then the latest."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM attempts AS a WHERE a.project_id = ? AND a.fingerprint = ?"  # noqa: S608
        " AND a.outcome IN ('abandoned', 'resolved') ORDER BY a.outcome DESC, a.updated_at DESC, a.id LIMIT ?",
        (project_id, fingerprint, limit),
    )
    return [_read(row) for row in rows]


def latest_attempts(db: Connection, project_id: int, *, outcome: str, limit: int) -> list[Row]:
    """The approaches of an outcome, latest first."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM attempts AS a WHERE a.project_id = ? AND a.outcome = ?"  # noqa: S608
        " ORDER BY a.updated_at DESC, a.id LIMIT ?",
        (project_id, outcome, limit),
    )
    return [_read(row) for row in rows]


def matching_attempts(
    db: Connection, project_id: int, query: str, *, limit: int, outcomes: Sequence[str] = ("abandoned",)
) -> list[Row]:
    """The approaches of some outcomes that a full-text query finds, best first."""
    marks = ", ".join("?" * len(outcomes))
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM attempts_fts AS t CROSS JOIN attempts AS a ON a.id = t.rowid"  # noqa: S608
        f" WHERE attempts_fts MATCH ? AND a.project_id = ? AND a.outcome IN ({marks}) ORDER BY t.rank LIMIT ?",
        (query, project_id, *outcomes, limit),
    )
    return [_read(row) for row in rows]


def read_attempt(db: Connection, attempt_id: int) -> tuple[int, Row] | None:
    """(project, the approach), None where there is none."""
    row = db.execute(
        f"SELECT a.project_id, {_COLUMNS} FROM attempts AS a WHERE a.id = ?",  # noqa: S608
        (attempt_id,),
    ).fetchone()
    return (row[0], _read(row[1:])) if row else None


def files_of(db: Connection, attempt_id: int) -> list[File]:
    """What an approach changed, file by file."""
    rows = db.execute(
        "SELECT path, symbols, removed, added FROM attempt_files WHERE attempt_id = ? ORDER BY path",
        (attempt_id,),
    )
    return [(path, _list(symbols), _lines(removed), _lines(added)) for path, symbols, removed, added in rows]


def put_attempt(
    db: Connection, values: Mapping[str, Any], files: Iterable[tuple[str, Sequence[str], Any, Any]]
) -> int:
    """Write an approach, or bring the equal one up to date; returns its id. The caller holds the transaction.

    `values` names the columns of the table; `files` are (path, symbols, packed lines that went, that came).
    A decision of a person (a note, `dropped` by hand) stays.
    """
    names = list(values)
    marks = ", ".join(f":{name}" for name in names)
    kept = [name for name in names if name not in {"project_id", "change_key", "fingerprint", "created_at"}]
    sets = ", ".join(_DECIDED if name == "outcome" else f"{name} = excluded.{name}" for name in kept)
    row = db.execute(
        f"INSERT INTO attempts ({', '.join(names)}) VALUES ({marks})"  # noqa: S608 (names of our own)
        f" ON CONFLICT (project_id, change_key, fingerprint) DO UPDATE SET {sets} RETURNING id",
        dict(values),
    ).fetchone()
    attempt_id = int(row[0])
    known = db.execute("SELECT 1 FROM attempt_files WHERE attempt_id = ?", (attempt_id,)).fetchone()
    if known is None:  # what equal approaches changed is equal; a file may have another name by now
        db.executemany(
            "INSERT OR IGNORE INTO attempt_files VALUES (?, ?, ?, ?, ?)",
            [
                (attempt_id, path, dumps(list(symbols)), removed, added)
                for path, symbols, removed, added in files
            ],
        )
    return attempt_id


def is_known(db: Connection, project_id: int, change_key: str, *, fingerprint: str) -> bool:
    """Whether an approach is kept."""
    row = db.execute(
        "SELECT 1 FROM attempts WHERE project_id = ? AND change_key = ? AND fingerprint = ?",
        (project_id, change_key, fingerprint),
    ).fetchone()
    return row is not None


def list_paths(db: Connection, project_id: int) -> list[str]:
    """The files that the approaches of a project changed."""
    rows = db.execute(
        "SELECT DISTINCT f.path FROM attempts AS a JOIN attempt_files AS f ON f.attempt_id = a.id"
        " WHERE a.project_id = ? ORDER BY f.path",
        (project_id,),
    )
    return [row[0] for row in rows]


def rename_file(db: Connection, project_id: int, path: str, new_path: str) -> None:
    """Keep what was tried on a file under its new path. The caller holds the transaction."""
    db.execute(
        "UPDATE OR IGNORE attempt_files SET path = ?3 WHERE path = ?2"
        " AND attempt_id IN (SELECT id FROM attempts WHERE project_id = ?1)",
        (project_id, path, new_path),
    )


def index_text(db: Connection, attempt_id: int, terms: str) -> None:
    """Make an approach findable by its terms, once: its words do not change. The caller holds the transaction."""
    done = db.execute(
        "UPDATE attempts SET terms = ? WHERE id = ? AND terms = ''", (pack_text(terms), attempt_id)
    )
    if done.rowcount:
        db.execute("INSERT INTO attempts_fts (rowid, text) VALUES (?, ?)", (attempt_id, terms))


def decide(db: Connection, attempt_id: int, *, outcome: str, note: str, now_ms: int) -> None:
    """Write what a person says of an approach; it stays so. The caller holds the transaction."""
    db.execute(
        "UPDATE attempts SET outcome = ?, note = ?, decided_at = ? WHERE id = ?",
        (outcome, note, now_ms, attempt_id),
    )


def delete_attempt(db: Connection, attempt_id: int) -> None:
    """Delete an approach with its lines and words, and the failed checks that it would be learned from again.

    The caller holds the transaction.
    """
    row = db.execute(
        "SELECT project_id, root, fingerprint FROM attempts WHERE id = ?", (attempt_id,)
    ).fetchone()
    if row is None:
        return
    db.execute("DELETE FROM check_runs WHERE project_id = ? AND root = ? AND fingerprint = ?", row)
    erase_attempt(db, attempt_id)


def erase_attempt(db: Connection, attempt_id: int) -> None:
    """Delete an approach with its lines and its words. The caller holds the transaction."""
    row = db.execute("SELECT terms FROM attempts WHERE id = ?", (attempt_id,)).fetchone()
    if row is None:
        return
    if row[0]:
        db.execute(
            "INSERT INTO attempts_fts (attempts_fts, rowid, text) VALUES ('delete', ?, ?)",
            (attempt_id, unpack_text(row[0])),
        )
    db.execute("DELETE FROM attempt_files WHERE attempt_id = ?", (attempt_id,))
    db.execute("DELETE FROM attempts WHERE id = ?", (attempt_id,))


def pack_faults(faults: Iterable[Sequence[str]]) -> str | bytes:
    """Faults as they are kept; the caller has redacted them."""
    return pack_text(dumps([list(fault) for fault in faults]))


def _read(row: Sequence[Any]) -> Row:
    return (*row[:4], _list(unpack_text(row[4])), row[5], unpack_text(row[6]), *row[7:])


def _list(text: str) -> list[Any]:
    value = loads(text)
    return value if isinstance(value, list) else []


def _lines(stored: str | bytes) -> list[str]:
    text = unpack_text(stored)
    return text.split("\n") if text else []
