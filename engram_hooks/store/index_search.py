"""Where the terms of a question stand in an index: commits by field, and what is named by hash, path or symbol."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from engram_hooks.store.index_files import path_key, read_path

if TYPE_CHECKING:
    from sqlite3 import Connection

# the columns of the full text, in its order; a place is a bit for each of them
FIELDS = "subject", "body", "names", "code"
_BITS = {name: 1 << at for at, name in enumerate(FIELDS)}
_PLACES = (
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.commit_places USING fts5vocab (main, commits_fts, instance)"
)
_AMONG = "(SELECT value FROM json_each(?))"
_AVERAGES_ID = (
    1  # the row of FTS5's own data that holds how many rows there are, and the sizes of all columns
)
MAX_LISTED = 200

# postings: term -> commit id -> bits of the fields that hold a form of it
Places = dict[str, dict[int, int]]


def read_places(db: Connection, forms: Mapping[str, Collection[str]]) -> Places:
    """In which fields of which commits in sight the forms of each term stand."""
    db.execute(_PLACES)
    owners: dict[str, list[str]] = {}
    for term, words in forms.items():
        for word in words:
            owners.setdefault(word, []).append(term)
    hidden = {row[0] for row in db.execute("SELECT id FROM commits WHERE NOT is_in_head")}
    places: Places = {term: {} for term in forms}
    for word, terms in owners.items():
        rows = db.execute("SELECT doc, col FROM temp.commit_places WHERE term = ?", (word,)).fetchall()
        for found in [places[term] for term in terms]:
            for number, field in rows:
                found[number] = found.get(number, 0) | _BITS[field]
    for found in places.values() if hidden else ():
        for number in hidden & found.keys():
            del found[number]
    return places


def read_sizes(db: Connection, commit_ids: Collection[int]) -> dict[int, list[int]]:
    """How many terms each field of these commits has."""
    rows = db.execute(
        f"SELECT id, sz FROM commits_fts_docsize WHERE id IN {_AMONG}",  # noqa: S608
        (json.dumps(list(commit_ids)),),
    )
    return {number: _read_numbers(packed) for number, packed in rows}


def read_averages(db: Connection) -> tuple[int, list[float]]:
    """(how many commits the full text holds, how many terms each field has on average)."""
    row = db.execute("SELECT block FROM commits_fts_data WHERE id = ?", (_AVERAGES_ID,)).fetchone()
    count, *totals = _read_numbers(row[0]) if row and row[0] else [0]
    totals += [0] * (len(FIELDS) - len(totals))
    return count, [total / count if count else 0.0 for total in totals]


def find_by_hash(db: Connection, prefix: str, *, limit: int = 10) -> list[int]:
    """Commits in sight whose hash begins with `prefix` (lower-case hexadecimal)."""
    first = bytes.fromhex(prefix + "0" * (len(prefix) % 2))
    last = bytes.fromhex(prefix + "f" * (len(prefix) % 2)) + b"\xff" * 32
    rows = db.execute(
        "SELECT id FROM commits WHERE hash >= ? AND hash <= ? AND is_in_head ORDER BY committed_at DESC, id LIMIT ?",
        (first, last, limit),
    )
    return [row[0] for row in rows]


def find_ids(db: Connection, hashes: Iterable[str]) -> dict[str, int]:
    """hash -> id of commits in sight."""
    found = {}
    for name in hashes:
        row = db.execute(
            "SELECT id FROM commits WHERE hash = ? AND is_in_head", (bytes.fromhex(name),)
        ).fetchone()
        if row:
            found[name] = int(row[0])
    return found


def find_merges(db: Connection, commit_ids: Collection[int]) -> set[int]:
    """Those of the commits that have several parents."""
    rows = db.execute(
        f"SELECT id FROM commits WHERE id IN {_AMONG} AND length(parents) > length(hash)",  # noqa: S608
        (json.dumps(list(commit_ids)),),
    )
    return {row[0] for row in rows}


def read_touched(db: Connection, commit_ids: Collection[int]) -> dict[int, list[tuple[int, str, str, bool]]]:
    """commit id -> (file id, path, role, whether the head has the file) of what it changed."""
    found: dict[int, list[tuple[int, str, str, bool]]] = {number: [] for number in commit_ids}
    rows = db.execute(
        "SELECT c.commit_id, f.id, f.path, f.role, f.blob IS NOT NULL FROM file_changes AS c"  # noqa: S608
        f" JOIN files AS f ON f.id = c.file_id WHERE c.commit_id IN {_AMONG} ORDER BY c.commit_id, f.path",
        (json.dumps(list(commit_ids)),),
    )
    for commit_id, file_id, path, role, is_there in rows:
        found[commit_id].append((file_id, read_path(path), role, bool(is_there)))
    return found


def read_touched_symbols(
    db: Connection, commit_ids: Collection[int]
) -> dict[int, list[tuple[int, str, str, int]]]:
    """commit id -> (symbol id, qualified name, path, lines changed) of the head's symbols that it changed."""
    found: dict[int, list[tuple[int, str, str, int]]] = {number: [] for number in commit_ids}
    rows = db.execute(
        "SELECT c.commit_id, s.id, s.qualified, f.path, c.added_count + c.removed_count FROM symbol_changes AS c"  # noqa: S608
        " JOIN symbols AS s ON s.id = c.symbol_id JOIN files AS f ON f.id = s.file_id"
        f" WHERE c.commit_id IN {_AMONG} ORDER BY c.commit_id, 5 DESC, s.id",
        (json.dumps(list(commit_ids)),),
    )
    for commit_id, symbol_id, name, path, lines in rows:
        found[commit_id].append((symbol_id, name, read_path(path), lines))
    return found


