"""Bring a project's index up to a revision of its repository: incremental, and safe to be killed at any moment."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from sqlite3 import Connection

from engram_hooks.history import git, pairing, symbol_history, undoing_links
from engram_hooks.history.rows import Row, RowMaker
from engram_hooks.history.walk import read_boundary, resolve, walk_commits
from engram_hooks.store import index_commits, index_create, index_queries
from engram_hooks.store.index_files import index_path
from engram_hooks.store.transactions import Transaction

BATCH_COMMITS = 400
BATCH_S = 2.0
LIST_TIMEOUT_S = 600.0
# what is told while it works: the stage, how many are done, how many there are
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What an index holds after a run: counts of what is in the head, and how many commits were new."""

    head: str
    commits: int
    new_commits: int
    files: int
    symbols: int
    is_shallow: bool
    size_bytes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Source:
    """The repository to read: a checkout or git folder, the revision, the environment for git."""

    root: str
    rev: str = "HEAD"
    environ: Mapping[str, str] | None = None


def index_repository(
    data: str, project_uid: str, source: Source, *, now_ms: int, on_progress: Progress | None = None
) -> IndexReport:
    """Read what is new in a repository into the index of a project; returns what the index holds then.

    `data` is the data folder. Work is kept in batches: killed at any moment, the next run goes on from there.
    Raises `GitError` where git cannot be run or refuses the repository (the index stays as it is), `StoreBusy`
    where another process indexes the project, else a `StoreError`.
    """
    began = time.monotonic()
    head = resolve(source.root, source.rev, environ=source.environ)
    boundary = read_boundary(source.root, environ=source.environ)
    with index_create.hold_index(data, project_uid), _collector_paused():
        db = index_create.ensure_index(data, project_uid)
        try:
            new = _bring_up(db, source, head, boundary=boundary, tell=on_progress or _tell_nobody)
            with Transaction(db):
                index_commits.set_facts(db, {"indexed_at": str(now_ms)})
            index_create.settle(db)
            return _report(db, data, project_uid, head=head, new=new, seconds=time.monotonic() - began)
        finally:
            db.close()


def _bring_up(db: Connection, source: Source, head: str, *, boundary: frozenset[str], tell: Progress) -> int:
    """All steps in order; each ends with a fact that says for which head it is done."""
    if not head:
        _empty(db)
        return 0
    edge = hashlib.sha256(" ".join(sorted(boundary)).encode()).hexdigest() if boundary else ""
    new = 0
    if index_commits.read_fact(db, "head") != head or index_commits.read_fact(db, "boundary") != edge:
        new = _read_commits(db, source, head, edge=edge, tell=tell)
    if index_commits.read_fact(db, "symbols_head") != head:
        symbol_history.refresh(db, source.root, head, environ=source.environ, tell=tell)
    if pairing.is_due(db, head):
        pairing.refresh(db, source.root, head, environ=source.environ, tell=tell)
    return new


def _read_commits(db: Connection, source: Source, head: str, *, edge: str, tell: Progress) -> int:
    """Read the commits that are missing, then move the index to the new head."""
    last = index_commits.read_fact(db, "head")
    is_complete = bool(last) and index_commits.read_fact(db, "boundary") == edge and _is_known(source, last)
    listed = _list_commits(source, head, after=last if is_complete else "")
    known = index_commits.known_hashes(db, listed)
    missing = [name for name in listed if name not in known]
    maker = RowMaker()
    batch: list[Row] = []
    written_at = time.monotonic()
    walk = walk_commits(source.root, hashes=missing, environ=source.environ)
    for number, commit in enumerate(walk, 1):
        batch.append(maker.make(commit))
        if len(batch) >= BATCH_COMMITS or time.monotonic() - written_at > BATCH_S:
            index_commits.add_batch(db, batch)
            batch.clear()
            written_at = time.monotonic()
        tell("commits", number, len(missing))
    index_commits.add_batch(db, batch)
    is_forward = is_complete and _is_ancestor(source, last, head)
    with Transaction(db):
        shown = listed if is_forward else _list_commits(source, head, after="") if is_complete else listed
        moved = index_commits.show(db, shown, is_all=not is_forward)
        symbol_history.mark(db, moved, is_forward=is_forward)
        pairing.mark(db, moved, is_forward=is_forward)
        undoing_links.resolve(db, moved)
        index_commits.set_facts(
            db, {"head": head, "boundary": edge, "symbols_head": "", "is_shallow": "1" if edge else ""}
        )
    return len(missing)


def _list_commits(source: Source, head: str, *, after: str) -> list[str]:
    """The hashes of a commit and its ancestors, newest first, without `after` and its ancestors."""
    query = ["rev-list", "--topo-order", head, *([f"^{after}"] if after else []), "--"]
    listing = git.run(query, source.root, environ=source.environ, timeout_s=LIST_TIMEOUT_S)
    return listing.decode("ascii").split()


def _is_known(source: Source, name: str) -> bool:
    """Whether the repository (still) has a commit; after a rewrite and a cleaning it may be gone."""
    try:
        git.run(["cat-file", "-e", f"{name}^{{commit}}"], source.root, environ=source.environ)
    except git.GitMissing:
        raise
    except git.GitError:
        return False
    return True


def _is_ancestor(source: Source, name: str, head: str) -> bool:
    query = ["rev-list", "--max-count=1", name, f"^{head}", "--"]
    return not git.run(query, source.root, environ=source.environ, timeout_s=LIST_TIMEOUT_S).strip()


def _empty(db: Connection) -> None:
    """A repository without commits: what was in sight is out of it."""
    with Transaction(db):
        symbol_history.mark(db, index_commits.show(db, [], is_all=True))
        symbol_history.clear_tree(db)
        index_commits.set_facts(db, {"head": "", "boundary": "", "symbols_head": "", pairing.FACT: ""})


def _report(
    db: Connection, data: str, project_uid: str, *, head: str, new: int, seconds: float
) -> IndexReport:
    commits, files, symbols = index_queries.count_in_head(db)
    path = index_path(data, project_uid)
    size = sum(os.stat(name).st_size for name in (path, f"{path}-wal") if os.path.exists(name))
    is_shallow = bool(index_commits.read_fact(db, "is_shallow"))
    return IndexReport(head, commits, new, files, symbols, is_shallow, size, round(seconds, 2))


@contextlib.contextmanager
def _collector_paused() -> Iterator[None]:
    """No search for cycles meanwhile: rows are many and hold none, and looking costs a tenth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _tell_nobody(_stage: str, _done: int, _total: int) -> None:
    return
