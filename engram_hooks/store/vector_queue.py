"""Writing vectors: which models there are, which records wait for a vector, and the vectors themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from collections.abc import Iterable
    from sqlite3 import Connection

    # (entry id, record id, project id, summary, tags, detail)
    Waiting = tuple[int, int, int, str, str, str]
    # (entry id, record id, project id, sign bits, stored vector)
    Made = tuple[int, int, int, bytes, bytes]

_TABLES = "vectors", "vector_todo", "vector_segments"
_IS_TOLD = "status IN ('active', 'compacted')"


def add_model(db: Connection, name: str, fingerprint: str, *, dims: int, is_hot: bool, now_ms: int) -> int:
    """Register a model and let all records that are told wait for its vectors; the first one answers at once.

    Returns its id; a known one is left as it is.
    """
    with Transaction(db):
        known = db.execute("SELECT id FROM vector_models WHERE fingerprint = ?", (fingerprint,)).fetchone()
        if known:
            return int(known[0])
        is_first = db.execute("SELECT 1 FROM vector_models WHERE is_serving").fetchone() is None
        done = db.execute(
            "INSERT INTO vector_models (name, fingerprint, dims, is_hot, is_serving, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (name, fingerprint, dims, int(is_hot), int(is_first), now_ms),
        )
        model_id = int(done.lastrowid or 0)
        requeue(db, model_id)
    return model_id


def drop_model(db: Connection, model_id: int) -> None:
    """Remove a model with all its vectors. The caller holds the transaction, or none is needed."""
    with Transaction(db):
        for table in _TABLES:
            db.execute(f"DELETE FROM {table} WHERE model_id = ?", (model_id,))  # noqa: S608 (own names)
        db.execute("DELETE FROM vector_models WHERE id = ?", (model_id,))


def promote_model(db: Connection, model_id: int) -> bool:
    """Let a model answer from now on if no record waits for its vectors; the others are dropped."""
    with Transaction(db):
        if db.execute("SELECT 1 FROM vector_todo WHERE model_id = ? LIMIT 1", (model_id,)).fetchone():
            return False
        others = db.execute("SELECT id FROM vector_models WHERE id <> ?", (model_id,)).fetchall()
        for (other_id,) in others:
            drop_model(db, other_id)
        db.execute("UPDATE vector_models SET is_serving = 1 WHERE id = ?", (model_id,))
    return True


def requeue(db: Connection, model_id: int, *, project_id: int | None = None) -> None:
    """Let all records that are told (of one project, where given) wait for a vector of a model."""
    db.execute(
        "INSERT OR IGNORE INTO vector_todo (model_id, record_id) SELECT ?1, id FROM records"  # noqa: S608
        f" WHERE {_IS_TOLD} AND (?2 IS NULL OR project_id = ?2) ORDER BY id",
        (model_id, project_id),
    )


def list_waiting(db: Connection, model_id: int, *, limit: int) -> list[Waiting]:
    """Records that wait for a vector of a model, with their texts, the newest records first."""
    return db.execute(
        "SELECT t.id, r.id, r.project_id, r.summary, r.tags, r.detail"
        " FROM vector_todo t JOIN records r ON r.id = t.record_id"
        " WHERE t.model_id = ? ORDER BY t.record_id DESC LIMIT ?",
        (model_id, limit),
    ).fetchall()


def count_waiting(db: Connection, model_id: int) -> int:
    """How many records wait for a vector of a model."""
    row = db.execute("SELECT count(*) FROM vector_todo WHERE model_id = ?", (model_id,)).fetchone()
    return int(row[0])


def sample_summaries(db: Connection, *, limit: int) -> list[str]:
    """The summaries of the newest records that are told, of all projects."""
    rows = db.execute(f"SELECT summary FROM records WHERE {_IS_TOLD} ORDER BY id DESC LIMIT ?", (limit,))  # noqa: S608
    return [str(summary) for (summary,) in rows]


def put_vectors(db: Connection, model_id: int, made: Iterable[Made]) -> int:
    """Store vectors for entries of `list_waiting`; returns how many entries are done.

    An entry that was renewed or done by another process meanwhile is passed over. An empty vector (no word
    of the record is known) only ends the waiting.
    """
    done = 0
    with Transaction(db):
        for entry_id, record_id, project_id, signs, stored in made:
            if not db.execute("DELETE FROM vector_todo WHERE id = ?", (entry_id,)).rowcount:
                continue
            done += 1
            if stored:
                db.execute(
                    "INSERT OR REPLACE INTO vectors (record_id, model_id, project_id, signs, stored)"
                    " VALUES (?, ?, ?, ?, ?)",
                    (record_id, model_id, project_id, signs, stored),
                )
    return done
