"""The core blocks: the text that every session begins with, every version of it, what is known of its file."""

from __future__ import annotations

from engram_hooks.guard.redact import redact
from engram_hooks.jsontext import mend
from engram_hooks.store.audit import add_entry
from engram_hooks.store.transactions import Transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Connection
    from typing import Any

    # (text, version, mirror_version, mirror_hash, (size, mtime_ns), updated_at)
    Block = tuple[str, int, int, str, tuple[int, int], int]

BLOCKS = "user", "agent"
_NOTHING: Block = ("", 0, 0, "", (-1, 0), 0)


def read_block(db: Connection, block: str) -> Block:
    """A block as it is now; version 0 where nothing was ever written to it."""
    row = db.execute(
        "SELECT text, version, mirror_version, mirror_hash, mirror_bytes, mirror_mtime_ns, updated_at"
        " FROM core WHERE block = ?",
        (block,),
    ).fetchone()
    return (*row[:4], (row[4], row[5]), row[6]) if row else _NOTHING


def read_lines(db: Connection, block: str) -> list[str]:
    """The entries of a block."""
    text = read_block(db, block)[0]
    return text.split("\n") if text else []


def write_block(
    db: Connection,
    block: str,
    lines: Sequence[str],
    *,
    actor: str,
    action: str,
    now_ms: int,
    reason: str = "",
    restores: int | None = None,
) -> int:
    """Give a block another text, as a new version with its entry in the book of changes; returns the version.

    `lines` are tidy (`sessions.core_lines.tidy`), and redacted here once more. The same text changes nothing.
    """
    lines, reason = [mend(redact(line)) for line in lines], mend(redact(reason))
    text = "\n".join(lines)
    with Transaction(db):
        old, version, *_ = read_block(db, block)
        if text == old and version:
            return version
        version += 1
        db.execute(
            "INSERT INTO core (block, text, version, updated_at) VALUES (?, ?, ?, ?) ON CONFLICT (block)"
            " DO UPDATE SET text = excluded.text, version = excluded.version, updated_at = excluded.updated_at",
            (block, text, version, now_ms),
        )
        db.execute(
            "INSERT INTO core_history (block, version, text, restores, actor, reason, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (block, version, text, restores, actor, reason, now_ms),
        )
        lines_before = old.split("\n") if old else []
        _note_change(db, block, lines_before, lines, action=action, actor=actor, reason=reason, now_ms=now_ms)
    return version


def note_file(
    db: Connection, block: str, stamp: tuple[int, int], *, version: int | None = None, file_hash: str = ""
) -> None:
    """Note size and time of a block's file; with a version also that the file holds it, and the file's hash."""
    with Transaction(db):
        db.execute("UPDATE core SET mirror_bytes = ?, mirror_mtime_ns = ? WHERE block = ?", (*stamp, block))
        if version is not None:
            db.execute(
                "UPDATE core SET mirror_version = ?, mirror_hash = ? WHERE block = ?",
                (version, file_hash, block),
            )


def list_stamps(db: Connection) -> dict[str, tuple[tuple[int, int], bool]]:
    """Block -> (size and time of its file when it was looked at last, whether the file holds the newest version)."""
    rows = db.execute("SELECT block, mirror_bytes, mirror_mtime_ns, mirror_version = version FROM core")
    return {row[0]: ((row[1], row[2]), bool(row[3])) for row in rows}


def list_versions(db: Connection, block: str) -> list[dict[str, Any]]:
    """Every version of a block, oldest first: version, text, restores, actor, reason, created_at (ms UTC)."""
    names = "version", "text", "restores", "actor", "reason", "created_at"
    rows = db.execute(
        "SELECT version, text, restores, actor, reason, created_at FROM core_history WHERE block = ?"
        " ORDER BY version",
        (block,),
    )
    return [dict(zip(names, row, strict=True)) for row in rows]


def _note_change(
    db: Connection,
    block: str,
    before: Sequence[str],
    after: Sequence[str],
    *,
    action: str,
    actor: str,
    reason: str,
    now_ms: int,
) -> None:
    gone, new = [line for line in before if line not in after], [line for line in after if line not in before]
    if not gone and not new:
        gone, new = list(before), list(after)  # another order
    add_entry(
        db,
        None,
        f"core {action}",
        actor=actor,
        now_ms=now_ms,
        before={"block": block, "lines": gone} if gone else None,
        after={"block": block, "lines": new} if new else {"block": block},
        reason=reason,
    )
