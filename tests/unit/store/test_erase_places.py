"""A hard forget knows every column of the store that holds text: none is looked over, none is made up."""

from __future__ import annotations

from sqlite3 import Connection

from engram_hooks.store.erase import list_record_tables
from engram_hooks.store.erase_places import HARMLESS, KEPT_BY_RECORD, PARTS, ROWS, WITH_OWNER, WITH_RECORD

SHADOWS = "_config", "_content", "_data", "_docsize", "_idx"


def text_columns(db: Connection) -> set[tuple[str, str]]:
    """Every (table, column) of type TEXT that is not part of a full-text index."""
    found = db.execute(
        "SELECT t.name, c.name FROM sqlite_master t JOIN pragma_table_info(t.name) c"
        " WHERE t.type = 'table' AND t.sql NOT LIKE 'CREATE VIRTUAL%' AND upper(c.type) = 'TEXT'"
    ).fetchall()
    return {row for row in found if not row[0].startswith("sqlite_") and not row[0].endswith(SHADOWS)}


def named_columns() -> list[tuple[str, str]]:
    """Every (table, column) that the lists name, as often as they do."""
    swept = [(table, column) for table, _, columns, *_ in (*ROWS, *PARTS) for column in columns]
    tables = [*WITH_RECORD.items(), *WITH_OWNER.items(), *HARMLESS.items()]
    return [*swept, *((table, column) for table, columns in tables for column in columns)]


def test_every_column_with_text_is_swept_or_known_to_be_harmless(store: Connection) -> None:
    assert text_columns(store) - set(named_columns()) == set()


def test_lists_name_what_there_is_and_each_once(store: Connection) -> None:
    named = named_columns()
    assert sorted(set(named)) == sorted(named)
    assert set(named) - text_columns(store) == set()


def test_rows_of_a_record_go_with_it_unless_named(store: Connection) -> None:
    assert set(list_record_tables(store)) >= KEPT_BY_RECORD
    assert set(WITH_RECORD) - {"entities"} <= set(list_record_tables(store)) - KEPT_BY_RECORD
