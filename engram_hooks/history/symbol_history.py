"""The symbols of the head and the commits that touched each: lines carried back from where they stand now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from sqlite3 import Connection
from typing import TYPE_CHECKING, NamedTuple

from engram_hooks.history.edits import Lines
from engram_hooks.history.guarding import Guarding, is_guarded
from engram_hooks.history.languages import language_of
from engram_hooks.history.lineage import Lineage, Version, trace_lines
from engram_hooks.history.roles import NOISE, role_of
from engram_hooks.history.tree import read_texts, read_tree
from engram_hooks.store import index_changes, index_commits
from engram_hooks.store.index_changes import SymbolRow
from engram_hooks.store.index_ownership import GuardRow, has_sources
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from engram_hooks.history.symbols import Symbol

BATCH_FILES = 64
MAX_SYMBOLS = 5_000  # of one file whose history is traced


class Chosen(NamedTuple):
    """A file of the head that is read."""

    file_id: int
    path: str
    blob: str


def mark(db: Connection, commit_ids: Iterable[int], *, is_forward: bool = False) -> None:
    """Have what these commits touched traced again, where `is_forward` down to what is known; within a transaction."""
    index_changes.mark_touched(db, commit_ids, is_forward=is_forward)


def clear_tree(db: Connection) -> None:
    """The head has no files; the caller holds the transaction."""
    index_changes.set_tree(db, {}, role_of)


def refresh(
    db: Connection,
    root: str,
    head: str,
    *,
    environ: Mapping[str, str] | None = None,
    tell: Callable[[str, int, int], None],
) -> None:
    """Read the symbols of the files that are not as they were, and trace each through its file's history.

    Kept in batches. Raises `GitError` and `StoreError`.
    """
    tree = read_tree(root, head, environ=environ)
    with Transaction(db):
        index_changes.set_tree(db, tree, role_of)
    todo = index_changes.list_unparsed(db)
    chosen = [
        Chosen(file_id, path, tree[path])
        for file_id, path, _ in todo
        if path in tree and (_is_code(path) or (is_guarded(path) and has_sources(db, file_id)))
    ]
    if chosen:
        _read_files(db, root, chosen, environ=environ, tell=tell)
    rest = {file_id for file_id, _, _ in todo} - {file.file_id for file in chosen}
    index_changes.put_symbols(db, [(file_id, ()) for file_id in rest])
    with Transaction(db):
        index_commits.set_facts(db, {"symbols_head": head})


def _read_files(
    db: Connection,
    root: str,
    files: Sequence[Chosen],
    *,
    environ: Mapping[str, str] | None,
    tell: Callable[[str, int, int], None],
) -> None:
    """The symbols of files with their histories, and the guards of their lines, in batches."""
    from engram_hooks.history.symbols import (
        parse,
    )  # the parsers of all languages: only where something is parsed

    lineage = Lineage(db)
    guarding = Guarding(lineage)
    texts = read_texts(root, (file.blob for file in files), environ=environ)
    batch: list[tuple[int, Sequence[SymbolRow]]] = []
    guards: dict[int, Sequence[GuardRow]] = {}
    for number, (file, (_, text)) in enumerate(zip(files, texts, strict=True), 1):
        version = file.file_id, index_commits.pack_blob(file.blob) or b""
        symbols = parse(file.path, text) if text and _is_code(file.path) else []
        batch.append((file.file_id, _trace(lineage, version, symbols)))
        if text and is_guarded(file.path):
            guards[file.file_id] = guarding.make(version, file.path, text)
        if len(batch) >= BATCH_FILES:
            index_changes.put_symbols(db, batch, guards)
            batch.clear()
            guards.clear()
            lineage.forget()
            guarding.forget()
        tell("files", number, len(files))
    index_changes.put_symbols(db, batch, guards)


def _trace(lineage: Lineage, version: Version, symbols: Sequence[Symbol]) -> list[SymbolRow]:
    lines: dict[int, Lines] = {
        number: (symbol.line - 1, symbol.end) for number, symbol in enumerate(symbols[:MAX_SYMBOLS])
    }
    touched = trace_lines(version, lines, lineage.links_to, known_of=lineage.known_of)
    return [
        SymbolRow(
            symbol.name,
            symbol.qualified,
            symbol.kind,
            symbol.start,
            symbol.line,
            symbol.end,
            [(commit_id, added, removed) for commit_id, (added, removed) in touched.get(number, {}).items()],
        )
        for number, symbol in enumerate(symbols)
    ]


def _is_code(path: str) -> bool:
    return bool(language_of(path, "")) and role_of(path) not in NOISE
