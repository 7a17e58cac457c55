"""Secrets that an older store still holds: found in the text of any table, and taken out of it."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engram_hooks.guard.redact import find_secrets, redact
from engram_hooks.jsontext import dumps, loads
from engram_hooks.store.packing import pack_text, unpack_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from sqlite3 import Connection

    # (table, columns that hold text, columns that name a row)
    TextTable = tuple[str, list[str], list[str]]

_TABLES = (
    "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
)
_SHADOWS = "_config", "_content", "_data", "_docsize", "_idx"


@dataclass(frozen=True, slots=True)
class HeldSecret:
    """A text that holds secrets: where it is, what sorts they are, and the text without them."""

    table: str
    column: str
    keys: tuple[str, ...]
    row: tuple[object, ...]
    kinds: tuple[str, ...]
    clean: str
    is_packed: bool


def find_held(db: Connection) -> Iterator[HeldSecret]:
    """Every text of every table of a database that redaction would change."""
    for table, columns, keys in _list_tables(db):
        names = ", ".join(f'"{name}"' for name in (*keys, *columns))
        for row in db.execute(f"SELECT {names} FROM {table}"):  # noqa: S608 (names out of the schema)
            for column, value in zip(columns, row[len(keys) :], strict=True):
                text = _read(value)
                clean = redact_value(text) if text else text
                if clean != text:
                    kinds = sorted({kind for _, _, kind in find_secrets(text)})
                    row_keys = row[: len(keys)]
                    is_packed = isinstance(value, bytes)
                    yield HeldSecret(table, column, tuple(keys), row_keys, tuple(kinds), clean, is_packed)


def clean_row(db: Connection, held: HeldSecret) -> bool:
    """Write one text without its secrets; False where another row says the same already. Inside a transaction."""
    where = " AND ".join(f'"{key}" IS ?' for key in held.keys)
    value = pack_text(held.clean) if held.is_packed else held.clean
    done = db.execute(
        f'UPDATE OR IGNORE {held.table} SET "{held.column}" = ? WHERE {where}',  # noqa: S608 (names out of the schema)
        (value, *held.row),
    )
    return done.rowcount > 0


def redact_value(text: str) -> str:
    """A text without secrets; one that is JSON stays JSON."""
    clean = redact(text)
    if clean == text or text[:1] not in ("{", "["):
        return clean
    try:
        value = loads(text)
    except ValueError:
        return clean
    try:
        loads(clean)
    except ValueError:
        return dumps(_redact_parts(value))
    return clean


def _redact_parts(value: object) -> object:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, list):
        return [_redact_parts(item) for item in value]
    if isinstance(value, dict):
        return {key: _redact_parts(item) for key, item in value.items()}
    return value


def _list_tables(db: Connection) -> list[TextTable]:
    tables = db.execute(_TABLES).fetchall()
    virtual = {name for name, sql in tables if str(sql).upper().startswith("CREATE VIRTUAL")}
    shadows = {name + end for name in virtual for end in _SHADOWS}
    found: list[TextTable] = []
    for name, sql in tables:
        if name in virtual or name in shadows:
            continue
        info = db.execute(f'PRAGMA table_info("{name}")').fetchall()
        keys = ["rowid"]
        if "WITHOUT ROWID" in str(sql).upper():
            keys = [row[1] for row in sorted(info, key=lambda row: row[5]) if row[5]]
        columns = [row[1] for row in info if str(row[2]).upper() == "TEXT"]
        if columns:
            found.append((name, columns, keys))
    return found


def _read(value: object) -> str:
    """The text of a stored value, '' where it is none."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        try:
            return unpack_text(value)
        except zlib.error:
            return ""
    return ""
