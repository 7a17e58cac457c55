"""The conversation log: append-only, one row per message, unique by the client's uuid."""

from __future__ import annotations

from engram_hooks.store.packing import pack_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from sqlite3 import Connection

_NOT_HEX = str.maketrans("", "", "0123456789abcdef")


def pack_uuid(uuid: str) -> bytes:
    """16 bytes for a canonical uuid, else its text as UTF-8."""
    digits = uuid.replace("-", "")
    if len(uuid) == 36 and len(digits) == 32 and not digits.translate(_NOT_HEX):
        return bytes.fromhex(digits)
    return uuid.encode("utf-8", "replace")


def unpack_uuid(packed: bytes) -> str:
    """The uuid as the client wrote it."""
    if len(packed) != 16:
        return packed.decode("utf-8", "replace")
    digits = packed.hex()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def append_rows(
    db: Connection,
    session_id: int,
    rows: Iterable[tuple[str, str, str, str, int]],
    *,
    is_redacted: bool = False,
) -> int:
    """Append (uuid, role, agent, text, created_at) rows, redacted; known and forgotten uuids are passed over.

    `is_redacted` says that the caller did that already. Returns how many are new. The caller holds the
    transaction.
    """
    from engram_hooks.guard.redact import redact
    from engram_hooks.terms import content_terms

    has_tombstones = db.execute("SELECT 1 FROM tombstones WHERE kind = 'uuid' LIMIT 1").fetchone()
    added = 0
    for uuid, role, agent, text, created_at in rows:
        packed = pack_uuid(uuid)
        if has_tombstones and _is_forgotten(db, packed):
            continue
        clean = text if is_redacted else redact(text)
        cursor = db.execute(
            "INSERT OR IGNORE INTO log (session_id, uuid, role, agent, text, created_at) VALUES (?, ?, ?, ?, ?, ?)",
            (session_id, packed, role, agent, pack_text(clean), created_at),
        )
        if cursor.rowcount == 1:
            db.execute(
                "INSERT INTO log_fts (rowid, text) VALUES (?, ?)", (cursor.lastrowid, content_terms(clean))
            )
            added += 1
    if added:
        db.execute("UPDATE sessions SET logged_count = logged_count + ? WHERE id = ?", (added, session_id))
    return added


def _is_forgotten(db: Connection, packed: bytes) -> bool:
    found = db.execute("SELECT 1 FROM tombstones WHERE kind = 'uuid' AND hash = ?", (packed,)).fetchone()
    return found is not None


def last_rows(db: Connection, session_id: int, *, limit: int) -> list[tuple[str, str, int]]:
    """(role, text, created_at) of the session's main conversation, oldest first, at most `limit` from its end."""
    rows = db.execute(
        "SELECT role, plain(text), created_at FROM log WHERE session_id = ? AND agent = '' ORDER BY id DESC LIMIT ?",
        (session_id, limit),
    ).fetchall()
    return rows[::-1]


def mined_until(db: Connection, session_id: int) -> int:
    """The id of the last log row of the session that was looked through for candidates."""
    row = db.execute(
        "SELECT max(mined_log_id) FROM transcripts WHERE session_id = ?", (session_id,)
    ).fetchone()
    return int(row[0] or 0)


def set_mined(db: Connection, session_id: int, log_id: int) -> None:
    """Note up to which log row the session was looked through."""
    db.execute(
        "UPDATE transcripts SET mined_log_id = ? WHERE session_id = ? AND agent = ''", (log_id, session_id)
    )


def rows_after(
    db: Connection, session_id: int, log_id: int, *, context: int
) -> list[tuple[int, str, str, str, int]]:
    """(id, uuid, role, text, created_at) of the main conversation behind `log_id`, with `context` rows before it."""
    before = db.execute(
        "SELECT id FROM log WHERE session_id = ? AND agent = '' AND id <= ? ORDER BY id DESC LIMIT 1 OFFSET ?",
        (session_id, log_id, context),
    ).fetchone()
    rows = db.execute(
        "SELECT id, uuid, role, plain(text), created_at FROM log"
        " WHERE session_id = ? AND agent = '' AND id > ? ORDER BY id",
        (session_id, before[0] if before else 0),
    )
    return [(row[0], unpack_uuid(row[1]), *row[2:]) for row in rows]
