"""What an index answers about a file or a symbol: the commits that made it what it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from posixpath import basename
from sqlite3 import Connection

from engram_hooks.errors import EngramError
from engram_hooks.history.lineage import Lineage, trace_file
from engram_hooks.history.places import spellings
from engram_hooks.store import index_queries
from engram_hooks.store.index_queries import CommitEntry, SymbolEntry

MAX_NEAR = 5


@dataclass(frozen=True, slots=True)
class Story:
    """The commits of a file or symbol, newest first; `lines`: commit id -> (lines added, lines removed) there."""

    path: str
    symbols: tuple[str, ...]
    commits: tuple[CommitEntry, ...]
    lines: dict[int, tuple[int, int]]


def tell_story(db: Connection, path: str, symbol: str | None = None) -> Story:
    """The commits that touched a file through its renames, or a symbol of it as it stands in the head.

    Raises `EngramError` for a file or symbol that the index does not know.
    """
    found = index_queries.find_file(db, spellings(path))
    if found is None:
        raise unknown_file(db, path)
    file_id, blob = found
    if symbol:
        symbols = find_symbols(db, file_id, path, symbol)
        lines = index_queries.changes_of_symbols(db, (entry.id for entry in symbols))
        commits = index_queries.read_commits(db, lines)
        return Story(path, tuple(dict.fromkeys(entry.qualified for entry in symbols)), tuple(commits), lines)
    blob = blob or index_queries.last_blob(db, file_id)
    ids = trace_file((file_id, blob), Lineage(db).links_to) if blob else []
    return Story(path, (), tuple(index_queries.read_commits(db, ids)), {})


def unknown_file(db: Connection, path: str) -> EngramError:
    """What to say of a path that the index does not know."""
    hint = hint_files(db, path) or "engram index, where it is new"
    return EngramError(f"{path} is not in the index", hint=hint)


def hint_files(db: Connection, path: str) -> str:
    """Where a path is no file of the head, what may be meant: files of that name or one spelt like it; '' for none."""
    from difflib import get_close_matches

    paths = index_queries.list_paths(db)
    if path == "." or any(one.startswith(f"{path}/") for one in paths):
        return "that is a folder: name a file in it"
    by_name: dict[str, list[str]] = {}
    for one in paths:
        by_name.setdefault(basename(one), []).append(one)
    name = basename(path)
    names = [name] if name in by_name else get_close_matches(name, by_name, n=MAX_NEAR, cutoff=0.8)
    found = [one for near in names for one in by_name[near]]
    told = ", ".join(found[:MAX_NEAR])
    return f"there {'is' if len(found) == 1 else 'are'} {told}" if found else ""


def find_symbols(db: Connection, file_id: int, path: str, name: str) -> list[SymbolEntry]:
    """The symbols of a file that a name means. Raises `EngramError` where there is none."""
    symbols = index_queries.list_symbols(db, file_id)
    found = index_queries.match_symbols(symbols, name)
    if found:
        return found
    near = list_near(name, symbols)
    hint = f"there are: {', '.join(near)}" if near else f"engram history {path}"
    raise EngramError(f"{path} has no symbol {name!r} in the index", hint=hint)


def list_near(name: str, symbols: Iterable[SymbolEntry]) -> list[str]:
    """The names of symbols that are spelt like one that is not there, nearest first, each once."""
    from difflib import get_close_matches

    return get_close_matches(name, dict.fromkeys(symbol.qualified for symbol in symbols), n=MAX_NEAR)
