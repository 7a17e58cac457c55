"""Which files of the head each commit changed together, in order of time, through renames; noise is left out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from sqlite3 import Connection

from engram_hooks.history.cochange import Tally, tally_of
from engram_hooks.history.late import LatePattern
from engram_hooks.history.roles import NOISE
from engram_hooks.store import index_partners
from engram_hooks.store.index_partners import FileEntry

MAX_FILES = 30  # of a commit from which anything is concluded
MAX_COMMITS = 1_000  # of one file, the newest; older ones would count less than a hundredth
# kept with every change, whatever it is: they say nothing about the code around
_BOOKKEEPING = LatePattern(
    r"(^|/)((change(s|log)?|history|news|release[-_ ]?notes?|releases|whats[-_]?new|authors|contributors|version)"
    r"([-_][^/]*)?(\.(md|rst|txt|markdown|adoc))?|__version__\.py|(changelog|changes|newsfragments|news)/.*)$",
    re.IGNORECASE,
)


def is_quiet(path: str, role: str) -> bool:
    """Whether that a file changed says nothing: change logs, lists of authors, versions, lock and generated files."""
    return role in NOISE or _BOOKKEEPING.search(path) is not None


class Companions:
    """The commits of an index as sets of files; read where they are asked for, all at once by `read_all`.

    A moment is the place of a commit in the order of time. A file that was renamed is the one that it became.
    """

    def __init__(self, db: Connection, files: Iterable[FileEntry] | None = None) -> None:
        """Take an index, and all its files where they are at hand; it must not change meanwhile."""
        self._db = db
        self._known = {entry.id: entry for entry in files or index_partners.list_files(db)}
        self._quiet: dict[int, bool] = {}
        self.files = {
            entry.id: (entry.path, entry.role)
            for entry in self._known.values()
            if entry.blob is not None and not self._is_quiet(entry.id)
        }
        self._commits = index_partners.list_evidence(db, max_files=MAX_FILES)
        self._moments = {commit_id: moment for moment, commit_id in enumerate(self._commits)}
        self._heirs = dict(index_partners.list_renames(db))
        self._origins: dict[int, list[int]] = {}
        self._formers: dict[int, list[int]] = {}
        for former, later in self._heirs.items():
            self._origins.setdefault(later, []).append(former)
            heir = self.heir_of(former)
            if heir is not None and heir != former:
                self._formers.setdefault(heir, []).append(former)
        self._moments_of: dict[int, list[int]] = {}
        self._changed: dict[int, tuple[tuple[int, ...], int]] = {}

    def read_all(self) -> None:
        """Read every commit in one pass, for when most are asked for."""
        changed: dict[int, list[int]] = {}
        for commit_id, file_id in index_partners.list_changes(self._db):
            moment = self._moments.get(commit_id)
            if moment is not None:
                changed.setdefault(moment, []).append(file_id)
        found: dict[int, list[int]] = {file_id: [] for file_id in self.files}
        for moment in sorted(changed, reverse=True):
            self._changed[moment] = self._gather(changed[moment])
            for file_id in self._changed[moment][0]:
                found[file_id].append(moment)
        self._moments_of = found

    def path_of(self, file_id: int) -> str:
        """The path of a file, of the head or not."""
        return self._known[file_id].path

    def heir_of(self, file_id: int) -> int | None:
        """The file of the head that a file is, or became by renames; None where there is none that says anything."""
        seen = set()
        while self._known[file_id].blob is None and file_id in self._heirs and file_id not in seen:
            seen.add(file_id)
            file_id = self._heirs[file_id]
        return file_id if file_id in self.files else None

    def moments_of(self, file_id: int) -> list[int]:
        """When a file of the head changed, newest first."""
        if file_id not in self._moments_of:
            names = (file_id, *self._formers.get(file_id, ()))
            commits = {one for name in names for one in index_partners.list_commits_of(self._db, name)}
            moments = {self._moments[one] for one in commits if one in self._moments}
            self._moments_of[file_id] = sorted(moments, reverse=True)
        return self._moments_of[file_id]

    def changed_at(self, moment: int) -> tuple[tuple[int, ...], int]:
        """(files of the head, how many files in all) that a commit changed, those that say nothing left out."""
        if moment not in self._changed:
            ids = index_partners.list_files_of(self._db, self._commits[moment])
            self._changed[moment] = self._gather(ids)
        return self._changed[moment]

    def commit_at(self, moment: int) -> int:
        """The commit at a moment."""
        return self._commits[moment]

    def moment_of(self, commit_id: int) -> int | None:
        """The place of a commit in the order of time, None for one from which nothing is concluded."""
        return self._moments.get(commit_id)

    def tally(self, file_id: int) -> Tally[int]:
        """The votes of a file's newest commits for what changed along."""
        commits = map(self.changed_at, self.moments_of(file_id)[:MAX_COMMITS])
        return tally_of(([one for one in files if one != file_id], size) for files, size in commits)

    def neighbours_of(self, file_id: int) -> set[int]:
        """Files of the head that ever changed with a file, be it of the head or not, under any of its names."""
        names, moments = [file_id], set[int]()
        for name in names:
            names += [former for former in self._origins.get(name, ()) if former not in names]
            commits = index_partners.list_commits_of(self._db, name)
            moments.update(self._moments[one] for one in commits if one in self._moments)
        return {other for moment in moments for other in self.changed_at(moment)[0]}

    def _gather(self, ids: list[int]) -> tuple[tuple[int, ...], int]:
        telling = [number for number in ids if not self._is_quiet(number)]
        heirs = (self.heir_of(number) for number in telling)
        return tuple(dict.fromkeys(heir for heir in heirs if heir is not None)), len(telling)

    def _is_quiet(self, file_id: int) -> bool:
        if file_id not in self._quiet:
            entry = self._known[file_id]
            self._quiet[file_id] = is_quiet(entry.path, entry.role)
        return self._quiet[file_id]
