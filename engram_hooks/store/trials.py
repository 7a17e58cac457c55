"""What tools changed and which checks judged it, as hooks write it and the worker reads it."""

from __future__ import annotations

from engram_hooks.guard.redact import redact
from engram_hooks.jsontext import dumps, loads
from engram_hooks.store.packing import pack_text, unpack_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Connection

    # (project, session, agent, root, branch)
    Place = tuple[int, int, str, str, str]
    # (path, lines that went, lines that came); path '': the work tree was put back by a command, named in the latter
    Change = tuple[str, Sequence[str], Sequence[str]]
    # (kind, tool, targets, outcome, faults, fingerprint)
    Verdict = tuple[str, str, Sequence[str], str, Sequence[Sequence[str]], str]

MAX_LINES = 400
MAX_LINE = 500
MAX_AGE_MS = 21 * 24 * 3600 * 1000
MAX_ROWS = 3_000
MAX_TESTS = 500


def add_edits(db: Connection, place: Place, changes: Sequence[Change], *, use_id: str, now_ms: int) -> None:
    """Write the changes of one call; a call that is told twice counts once. The caller holds the transaction."""
    project_id, session_id, agent, root, branch = place
    db.executemany(
        "INSERT OR IGNORE INTO edits (project_id, session_id, agent, root, branch, path, removed, added, use_id,"
        " created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (project_id, session_id, agent, root, branch, path, _pack(removed), _pack(added), use_id, now_ms)
            for path, removed, added in changes
        ],
    )


def add_run(db: Connection, place: Place, verdict: Verdict, *, use_id: str, now_ms: int) -> None:
    """Write how a check ended; the caller holds the transaction."""
    kind, tool, targets, outcome, faults, fingerprint = verdict
    project_id, session_id, agent, root, branch = place
    db.execute(
        "INSERT OR IGNORE INTO check_runs (project_id, session_id, agent, root, branch, kind, tool, targets, outcome,"
        " faults, fingerprint, last_edit, use_id, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,"
        " coalesce((SELECT max(id) FROM edits WHERE project_id = ?1 AND root = ?4), 0), ?12, ?13)",
        (
            project_id,
            session_id,
            agent,
            root,
            branch,
            kind,
            redact(tool),
            redact(dumps(list(targets))),
            outcome,
            pack_text(redact(dumps([list(fault) for fault in faults]))),
            fingerprint,
            use_id,
            now_ms,
        ),
    )


def list_edits(
    db: Connection, project_id: int, root: str, *, now_ms: int
) -> list[tuple[int, int, str, str, list[str], list[str], int]]:
    """(id, session, branch, path, lines that went, lines that came, moment) of a checkout's recent edits, in order."""
    rows = db.execute(
        "SELECT id, session_id, branch, path, removed, added, created_at FROM edits"
        " WHERE project_id = ? AND root = ? AND created_at > ? ORDER BY id DESC LIMIT ?",
        (project_id, root, now_ms - MAX_AGE_MS, MAX_ROWS),
    ).fetchall()
    return [(*row[:4], _unpack(row[4]), _unpack(row[5]), row[6]) for row in reversed(rows)]


def list_runs(
    db: Connection, project_id: int, root: str, *, now_ms: int
) -> list[tuple[int, int, str, str, str, list[str], str, list[list[str]], str, int, int]]:
    """(id, session, branch, kind, tool, targets, outcome, faults, fingerprint, last edit, moment) in order."""
    rows = db.execute(
        "SELECT id, session_id, branch, kind, tool, targets, outcome, faults, fingerprint, last_edit, created_at"
        " FROM check_runs WHERE project_id = ? AND root = ? AND created_at > ? ORDER BY id DESC LIMIT ?",
        (project_id, root, now_ms - MAX_AGE_MS, MAX_ROWS),
    ).fetchall()
    return [
        (*row[:5], _read_list(row[5]), row[6], _read_list(unpack_text(row[7])), *row[8:])
        for row in reversed(rows)
    ]


def list_tests(db: Connection, project_id: int) -> list[tuple[str, list[str], str, list[list[str]], int]]:
    """(tool, targets, outcome, faults, moment) of the last test runs of a project, newest first."""
    rows = db.execute(
        "SELECT tool, targets, outcome, faults, created_at FROM check_runs WHERE project_id = ? AND kind = 'test'"
        " ORDER BY id DESC LIMIT ?",
        (project_id, MAX_TESTS),
    )
    return [(row[0], _read_list(row[1]), row[2], _read_list(unpack_text(row[3])), row[4]) for row in rows]


def list_roots(db: Connection, project_id: int) -> list[str]:
    """The checkouts in which something was checked."""
    rows = db.execute(
        "SELECT DISTINCT root FROM check_runs WHERE project_id = ? ORDER BY root", (project_id,)
    )
    return [row[0] for row in rows]


def prune(db: Connection, project_id: int, *, now_ms: int) -> None:
    """Drop edits and checks that are too old to decide anything. The caller holds the transaction."""
    for table in ("edits", "check_runs"):
        db.execute(
            f"DELETE FROM {table} WHERE project_id = ? AND created_at < ?",  # noqa: S608 (one of two names)
            (project_id, now_ms - MAX_AGE_MS),
        )


def pack_lines(lines: Sequence[str]) -> str | bytes:
    """Lines as they are kept: redacted, bounded, packed."""
    return _pack(lines)


def _pack(lines: Sequence[str]) -> str | bytes:
    return pack_text(redact("\n".join(line[:MAX_LINE] for line in lines[:MAX_LINES])))


def _unpack(stored: str | bytes) -> list[str]:
    text = unpack_text(stored)
    return text.split("\n") if text else []


def _read_list(text: str) -> list:  # type: ignore[type-arg]  # of texts, or of lists of texts
    value = loads(text)
    return value if isinstance(value, list) else []
