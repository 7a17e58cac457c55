"""Where a text stands in what was tried: edits, checks, approaches with their lines, private rules."""

from __future__ import annotations

from engram_hooks.jsontext import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from sqlite3 import Connection

# table -> the rows that may hold a text: its id, then the texts
_SOURCES = {
    "edits": "SELECT id, path, plain(removed), plain(added) FROM edits",
    "check_runs": "SELECT id, tool, targets, plain(faults) FROM check_runs",
    "attempts": "SELECT a.id, a.intent, a.tool, a.targets, plain(a.faults), plain(a.cure), a.note, f.path,"
    " plain(f.removed), plain(f.added) FROM attempts AS a LEFT JOIN attempt_files AS f ON f.attempt_id = a.id",
    # those of a repository's file are compiled from it again
    "invariants": "SELECT id, name, text, why, since, symbol FROM invariants WHERE file = ''",
}


def find_tried(db: Connection, is_wanted: Callable[[str], bool]) -> Iterator[tuple[str, int, str]]:
    """(table, id, what it says) of the rows one of whose texts is wanted; none in a store that has no such tables."""
    known = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    for table, question in _SOURCES.items():
        for row_id, *columns in db.execute(question) if table in known else ():
            parts = [part for column in columns if column for part in _read_parts(column)]
            if any(is_wanted(part) for part in parts):
                yield table, row_id, " ".join(parts)


def _read_parts(text: str) -> Iterator[str]:
    """A text, or what a list in JSON is made of."""
    if not text.startswith("["):
        yield text
        return
    try:
        value = loads(text)
    except ValueError:
        value = text
    yield from _flatten(value)


def _flatten(value: object) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _flatten(item)
    elif isinstance(value, str) and value:
        yield value
