"""What an index tells of a file before it is changed: the fixes that its lines carry, and what changes along.

Lines are known by a key of their text, since the numbers of the indexed head say nothing about a tree that has
changes: whoever has the text finds the line.
"""

from __future__ import annotations

from zlib import crc32

from engram_hooks.store.index_files import path_key, read_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from sqlite3 import Connection

    # (commit id, hash, authored at, intent, author, subject, packed lines, packed keys of lines it took out)
    Guard = tuple[int, str, int, str, str, str, bytes, bytes]
    # (path, score, commits of both, commits of the file, is hidden, is worth telling unasked)
    Partner = tuple[str, float, int, int, bool, bool]

KEY_BYTES = 4


def line_key(text: str) -> int:
    """The key of a line, 32 bits: the same however it is indented and spaced."""
    return crc32(" ".join(text.split()).encode("utf-8", "surrogatepass"))


def pack_lines(lines: Iterable[tuple[int, int]]) -> bytes:
    """(line from 1, key) pairs in order of the lines: LEB128 of the lines since the last, then the key."""
    out = bytearray()
    last = 0
    for line, key in lines:
        gap = line - last
        while gap > 127:
            out.append(gap & 127 | 128)
            gap >>= 7
        out.append(gap)
        out += key.to_bytes(KEY_BYTES, "little")
        last = line
    return bytes(out)


def unpack_lines(packed: bytes) -> list[tuple[int, int]]:
    """The pairs of `pack_lines`."""
    pairs = []
    at = line = 0
    while at < len(packed):
        gap = shift = 0
        while packed[at] > 127:
            gap |= (packed[at] & 127) << shift
            shift += 7
            at += 1
        line += gap | packed[at] << shift
        pairs.append((line, int.from_bytes(packed[at + 1 : at + 1 + KEY_BYTES], "little")))
        at += 1 + KEY_BYTES
    return pairs


def pack_keys(keys: Iterable[int]) -> bytes:
    """Keys one after another."""
    return b"".join(key.to_bytes(KEY_BYTES, "little") for key in keys)


def unpack_keys(packed: bytes) -> list[int]:
    """The keys of `pack_keys`."""
    return [int.from_bytes(packed[at : at + KEY_BYTES], "little") for at in range(0, len(packed), KEY_BYTES)]


def find_file_id(db: Connection, path: str) -> int | None:
    """The id of a file of the indexed head; `path` from the top of the repository, with slashes."""
    row = db.execute("SELECT id FROM files WHERE path = ? AND blob IS NOT NULL", (path_key(path),)).fetchone()
    return row[0] if row else None


def find_file_in_any_case(db: Connection, path: str) -> int | None:
    """The same for a name whose case does not matter; reads the names of all files."""
    row = db.execute(
        "SELECT id FROM files WHERE blob IS NOT NULL AND path LIKE ? ESCAPE '\\'", (_escape(path),)
    ).fetchone()
    return row[0] if row else None


def _escape(path: str) -> str:
    """The path as a pattern that only itself, in any case, fits."""
    return path.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def read_head(db: Connection) -> str:
    """The commit that the index stands at, '' where it was not finished."""
    row = db.execute("SELECT value FROM facts WHERE key = 'symbols_head'").fetchone()
    return str(row[0]) if row else ""


def list_guards(db: Connection, file_id: int) -> list[Guard]:
    """The commits that a file's lines carry, most important first."""
    rows = db.execute(
        "SELECT c.id, c.hash, c.authored_at, c.intent, c.author, c.subject, g.lines, g.gone FROM guards AS g"
        " JOIN commits AS c ON c.id = g.commit_id WHERE g.file_id = ? ORDER BY g.weight DESC, c.authored_at DESC, c.id",
        (file_id,),
    )
    return [(row[0], row[1].hex(), *row[2:]) for row in rows]


def list_partners(db: Connection, file_id: int, *, limit: int = 10) -> list[Partner]:
    """The files that change together with a file, best first."""
    rows = db.execute(
        "SELECT f.path, p.score, p.support, p.total, p.is_hidden, p.speaks FROM partners AS p"
        " JOIN files AS f ON f.id = p.other_id WHERE p.file_id = ? AND f.blob IS NOT NULL"
        " ORDER BY p.score DESC, f.path LIMIT ?",
        (file_id, limit),
    )
    return [(read_path(row[0]), row[1], row[2], row[3], bool(row[4]), bool(row[5])) for row in rows]


def symbol_at(db: Connection, file_id: int, line: int) -> str:
    """The innermost symbol of the head that a line (from 1) belongs to, '' outside all."""
    row = db.execute(
        "SELECT qualified FROM symbols WHERE file_id = ? AND start_line <= ? AND end_line >= ?"
        " ORDER BY start_line DESC, end_line LIMIT 1",
        (file_id, line, line),
    ).fetchone()
    return row[0] if row else ""
