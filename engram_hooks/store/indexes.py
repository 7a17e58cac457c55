"""The full-text tables made anew from the rows they were fed from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_hooks.store.meta import get_fact, set_fact
from engram_hooks.store.transactions import Transaction
from engram_hooks.terms import content_terms, index_terms

if TYPE_CHECKING:
    from collections.abc import Callable
    from sqlite3 import Connection

TERMS_VERSION = 1  # raised with each change of what `engram_hooks.terms` makes of a text
MERGE_PAGES = 400
TERMS_FACT = "terms_version"

# full-text table -> (its columns, the rows it is fed with: id, then one text a column)
SOURCES = {
    "records_fts": ("summary, detail, tags", "SELECT id, summary, detail, tags FROM records"),
    "log_fts": ("text", "SELECT id, plain(text) FROM log"),
    "tool_events_fts": (
        "text",
        "SELECT id, target || ' ' || command || ' ' || error FROM tool_events WHERE outcome = 'failed'",
    ),
    "attempts_fts": ("text", "SELECT id, plain(terms) FROM attempts WHERE terms <> ''"),
}


# how a text becomes the terms of each table; approaches keep their terms themselves
FED = {"records_fts": index_terms, "log_fts": content_terms, "tool_events_fts": index_terms}


def merge_log_index(db: Connection) -> None:
    """Merge what hooks have added to the log's index, so that no hook ever has to.

    The index then leaves merging to this call (its own setting, kept in the database).
    """
    row = db.execute("SELECT v FROM log_fts_config WHERE k = 'automerge'").fetchone()
    with Transaction(db):
        if row is None or int(row[0]) != 0:
            db.execute("INSERT INTO log_fts (log_fts, rank) VALUES ('automerge', 0)")
        db.execute("INSERT INTO log_fts (log_fts, rank) VALUES ('merge', ?)", (MERGE_PAGES,))


def rebuild_outdated(db: Connection) -> bool:
    """Rebuild where the tables were fed by another version of the terms; returns whether that was so."""
    if get_fact(db, TERMS_FACT) == str(TERMS_VERSION):
        return False
    rebuild_indexes(db)
    return True


def rebuild_indexes(db: Connection, *, report: Callable[[str, int], None] | None = None) -> int:
    """Empty the full-text tables and feed them from the rows they belong to, in one transaction.

    `report` is told a table and how many rows it has now. Returns the number of rows. Raises a `StoreError`.
    """
    total = 0
    with Transaction(db):
        known = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        for table, (columns, source) in SOURCES.items():
            if table not in known:  # a store of fewer steps
                continue
            db.execute(f"INSERT INTO {table} ({table}) VALUES ('delete-all')")  # noqa: S608 (own names)
            marks = ", ".join("?" * (columns.count(",") + 2))
            count = 0
            for row_id, *texts in db.execute(source):
                fed = (row_id, *(_make_terms(table, str(text or "")) for text in texts))
                db.execute(f"INSERT INTO {table} (rowid, {columns}) VALUES ({marks})", fed)  # noqa: S608
                count += 1
            total += count
            if report:
                report(table, count)
        set_fact(db, TERMS_FACT, str(TERMS_VERSION))
    return total


def _make_terms(table: str, text: str) -> str:
    return FED[table](text) if table in FED else text
