"""The partners of the head's files, kept up to date: what changes together, and whether an import tells of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from operator import neg
from sqlite3 import Connection

from engram_hooks.history import cochange, import_graph
from engram_hooks.history.companions import Companions
from engram_hooks.history.naming import Names
from engram_hooks.store import index_commits, index_partners
from engram_hooks.store.index_partners import PartnerRow
from engram_hooks.store.transactions import Transaction

FACT = "partners_head"
BATCH_FILES = 256


def mark(db: Connection, commit_ids: Iterable[int], *, is_forward: bool) -> None:
    """Have the partners of what these commits touched found anew; the caller holds the transaction."""
    if index_commits.read_fact(db, FACT):
        index_partners.mark_unpaired(db, commit_ids, is_forward=is_forward)


def is_due(db: Connection, head: str) -> bool:
    """Whether the partners are not those of a head."""
    return index_commits.read_fact(db, FACT) != head or index_partners.has_unpaired(db)


def refresh(
    db: Connection,
    root: str,
    head: str,
    *,
    environ: Mapping[str, str] | None = None,
    tell: Callable[[str, int, int], None],
) -> None:
    """Find the partners of files that are not as they were, of all where nothing is known yet.

    Kept in batches; the symbols of the head are there already. Raises `GitError` and `StoreError`.
    """
    files = index_partners.list_files(db)
    import_graph.refresh(db, root, files, environ=environ)
    companions = Companions(db, files)
    names = Names(companions.files)
    is_first = not index_commits.read_fact(db, FACT)
    if is_first:
        companions.read_all()
    todo = sorted(companions.files if is_first else _list_due(db, companions, names))
    links = index_partners.read_links(db)
    with Transaction(db):
        index_partners.drop_partners(db, is_all=is_first)
    for start in range(0, len(todo), BATCH_FILES):
        batch = todo[start : start + BATCH_FILES]
        found = {file_id: _pair(companions, names, file_id, links=links) for file_id in batch}
        with Transaction(db):
            index_partners.put_partners(db, found)
        tell("partners", start + len(batch), len(todo))
    with Transaction(db):
        index_partners.forget_unpaired(db)
        index_commits.set_facts(db, {FACT: head})


def _list_due(db: Connection, companions: Companions, names: Names) -> set[int]:
    """The files of the head whose partners may be others now."""
    due = set()
    for file_id, is_reshaped in index_partners.read_unpaired(db).items():
        heir = companions.heir_of(file_id)
        if heir is not None:
            due.add(heir)
        if is_reshaped:
            due |= companions.neighbours_of(file_id)
            due.update(names.with_stem(companions.path_of(file_id)))
    return due


def _pair(
    companions: Companions, names: Names, file_id: int, *, links: Mapping[int, set[int]]
) -> list[PartnerRow]:
    """The partners of one file."""
    path, role = companions.files[file_id]
    tally = companions.tally(file_id)
    newest_first = list(map(neg, companions.moments_of(file_id)))

    def look_at(other: int) -> tuple[str, bool]:
        mate, kind = companions.files[other]
        return mate, kind == role

    def count_chances(other: int) -> int:
        return bisect_right(newest_first, -companions.moments_of(other)[-1])

    found = cochange.rank(tally, named=names.related_to(file_id), look_at=look_at, chances_of=count_chances)
    own = links.get(file_id, ())
    return [
        PartnerRow(
            mate.key,
            round(mate.score, 6),
            mate.support,
            tally.total,
            import_graph.is_hidden(
                path,
                companions.files[mate.key][0],
                is_linked=mate.key in own or file_id in links.get(mate.key, ()),
            ),
            mate.speaks,
        )
        for mate in found
    ]
