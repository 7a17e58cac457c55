"""Reading vectors: which model answers, what can be scanned for a project, and what of it may be told."""

from __future__ import annotations

from engram_hooks.store.segments import Segment, file_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from sqlite3 import Connection

    # (id, name, fingerprint, dims, whether hooks can encode with it, whether it answers)
    Model = tuple[int, str, str, int, bool, bool]
    # (record id, sign bits, stored vector)
    TailRow = tuple[int, bytes, bytes]

_MODEL = "SELECT id, name, fingerprint, dims, is_hot, is_serving FROM vector_models"
_MAX_IDS = 200


class Scan:
    """What can be searched for a project: open segments, the tail, and `keep`, which filters what is found.

    To be closed after use.
    """

    def __init__(self, db: Connection, model: Model, project_ids: Sequence[int]) -> None:
        self._db = db
        self._project_ids = project_ids
        self.model = model
        self.segments: list[Segment] = []
        self.tail: list[TailRow] = []

    def keep(self, record_ids: Sequence[int]) -> dict[int, int]:
        """Those of the records that are told as true in these projects, each with the newest segment whose
        vector of it is out of date (0 for none)."""
        found: dict[int, int] = {}
        for start in range(0, len(record_ids), _MAX_IDS):
            part = record_ids[start : start + _MAX_IDS]
            query = keep_query(ids=len(part), projects=len(self._project_ids))
            rows = self._db.execute(query, (*part, *self._project_ids))
            found.update(rows.fetchall())
        return found

    def close(self) -> None:
        """Close the segments."""
        for segment in self.segments:
            segment.close()
        self.segments = []


def keep_query(*, ids: int, projects: int) -> str:
    """The statement of `Scan.keep`. The signs keep its planner from reading all records of a project."""
    return (
        "SELECT id, coalesce((SELECT max(segment_id) FROM vector_gone WHERE record_id = records.id), 0)"  # noqa: S608
        f" FROM records WHERE id IN ({_marks(range(ids))}) AND +status IN ('active', 'compacted')"
        f" AND +project_id IN ({_marks(range(projects))})"
    )


def open_scan(db: Connection, data: str, project_ids: Iterable[int]) -> Scan | None:
    """What can be searched for these projects in the data folder; None where no model answers yet.

    A segment whose file is gone or damaged is left out: the worker makes it anew.
    """
    model = serving_model(db)
    if model is None:
        return None
    projects = list(dict.fromkeys(project_ids))
    scan = Scan(db, model, projects)
    where = f"model_id = ? AND project_id IN ({_marks(projects)})"
    values = (model[0], *projects)
    scan.tail = db.execute(
        f"SELECT record_id, signs, stored FROM vectors WHERE {where} ORDER BY id",  # noqa: S608
        values,
    ).fetchall()
    rows = db.execute(
        f"SELECT id, uid, row_count FROM vector_segments WHERE {where} AND is_ready ORDER BY id",  # noqa: S608
        values,
    )
    for segment_id, uid, row_count in rows.fetchall():
        try:
            path = file_path(data, uid)
            segment = Segment(path, segment_id=segment_id, row_count=row_count, dims=model[3])
        except (OSError, ValueError):
            continue
        scan.segments.append(segment)
    return scan


def serving_model(db: Connection) -> Model | None:
    """The model whose vectors answer now, None before the first."""
    row: Model | None = db.execute(_MODEL + " WHERE is_serving").fetchone()
    return row


def list_models(db: Connection) -> list[Model]:
    """All models that have or get vectors, the one that answers first."""
    return db.execute(_MODEL + " ORDER BY is_serving DESC, id").fetchall()


def count_vectors(db: Connection, model_id: int) -> tuple[int, list[str]]:
    """(how many vectors of a model there are, the uids of its segments)."""
    tail = db.execute("SELECT count(*) FROM vectors WHERE model_id = ?", (model_id,)).fetchone()[0]
    rows = db.execute(
        "SELECT row_count, uid FROM vector_segments WHERE model_id = ? AND is_ready", (model_id,)
    ).fetchall()
    return tail + sum(count for count, _ in rows), [uid for _, uid in rows]


def waiting_records(db: Connection, record_ids: Sequence[int]) -> frozenset[int]:
    """Those of some records that have no vector of the answering model yet."""
    model = serving_model(db)
    if model is None or not record_ids:
        return frozenset()
    rows = db.execute(
        f"SELECT record_id FROM vector_todo WHERE model_id = ? AND record_id IN ({_marks(record_ids)})",  # noqa: S608
        (model[0], *record_ids),
    )
    return frozenset(row[0] for row in rows)


def has_todo(db: Connection) -> bool:
    """Whether records wait for vectors."""
    return db.execute("SELECT 1 FROM vector_todo LIMIT 1").fetchone() is not None


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
