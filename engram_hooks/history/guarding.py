"""What in a file must not be undone unawares: the fixes that its lines carry, and what fixes took out of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from engram_hooks.history.intents import LOAD_BEARING
from engram_hooks.history.lineage import Lineage, Version, trace_file
from engram_hooks.history.ownership import Ownership
from engram_hooks.history.prose import PROSE, TELLING, find_prose, grade
from engram_hooks.history.roles import DOCS, NOISE, role_of
from engram_hooks.store import index_ownership
from engram_hooks.store.index_briefs import line_key, pack_keys, pack_lines, unpack_keys
from engram_hooks.store.index_ownership import GuardRow, Maker

MAX_GUARDS = 200  # of a file
MAX_LINELESS = 30  # of a file, that left no line in it
MAX_GONE = 60  # keys of a guard
_STRENGTH = {"revert": 1.0, "security": 1.0, "bugfix": 0.35}  # few commits are of the first two kinds
_USUAL_FILES, _USUAL_LINES = 6, 150


@dataclass(slots=True)
class Guarding:
    """Makes the guards of files, from the changes of an index."""

    lineage: Lineage
    ownership: Ownership = field(init=False)
    _makers: dict[int, Maker] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ownership = Ownership(self.lineage)

    def make(self, version: Version, path: str, text: str) -> list[GuardRow]:
        """The guards of a file of the head."""
        sources = self._find_sources(version)
        if not sources and not self.ownership.has_moves(version[0]):
            return []
        lines = text.split("\n")
        owned = self._own(version, path, lines)
        removed = index_ownership.read_removed(self.lineage.db, version[0])
        present = {line_key(line) for line in lines} if removed else set()
        rows = []
        for commit_id in dict.fromkeys([*owned, *sources]):
            maker = self._makers[commit_id]
            gone = [key for key in unpack_keys(removed.get(commit_id, b"")) if key not in present]
            own = owned.get(commit_id, ())
            if own or (gone and maker.intent == "revert") or maker.reverts or maker.restores:
                row = GuardRow(commit_id, weigh(maker, len(own)), pack_lines(own), pack_keys(gone[:MAX_GONE]))
                rows.append(row)
        return choose(rows)

    def forget(self) -> None:
        """Give the memory back."""
        self.ownership.forget()

    def _find_sources(self, version: Version) -> list[int]:
        """The load-bearing commits that a version goes back to."""
        ids = trace_file(version, self.lineage.links_to)
        self._learn(ids)
        return [commit_id for commit_id in ids if is_load_bearing(self._makers.get(commit_id))]

    def _own(self, version: Version, path: str, lines: Sequence[str]) -> dict[int, list[tuple[int, int]]]:
        """commit id -> (line from 1, key) of the lines that a load-bearing commit wrote last."""
        owners = self.ownership.find_owners(version)
        self._learn(owners)
        stretches = [
            stretch
            for stretch in _list_stretches(owners[: len(lines)])
            if is_load_bearing(self._makers.get(stretch[0]))
        ]
        prose = find_prose(lines, path) if stretches else set()
        found: dict[int, list[tuple[int, int]]] = {}
        for owner, start, end in stretches:
            grades = [PROSE if at in prose else grade(lines[at], path) for at in range(start, end)]
            if TELLING in grades:
                found.setdefault(owner, []).extend(
                    (at + 1, line_key(lines[at])) for at in range(start, end) if grades[at - start] != PROSE
                )
        return found

    def _learn(self, commit_ids: Iterable[int]) -> None:
        missing = [number for number in set(commit_ids) if number and number not in self._makers]
        if missing:
            self._makers.update(index_ownership.read_makers(self.lineage.db, missing))


def _list_stretches(owners: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """(owner, first line from 0, line behind the last) of the lines that stand together and are of one commit."""
    at = 0
    for owner, group in groupby(owners):
        end = at + len(list(group))
        yield owner, at, end
        at = end


def is_guarded(path: str) -> bool:
    """Whether what a file's lines carry is worth knowing: not of documents and of what machines write."""
    return role_of(path) not in NOISE | {DOCS}


def is_load_bearing(maker: Maker | None) -> bool:
    """Whether the lines of a commit carry a reason that an edit may undo."""
    return maker is not None and maker.intent in LOAD_BEARING and not maker.is_bulk


def weigh(maker: Maker, line_count: int) -> float:
    """How much a warning of a commit is worth, 0 to 1: what it was, and how much it changed besides."""
    wide = max(maker.file_count / _USUAL_FILES, maker.line_count / _USUAL_LINES, 1.0)
    focus = 1 / math.sqrt(1 + math.log(wide))
    return round(_STRENGTH.get(maker.intent, 0.25) * focus * (1.0 if line_count else 0.6), 4)


def choose(rows: Sequence[GuardRow]) -> list[GuardRow]:
    """The guards of a file that are kept: the weightiest, few of those that left no line."""
    ordered = sorted(rows, key=lambda row: -row.weight)
    lineless = [row for row in ordered if not row.lines][:MAX_LINELESS]
    return [row for row in ordered if row.lines][:MAX_GUARDS] + lineless