def find_paths(db: Connection, names: Sequence[str]) -> list[tuple[int, str, bool]]:
    """(file id, path, whether the head has it) of files with one of these paths, or ends of paths."""
    found: dict[int, tuple[int, str, bool]] = {}
    for name in names:
        key = path_key(name.removeprefix("./"))
        for row in db.execute(
            "SELECT id, path, blob IS NOT NULL FROM files WHERE path = ?1 OR substr(path, -length(?1) - 1) = '/' || ?1"
            " ORDER BY blob IS NULL, length(path), path LIMIT ?2",
            (key, MAX_LISTED),
        ):
            found.setdefault(row[0], (row[0], read_path(row[1]), bool(row[2])))
    return list(found.values())


def read_renames(db: Connection) -> dict[int, int]:
    """File id -> id of what it was last renamed to, of all renames in sight."""
    return dict(
        db.execute(
            "SELECT c.old_file_id, c.file_id FROM file_changes AS c JOIN commits AS t ON t.id = c.commit_id"
            " WHERE c.status = 'R' AND t.is_in_head ORDER BY t.committed_at, t.id DESC"
        )
    )


def read_present(db: Connection, file_ids: Iterable[int]) -> dict[int, str]:
    """File id -> path of those of the files that the head has."""
    rows = db.execute(
        f"SELECT id, path FROM files WHERE blob IS NOT NULL AND id IN {_AMONG}",  # noqa: S608
        (json.dumps(list(file_ids)),),
    )
    return {file_id: read_path(path) for file_id, path in rows}


def find_symbols(db: Connection, names: Iterable[str]) -> list[tuple[int, str, str]]:
    """(symbol id, qualified name, path) of the head's symbols of these names; `Box.put` means that one alone."""
    found: dict[int, tuple[int, str, str]] = {}
    for name in names:
        wanted = name.replace("::", ".").replace("#", ".").removesuffix("()")
        rows = db.execute(
            "SELECT s.id, s.qualified, f.path FROM symbols AS s JOIN files AS f ON f.id = s.file_id"
            " WHERE s.name = ? ORDER BY f.role = 'test', f.path, s.start_line LIMIT ?",
            (wanted.rpartition(".")[2], MAX_LISTED),
        )
        for symbol_id, qualified, path in rows:
            if qualified == wanted or qualified.endswith("." + wanted):
                found.setdefault(symbol_id, (symbol_id, qualified, read_path(path)))
    return list(found.values())


def _read_numbers(packed: bytes) -> list[int]:
    """FTS5's numbers: seven bits a byte, the highest first."""
    out: list[int] = []
    number = 0
    for byte in packed:
        number = number << 7 | (byte & 0x7F)
        if byte < 0x80:
            out.append(number)
            number = 0
    return out
