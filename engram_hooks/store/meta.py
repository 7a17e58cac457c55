"""Facts about the store itself, and notices that are told once."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

_NOTICE = "notice:"


def get_fact(db: Connection, key: str) -> str | None:
    """The value of a fact, None where it was never set."""
    row = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return None if row is None else str(row[0])


def set_fact(db: Connection, key: str, value: str) -> None:
    """Set a fact, whatever it was."""
    db.execute(
        "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", (key, value)
    )


def post_notice(db: Connection, slug: str, text: str) -> None:
    """Leave a sentence for the user, told by the next command; each slug once in the life of a store."""
    db.execute("INSERT OR IGNORE INTO meta VALUES (?, ?)", (_NOTICE + slug, text))


def has_notice(db: Connection, slug: str) -> bool:
    """Whether a notice was ever posted."""
    return get_fact(db, _NOTICE + slug) is not None


def take_notices(db: Connection) -> list[tuple[str, str]]:
    """The notices that were not told yet, as (slug, sentence); they count as told now."""
    found = "SELECT key, value FROM meta WHERE key >= 'notice:' AND key < 'notice;' AND value <> ''"
    rows = db.execute(found).fetchall()
    if rows:
        db.execute("UPDATE meta SET value = '' WHERE key >= 'notice:' AND key < 'notice;'")
    return [(str(key)[len(_NOTICE) :], str(value)) for key, value in rows]
