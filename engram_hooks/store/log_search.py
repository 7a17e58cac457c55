"""Reading the conversation log and the tool events back: browse, search, export."""

from __future__ import annotations

from engram_hooks.store.log import pack_uuid, unpack_uuid
from engram_hooks.store.matching import quote_starts, quote_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from sqlite3 import Connection
    from typing import Any, TypedDict

    class LogRow(TypedDict):
        """One line of the log."""

        id: int
        uuid: str
        session: str
        project_id: int
        role: str
        agent: str
        text: str
        created_at: int
        score: float

    class EventRow(TypedDict):
        """One tool event."""

        id: int
        session: str
        project_id: int
        tool: str
        target: str
        command: str
        outcome: str
        error: str
        repeat_count: int
        created_at: int
        updated_at: int
        score: float


_LOG = "l.id, l.uuid, s.client_id, s.project_id, l.role, l.agent, plain(l.text), l.created_at"
_LOG_NAMES = "id", "uuid", "session", "project_id", "role", "agent", "text", "created_at", "score"
_EVENT = (
    "e.id, s.client_id, s.project_id, e.tool, e.target, e.command, e.outcome, e.error, e.repeat_count,"
    " e.created_at, e.updated_at"
)
_EVENT_NAMES = (
    *("id", "session", "project_id", "tool", "target", "command", "outcome", "error", "repeat_count"),
    *("created_at", "updated_at", "score"),
)


def browse_log(
    db: Connection,
    *,
    project_id: int | None,
    session: str = "",
    roles: Sequence[str] = (),
    since_ms: int | None = None,
    until_ms: int | None = None,
    before_id: int | None = None,
    limit: int = 50,
) -> list[LogRow]:
    """The last `limit` lines of the log in the order they were said; project None reads all projects.

    `session` is the start of the client's session id; `before_id` pages backwards.
    """
    where, values = _filter(project_id, session, since_ms, until_ms)
    if roles:
        where, values = f"{where} AND l.role IN ({_marks(roles)})", [*values, *roles]
    if before_id is not None:
        where, values = f"{where} AND l.id < ?", [*values, before_id]
    found = db.execute(
        f"SELECT {_LOG}, 0.0 FROM log l JOIN sessions s ON s.id = l.session_id WHERE {where}"  # noqa: S608 (own names)
        " ORDER BY l.created_at DESC, l.id DESC LIMIT ?",
        [*values, limit],
    ).fetchall()
    return [_log_row(row) for row in reversed(found)]


def find_line(db: Connection, uuid: str) -> LogRow | None:
    """The line of the log with the client's uuid, None where it is not there."""
    row = db.execute(
        f"SELECT {_LOG}, 0.0 FROM log l JOIN sessions s ON s.id = l.session_id WHERE l.uuid = ?",  # noqa: S608
        (pack_uuid(uuid),),
    ).fetchone()
    return _log_row(row) if row else None


def read_lines(db: Connection, line_ids: Sequence[int]) -> dict[int, LogRow]:
    """The lines of the log with these ids, those that there are."""
    found = db.execute(
        f"SELECT {_LOG}, 0.0 FROM log l JOIN sessions s ON s.id = l.session_id"  # noqa: S608 (own names)
        f" WHERE l.id IN ({_marks(line_ids)})",
        line_ids,
    ).fetchall()
    return {row[0]: _log_row(row) for row in found}


def search_log(
    db: Connection,
    terms: Sequence[str],
    *,
    project_id: int | None,
    roles: Sequence[str] = (),
    since_ms: int | None = None,
    until_ms: int | None = None,
    limit: int = 20,
) -> list[LogRow]:
    """Lines of the log with at least one of `terms`, best by bm25 first (the lower its score, the better)."""
    if not terms:
        return []
    where, values = _filter(project_id, "", since_ms, until_ms)
    if roles:
        where, values = f"{where} AND l.role IN ({_marks(roles)})", [*values, *roles]
    found = db.execute(
        f"SELECT {_LOG}, bm25(log_fts) AS score FROM log_fts JOIN log l ON l.id = log_fts.rowid"  # noqa: S608
        f" JOIN sessions s ON s.id = l.session_id WHERE log_fts MATCH ? AND {where}"
        " ORDER BY score, l.id DESC LIMIT ?",
        [quote_terms(terms), *values, limit],
    ).fetchall()
    return [_log_row(row) for row in found]


def export_log(
    db: Connection, *, project_id: int | None, session: str = "", since_ms: int | None = None
) -> Iterator[LogRow]:
    """Every line of the log, oldest first."""
    where, values = _filter(project_id, session, since_ms, None)
    rows = db.execute(
        f"SELECT {_LOG}, 0.0 FROM log l JOIN sessions s ON s.id = l.session_id WHERE {where} ORDER BY l.id",  # noqa: S608
        values,
    )
    for row in rows:
        yield _log_row(row)


def browse_events(
    db: Connection, *, project_id: int | None, session: str = "", outcome: str = "", limit: int = 50
) -> list[EventRow]:
    """The last `limit` tool events in the order they happened."""
    where, values = _filter(project_id, session, None, None)
    if outcome:
        where, values = f"{where} AND e.outcome = ?", [*values, outcome]
    found = db.execute(
        f"SELECT {_EVENT}, 0.0 FROM tool_events e JOIN sessions s ON s.id = e.session_id WHERE {where}"  # noqa: S608
        " ORDER BY e.updated_at DESC, e.id DESC LIMIT ?",
        [*values, limit],
    ).fetchall()
    return [_event_row(row) for row in reversed(found)]


def search_events(
    db: Connection, terms: Sequence[str], *, project_id: int | None, limit: int = 20
) -> list[EventRow]:
    """Failed tool uses with a word that begins with one of `terms` in target, command or error, best first."""
    if not terms:
        return []
    where, values = _filter(project_id, "", None, None)
    found = db.execute(
        f"SELECT {_EVENT}, bm25(tool_events_fts) AS score FROM tool_events_fts"  # noqa: S608
        " JOIN tool_events e ON e.id = tool_events_fts.rowid JOIN sessions s ON s.id = e.session_id"
        f" WHERE tool_events_fts MATCH ? AND {where} ORDER BY score, e.id DESC LIMIT ?",
        [quote_starts(terms), *values, limit],
    ).fetchall()
    return [_event_row(row) for row in found]


def _filter(
    project_id: int | None, session: str, since_ms: int | None, until_ms: int | None
) -> tuple[str, list[Any]]:
    parts = ["1"]
    values: list[Any] = []
    if project_id is not None:
        parts.append("s.project_id = ?")
        values.append(project_id)
    if session:
        parts.append("substr(s.client_id, 1, ?) = ?")
        values += [len(session), session]
    if since_ms is not None:
        parts.append("l.created_at >= ?")
        values.append(since_ms)
    if until_ms is not None:
        parts.append("l.created_at < ?")
        values.append(until_ms)
    return " AND ".join(parts), values


def _log_row(row: tuple[Any, ...]) -> LogRow:
    found: LogRow = dict(zip(_LOG_NAMES, row, strict=True))  # type: ignore[assignment]
    found["uuid"] = unpack_uuid(row[1])
    return found


def _event_row(row: tuple[Any, ...]) -> EventRow:
    found: EventRow = dict(zip(_EVENT_NAMES, row, strict=True))  # type: ignore[assignment]
    return found


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
