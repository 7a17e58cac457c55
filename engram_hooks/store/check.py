"""Whether a store is whole: pages, tables, full text, references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_hooks.store.connect import DatabaseError, connect_file, run
from engram_hooks.store.indexes import SOURCES, TERMS_FACT, TERMS_VERSION
from engram_hooks.store.meta import get_fact
from engram_hooks.store.migrate import migrate
from engram_hooks.store.schema import STEPS

if TYPE_CHECKING:
    from sqlite3 import Connection

MAX_PAGE_FAULTS = 10

# child table, its column, parent table, the parent's column; 0 stands for "none" or the global layer
REFERENCES = (
    ("evidence", "record_id", "records", "id"),
    ("log", "session_id", "sessions", "id"),
    ("transcripts", "session_id", "sessions", "id"),
    ("prompts", "session_id", "sessions", "id"),
    ("tool_events", "session_id", "sessions", "id"),
    ("tool_uses", "event_id", "tool_events", "id"),
    ("shown", "record_id", "records", "id"),
    ("verdicts", "shown_id", "shown", "id"),
    ("usage", "record_id", "records", "id"),
    ("feedback", "record_id", "records", "id"),
    ("edits", "session_id", "sessions", "id"),
    ("check_runs", "session_id", "sessions", "id"),
    ("attempts", "session_id", "sessions", "id"),
    ("attempt_files", "attempt_id", "attempts", "id"),
    ("invariant_keys", "invariant_id", "invariants", "id"),
    ("records", "superseded_by", "records", "id"),
    ("vectors", "record_id", "records", "id"),
    ("vectors", "model_id", "vector_models", "id"),
    ("vector_todo", "record_id", "records", "id"),
    ("vector_segments", "model_id", "vector_models", "id"),
)


def check_store(db: Connection) -> list[str]:
    """One sentence for each fault found, none for a whole store; changes nothing."""
    faults = _check_pages(db)
    if faults:
        return faults
    try:
        return [*_check_tables(db), *_check_full_text(db), *_check_references(db)]
    except DatabaseError as error:
        return [f"the store cannot be read through: {error}"]


def project_tables(db: Connection) -> list[str]:
    """The tables whose rows belong to a project, read from the schema."""
    found = (
        "SELECT t.name FROM sqlite_master t JOIN pragma_table_info(t.name) c ON c.name = 'project_id'"
        " WHERE t.type = 'table' ORDER BY t.name"
    )
    return [str(name) for (name,) in db.execute(found)]


def _check_pages(db: Connection) -> list[str]:
    try:
        rows = db.execute(f"PRAGMA integrity_check({MAX_PAGE_FAULTS})").fetchall()
    except DatabaseError as error:
        return [f"the file is damaged: {error}"]
    return [f"the file is damaged: {text}" for (text,) in rows if text != "ok"]


def _check_tables(db: Connection) -> list[str]:
    fresh = connect_file("", "mode=memory")
    try:
        run(lambda: migrate(fresh, STEPS))
        wanted, found = _names(fresh), _names(db)
    finally:
        fresh.close()
    return [f"the {kind} {name} is missing" for kind, name in sorted(wanted - found)]


def _names(db: Connection) -> set[tuple[str, str]]:
    return set(db.execute("SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'"))


def _check_full_text(db: Connection) -> list[str]:
    faults = []
    if get_fact(db, TERMS_FACT) != str(TERMS_VERSION):
        faults.append("the full text was made by another version")
    for table, (_, source) in SOURCES.items():
        # the words themselves are not kept; the ids are, in a table of the index
        missing, extra = (
            int(db.execute(f"SELECT count(*) FROM ({one} EXCEPT {other})").fetchone()[0])  # noqa: S608 (own names)
            for one, other in (
                (f"SELECT id FROM ({source})", f"SELECT id FROM {table}_docsize"),  # noqa: S608
                (f"SELECT id FROM {table}_docsize", f"SELECT id FROM ({source})"),  # noqa: S608
            )
        )
        if missing or extra:
            faults.append(f"{table} lacks {missing} rows and has {extra} too many")
    return faults


def _check_references(db: Connection) -> list[str]:
    faults = []
    rows = [*REFERENCES, *((table, "project_id", "projects", "id") for table in project_tables(db))]
    for child, column, parent, key in rows:
        strays = db.execute(
            f"SELECT count(*) FROM {child} WHERE {column} IS NOT NULL AND {column} <> 0"  # noqa: S608 (own names)
            f" AND {column} NOT IN (SELECT {key} FROM {parent})"
        ).fetchone()[0]
        if strays:
            faults.append(f"{strays} rows of {child} point at {parent} that do not exist")
    return faults
