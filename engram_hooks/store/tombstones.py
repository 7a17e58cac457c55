"""What must never come back: hashes of forgotten texts, refused ones, and uuids of forgotten lines."""

from __future__ import annotations

import hashlib

from engram_hooks.store.log import pack_uuid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

_BURIED = "(kind = 'content' AND hash = ?) OR (kind = 'refused' AND hash = ?)"
_EDGES = " \t\r\n.,;:!?\"'`*_-"


def normalise(text: str) -> str:
    """The text as it is compared: lower case, white space collapsed, no punctuation at its ends."""
    return " ".join(text.casefold().split()).strip(_EDGES)


def content_hash(text: str) -> bytes:
    """16 bytes that stand for a text, whatever its case, spacing and outer punctuation."""
    return hashlib.sha256(normalise(text).encode("utf-8", "replace")).digest()[:16]


def bury_content(db: Connection, text: str, *, now_ms: int) -> None:
    """Never propose or capture this text again, anywhere. The caller holds the transaction."""
    _bury(db, "content", content_hash(text), now_ms)


def bury_refused(db: Connection, project_id: int, text: str, *, now_ms: int) -> None:
    """Never propose this text again in one project; in others it may be right. The caller holds the transaction."""
    _bury(db, "refused", _refused_hash(project_id, text), now_ms)


def bury_uuid(db: Connection, uuid: str, *, now_ms: int) -> None:
    """Never log the line with this uuid again. The caller holds the transaction."""
    _bury(db, "uuid", pack_uuid(uuid), now_ms)


def raise_content(db: Connection, text: str, *, project_id: int) -> bool:
    """Let a text be captured again, as when somebody adds it by hand in a project; whether it was buried."""
    done = db.execute(f"DELETE FROM tombstones WHERE {_BURIED}", _hashes(project_id, text))  # noqa: S608 (own words)
    return done.rowcount > 0


def is_buried(db: Connection, text: str, *, project_id: int) -> bool:
    """Whether this text was forgotten for good, or refused for ever in this project."""
    found = db.execute(f"SELECT 1 FROM tombstones WHERE {_BURIED} LIMIT 1", _hashes(project_id, text))  # noqa: S608
    return found.fetchone() is not None


def _hashes(project_id: int, text: str) -> tuple[bytes, bytes]:
    return content_hash(text), _refused_hash(project_id, text)


def _refused_hash(project_id: int, text: str) -> bytes:
    return content_hash(f"{project_id}: {normalise(text)}")


def _bury(db: Connection, kind: str, value: bytes, now_ms: int) -> None:
    db.execute(
        "INSERT OR IGNORE INTO tombstones (kind, hash, created_at) VALUES (?, ?, ?)", (kind, value, now_ms)
    )
