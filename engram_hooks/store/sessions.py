"""Sessions, their transcripts and prompts."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

    # (id, project_id, root, branch, epoch, transcript_path)
    Session = tuple[int, int, str, str, int, str]

_COLUMNS = "id, project_id, root, branch, epoch, transcript_path"
MAX_PROMPT_CHARS = 2000


def find_session(db: Connection, client_id: str) -> Session | None:
    """The session the client calls `client_id`."""
    found: Session | None = db.execute(
        f"SELECT {_COLUMNS} FROM sessions WHERE client_id = ?",  # noqa: S608 (own column names)
        (client_id,),
    ).fetchone()
    return found


def add_session(
    db: Connection,
    client_id: str,
    *,
    project_id: int,
    root: str,
    branch: str,
    transcript_path: str,
    now_ms: int,
) -> Session:
    """The session of `client_id`, made where it is new. It stays with the project it started in."""
    db.execute(
        "INSERT INTO sessions (client_id, project_id, root, branch, transcript_path, started_at, last_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (client_id) DO NOTHING",
        (client_id, project_id, root, branch, transcript_path, now_ms, now_ms),
    )
    session = find_session(db, client_id)
    assert session is not None
    if transcript_path:
        add_transcript(db, transcript_path, session_id=session[0], agent="", now_ms=now_ms)
    return session


def set_running(db: Connection, session_id: int, *, is_running: int, now_ms: int) -> None:
    """Note whether a turn of the session is under way."""
    db.execute(
        "UPDATE sessions SET is_running = ?, last_at = ? WHERE id = ?", (is_running, now_ms, session_id)
    )


def start_session(db: Connection, session_id: int, *, source: str, branch: str, now_ms: int) -> None:
    """Note a start of the client in this session, on the branch of now; a compaction opens a new epoch."""
    db.execute(
        "UPDATE sessions SET source = ?, branch = ?, last_at = ?, is_running = 0, ended_at = NULL,"
        " epoch = epoch + ? WHERE id = ?",
        (source, branch, now_ms, int(source == "compact"), session_id),
    )


def end_session(db: Connection, session_id: int, *, reason: str, now_ms: int) -> None:
    """Note that the client left the session."""
    db.execute(
        "UPDATE sessions SET ended_at = ?, end_reason = ?, last_at = ?, is_running = 0 WHERE id = ?",
        (now_ms, reason, now_ms, session_id),
    )


def is_untouched(db: Connection, session_id: int) -> bool:
    """Whether nothing was said in a session yet."""
    row = db.execute("SELECT logged_count FROM sessions WHERE id = ?", (session_id,)).fetchone()
    return bool(row and row[0] == 0)


def move_session(db: Connection, session_id: int, *, project_id: int, root: str) -> None:
    """Pin a session in which nothing was said yet to another project."""
    db.execute("UPDATE sessions SET project_id = ?, root = ? WHERE id = ?", (project_id, root, session_id))


def add_prompt(db: Connection, session_id: int, prompt: str, *, prompt_id: str, now_ms: int) -> None:
    """Keep the start of a prompt; the whole of it arrives through the transcript."""
    from engram_hooks.guard.cut import shorten

    db.execute(
        "INSERT INTO prompts (session_id, prompt_id, text, created_at) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (session_id, prompt_id) DO NOTHING",
        (session_id, prompt_id or None, shorten(prompt, MAX_PROMPT_CHARS), now_ms),
    )


def has_abandoned(db: Connection, project_id: int) -> bool:
    """Whether a project has approaches that failed and were given up: asked here, where every hook is."""
    row = db.execute(
        "SELECT 1 FROM attempts WHERE project_id = ? AND outcome = 'abandoned' LIMIT 1", (project_id,)
    ).fetchone()
    return row is not None


def prompt_before(db: Connection, session_id: int, at_ms: int) -> str:
    """What was asked for last in a session before a moment; '' for nothing."""
    row = db.execute(
        "SELECT text FROM prompts WHERE session_id = ? AND created_at <= ? ORDER BY id DESC LIMIT 1",
        (session_id, at_ms),
    ).fetchone()
    return row[0] if row else ""


def add_transcript(db: Connection, path: str, *, session_id: int, agent: str, now_ms: int) -> None:
    """Make a transcript file known; a file that is known already stays with its session."""
    db.execute(
        "INSERT INTO transcripts (path, session_id, agent, read_at) VALUES (?, ?, ?, ?) ON CONFLICT (path) DO NOTHING",
        (path, session_id, agent, now_ms),
    )


def transcripts_of(db: Connection, session_id: int) -> list[tuple[str, str, str, int]]:
    """(path, agent, cursor, bytes read) of the session's transcripts, the main one first."""
    return db.execute(
        "SELECT path, agent, cursor, cursor_bytes FROM transcripts WHERE session_id = ? ORDER BY agent, path",
        (session_id,),
    ).fetchall()


def read_cursor(db: Connection, path: str) -> str:
    """Where reading of a transcript goes on, '' for its start."""
    row = db.execute("SELECT cursor FROM transcripts WHERE path = ?", (path,)).fetchone()
    return str(row[0]) if row else ""


def move_cursor(db: Connection, path: str, cursor: str, *, cursor_bytes: int, now_ms: int) -> None:
    """Note that a transcript was read up to `cursor`."""
    db.execute(
        "UPDATE transcripts SET cursor = ?, cursor_bytes = ?, read_at = ? WHERE path = ?",
        (cursor, cursor_bytes, now_ms, path),
    )


def recent_sessions(db: Connection, project_id: int, *, limit: int) -> list[tuple[int, str, int]]:
    """(id, client id, last moment) of the project's sessions, newest first."""
    return db.execute(
        "SELECT id, client_id, last_at FROM sessions WHERE project_id = ? ORDER BY last_at DESC, id DESC LIMIT ?",
        (project_id, limit),
    ).fetchall()


def session_counts(db: Connection, session_id: int, project_id: int) -> tuple[int, int, int, int, int]:
    """(notes told as true, log rows, open candidates, bytes read of the main transcript, turn under way)."""
    row: tuple[int, int, int, int, int] = db.execute(
        "SELECT (SELECT count(*) FROM records WHERE project_id IN (?1, 0) AND status IN ('active', 'compacted')),"
        " s.logged_count,"
        " (SELECT count(*) FROM records WHERE session_id = ?2 AND status = 'candidate'),"
        " coalesce((SELECT cursor_bytes FROM transcripts WHERE path = s.transcript_path), 0), s.is_running"
        " FROM sessions s WHERE s.id = ?2",
        (project_id, session_id),
    ).fetchone()
    return row


def root_of(db: Connection, session_id: int) -> str:
    """The checkout that a session started in, '' where it is in none."""
    return str(db.execute("SELECT root FROM sessions WHERE id = ?", (session_id,)).fetchone()[0])


def project_of(db: Connection, session_id: int) -> int:
    """The project of a session, 0 outside any."""
    return int(db.execute("SELECT project_id FROM sessions WHERE id = ?", (session_id,)).fetchone()[0])
