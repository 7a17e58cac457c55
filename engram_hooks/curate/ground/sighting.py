"""Looking at a project's repository for its records: the lines that count, and what has to be read of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from sqlite3 import Connection
from typing import TYPE_CHECKING

from engram_hooks.curate.ground.anchors import Sight
from engram_hooks.errors import StoreError
from engram_hooks.history import commits, merges
from engram_hooks.history.snapshot import Snapshot, load_texts
from engram_hooks.history.vanished import Departures, list_departures
from engram_hooks.history.walk import read_boundary
from engram_hooks.store import branches, index_changes, index_queries, projects
from engram_hooks.store.anchors import COMMIT, Anchor
from engram_hooks.store.branches import MERGED
from engram_hooks.store.index_files import open_index

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engram_hooks.curate.ground.mainline import Mainline

MAX_DECLARING = 4


@dataclass(slots=True)
class Repository:
    """The repository of one refresh: the mainline, and the branches of records as far as they count.

    `unseen` are branches that are not merged and whose commits are gone: nobody knows what their files are.
    """

    project_id: int
    line: Mainline
    environ: Mapping[str, str]
    main: Snapshot
    own: Mapping[str, Snapshot]
    define: Callable[[str], Sequence[str]]
    is_shallow: bool
    _merged: dict[str, str] = field(default_factory=dict)
    unseen: frozenset[str] = frozenset()
    _departures: tuple[int, Departures] | None = None

    @property
    def root(self) -> str:
        """The folder that git is run in."""
        return self.line.root

    def sight_of(self, branch: str) -> Sight:
        """What a record of a branch ('' none) is looked at with: that branch until it is merged, and the mainline."""
        own = self.own.get(branch)
        return Sight((own, self.main) if own else (self.main,), define=self.define)

    def read(self, blobs: Iterable[str]) -> dict[str, str]:
        """Blob -> text. Raises `GitError`."""
        return load_texts(self.root, blobs, environ=self.environ)

    def name_commits(self, names: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
        """(full name by the one that was typed, mark by the full name) of commits that there are. Raises `GitError`."""
        found = commits.find_commits(self.root, names, environ=self.environ)
        return found, commits.mark_commits(self.root, found.values(), environ=self.environ)

    def list_departures(self, since_ms: int) -> Departures:
        """The files that the mainline lost since a moment, or an earlier one. Raises `GitError`."""
        if self._departures is None or since_ms < self._departures[0]:
            went = list_departures(self.root, self.line.tips, since_ms=since_ms, environ=self.environ)
            self._departures = since_ms, went
        return self._departures[1]

    def find_lost(self, anchors: Iterable[Anchor]) -> dict[str, str]:
        """Commit that no branch holds any more -> what it is called now, '' for nothing. Raises `GitError`.

        A shallow clone does not say what there was before, so nothing is lost in it.
        """
        marks = {one.place: one.content for one in anchors if one.kind == COMMIT}
        if not marks or self.is_shallow:
            return {}
        lost = commits.find_lost(self.root, list(marks), environ=self.environ)
        new = commits.find_rewritten(self.root, [marks[name] for name in lost], environ=self.environ)
        return {name: new.get(marks[name]) or self._find_merging(name) for name in lost}

    def _find_merging(self, commit: str) -> str:
        """The commit by which the mainline got a branch that held this one, '' for none."""
        if commits.find_commits(self.root, [commit], environ=self.environ):
            for tip, merged_as in self._merged.items():
                ends = merges.Line(self.root, [tip], self.environ)
                if merges.has_commit(ends, tip) and merges.is_contained(ends, commit):
                    return merged_as
        return ""


@contextmanager
def open_repository(
    db: Connection,
    data: str,
    project_id: int,
    line: Mainline,
    *,
    environ: Mapping[str, str],
    since: Mapping[str, Sequence[str]],
    branch: str = "",
) -> Iterator[Repository]:
    """A project's repository for the time of a refresh; `since` are the ends of its lines at the last one, by branch.

    The mainline is `''` there. `branch` counts, too, if no record was made on it yet. Raises `GitError`.
    """
    own, unseen, merged = _see_branches(db, project_id, line, environ=environ, since=since)
    if branch in line.refs.heads and branch != line.name:
        own[branch] = Snapshot(line.root, [line.refs.heads[branch]], (), environ)
    index = _open_index(db, data, project_id)
    try:
        main = _Indexed(line.root, line.tips, since.get("", ()), environ, index=index)
        is_shallow = bool(read_boundary(line.root, environ=environ))
        yield Repository(project_id, line, environ, main, own, _definer(index), is_shallow, merged, unseen)
    finally:
        if index is not None:
            index.close()


def _see_branches(
    db: Connection,
    project_id: int,
    line: Mainline,
    *,
    environ: Mapping[str, str],
    since: Mapping[str, Sequence[str]],
) -> tuple[dict[str, Snapshot], frozenset[str], dict[str, str]]:
    """(branches that are not merged, those of them that nobody can see, the last commit of others -> their merge)."""
    known = branches.read_branches(db, project_id)
    ends = merges.Line(line.root, line.tips, environ)
    own = {
        name: Snapshot(line.root, [one.tip], since.get(name, ()), environ)
        for name, one in known.items()
        if one.state != MERGED and one.tip and merges.has_commit(ends, one.tip)
    }
    unseen = frozenset(name for name, one in known.items() if one.state != MERGED and name not in own)
    return own, unseen, {one.tip: one.merged_as for one in known.values() if one.state == MERGED and one.tip}


@dataclass(slots=True)
class _Indexed(Snapshot):
    """The mainline with an index beside it, which knows older renames, too."""

    index: Connection | None = None

    def moved(self, path: str) -> str:
        new = Snapshot.moved(self, path)
        if not new and self.index is not None:
            new = index_changes.renamed_to(self.index, path)
        return new if new in self.tree else ""


def _open_index(db: Connection, data: str, project_id: int) -> Connection | None:
    try:
        return open_index(data, projects.uid_of(db, project_id))
    except StoreError:
        return None


def _definer(index: Connection | None) -> Callable[[str], Sequence[str]]:
    """Finds the files that declare a symbol, in the indexed head; none where there is no index."""
    known: dict[str, Sequence[str]] = {}

    def define(name: str) -> Sequence[str]:
        bare = name.rpartition(".")[2]
        if index is None:
            return ()
        if bare not in known:
            found = index_queries.find_declaring(index, bare, limit=MAX_DECLARING)
            known[bare] = found if len(found) < MAX_DECLARING else ()
        return known[bare]

    return define
