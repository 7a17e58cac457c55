"""Which files of the head import which, kept up to date: read where a content is new, tied anew where paths are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from posixpath import basename, dirname
from sqlite3 import Connection

from engram_hooks.history.imports import PathIndex, imports_of, link
from engram_hooks.history.languages import language_of
from engram_hooks.history.roles import NOISE
from engram_hooks.history.tree import read_texts
from engram_hooks.store import index_partners
from engram_hooks.store.index_partners import FileEntry
from engram_hooks.store.transactions import Transaction

# in these languages the files of a folder see each other without an import
_PACKAGES = frozenset(("go", "java", "kotlin", "scala", "swift", "csharp"))


def is_hidden(path: str, other: str, *, is_linked: bool) -> bool:
    """Whether no import tells of two files: sources of which neither names the other, nor needs to."""
    one, two = language_of(path), language_of(other)
    if is_linked or not one or not two:
        return False
    return not (one == two and one in _PACKAGES and dirname(path) == dirname(other))


def refresh(
    db: Connection, root: str, files: Iterable[FileEntry], *, environ: Mapping[str, str] | None = None
) -> None:
    """Bring imports and links to the head that the index stands at, and say of partners what that changes.

    `files`: all that the index knows. Raises `GitError` and `StoreError`.
    """
    everything = {entry.id: entry for entry in files}
    present = {number: entry for number, entry in everything.items() if entry.blob is not None}
    sources = {number: entry for number, entry in present.items() if _is_source(entry)}
    known = index_partners.read_imports(db)
    stale = [entry for entry in sources.values() if known.get(entry.id, (b"",))[0] != entry.blob]
    gone = [number for number in known if number not in sources]
    if not stale and not gone:
        return
    names = {number: text for number, (_, text) in known.items() if number in sources}
    names.update(_read_names(root, stale, environ=environ))
    todo = {entry.id for entry in stale}
    if known:
        moved = [*gone, *(number for number in todo if number not in known)]
        todo |= _list_mentioning(names, [everything[number].path for number in moved])
    links = _resolve(present, {number: names[number] for number in todo})
    links.update((number, set()) for number in gone)
    with Transaction(db):
        found = [(entry.id, entry.blob or b"", names[entry.id]) for entry in stale]
        index_partners.put_imports(db, found, gone)
        _put_links(db, links, present)


def _read_names(
    root: str, entries: Iterable[FileEntry], *, environ: Mapping[str, str] | None
) -> dict[int, str]:
    """file -> the names that it imports, one a line."""
    listed = list(entries)
    texts = read_texts(root, ((entry.blob or b"").hex() for entry in listed), environ=environ)
    return {
        entry.id: "\n".join(sorted(imports_of(entry.path, text))) if text else ""
        for entry, (_, text) in zip(listed, texts, strict=True)
    }


def _list_mentioning(names: Mapping[int, str], paths: Iterable[str]) -> set[int]:
    """The files whose imports may name one of some paths, by file or by folder."""
    words = {
        word for path in paths for word in (basename(path).split(".")[0], basename(dirname(path))) if word
    }
    return {number for number, text in names.items() if any(word in text for word in words)}


def _resolve(present: Mapping[int, FileEntry], names: Mapping[int, str]) -> dict[int, set[int]]:
    """file -> the files of the head that its imports are."""
    ids = {entry.path: number for number, entry in present.items()}
    index = PathIndex(ids)
    return {
        number: {ids[path] for path in link(present[number].path, text.split("\n"), index)} if text else set()
        for number, text in names.items()
    }


def _put_links(db: Connection, links: Mapping[int, set[int]], present: Mapping[int, FileEntry]) -> None:
    """Write the links that are other than they were."""
    before = index_partners.read_links(db)
    changed = {number: others for number, others in links.items() if others != before.get(number, set())}
    index_partners.put_links(db, changed)
    after = {**before, **changed}
    pairs = [
        (number, other)
        for number, others in changed.items()
        for other in others ^ before.get(number, set())
        if number in present and other in present
    ]
    index_partners.set_hidden(
        db,
        [
            (
                one,
                other,
                is_hidden(
                    present[one].path,
                    present[other].path,
                    is_linked=other in after.get(one, ()) or one in after.get(other, ()),
                ),
            )
            for one, other in pairs
        ],
    )


def _is_source(entry: FileEntry) -> bool:
    return bool(language_of(entry.path)) and entry.role not in NOISE
