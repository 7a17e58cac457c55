"""Whose each line of a file is: the commit that wrote it last, as `git blame` says it, without running that.

The versions that led to a content are followed back once, then the owners of the lines are carried forward
through the edits between them. A line that was moved, re-indented or rewrapped stays whose it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engram_hooks.history.edits import Edit, Run, unpack_runs
from engram_hooks.history.lineage import Lineage, Version
from engram_hooks.history.topology import Ancestry, read_ancestry
from engram_hooks.store import index_ownership

MAX_STATES = 20_000  # of one file
UNKNOWN = 0  # the owner of lines that are older than what is known


class State(NamedTuple):
    """A version as a commit made it: the same content may have been made several times."""

    version: Version
    maker_id: int


class Step(NamedTuple):
    """How a state came to be: out of which states by which edits (None: no lines), and what moved from where."""

    sides: list[tuple[State | None, list[Edit] | None]]
    moves: list[tuple[State, list[Run]]]
    is_merge: bool
    inputs: list[State]


@dataclass(slots=True)
class Ownership:
    """The owners of lines, from the changes of an index."""

    lineage: Lineage
    _moves: dict[int, dict[int, list[tuple[int, bytes, bytes]]]] = field(default_factory=dict)
    _makers: dict[int, dict[int, bytes]] = field(default_factory=dict)
    _ancestry: Ancestry | None = None

    def find_owners(self, version: Version) -> list[int]:
        """The id of the commit that wrote each line last, `UNKNOWN` for some; lines at the end may be missing."""
        steps = self._follow(version)
        if not steps:
            return []
        uses = Counter(state for step in steps.values() for state in step.inputs)
        owners: dict[State, list[int]] = {}
        for state in reversed(steps):
            step = steps[state]
            owners[state] = _carry(state, step, owners)
            for used in step.inputs:
                uses[used] -= 1
                if not uses[used]:
                    owners.pop(used, None)
        return owners[next(iter(steps))]

    def has_moves(self, file_id: int) -> bool:
        """Whether lines moved into a file, be it from elsewhere in it."""
        return bool(self._moves_of(file_id))

    def forget(self) -> None:
        """Give the memory back; what is asked for again is read again."""
        self._moves.clear()
        self._makers.clear()

    def _follow(self, version: Version) -> dict[State, Step]:
        """All states that led to a version, each before those it came from."""
        first = self._choose(version, 0)
        if first is None:
            return {}
        steps: dict[State, Step] = {}
        done: list[State] = []
        stack: list[tuple[State, bool]] = [(first, False)]
        while stack:
            state, is_left = stack.pop()
            if is_left:
                done.append(state)
                continue
            if state in steps or len(steps) >= MAX_STATES:
                continue
            steps[state] = step = self._describe(state)
            stack.append((state, True))
            stack += [(used, False) for used in step.inputs if used not in steps]
        return {state: steps[state] for state in reversed(done)}

    def _describe(self, state: State) -> Step:
        version, maker_id = state
        links = [link for link in self.lineage.links_to(version) if link.maker_id == maker_id]
        sides = [(self._reach(link.before, maker_id), link.edits) for link in links]
        inputs = [before for before, _ in sides if before is not None]
        moves = []
        for source_id, blob, runs in self._moves_of(version[0]).get(maker_id, ()):
            source = self._choose((source_id, blob), maker_id)
            if source is not None:
                moves.append((source, unpack_runs(runs)))
                inputs.append(source)
        return Step(sides, moves, links[0].commit_id == 0, inputs)

    def _reach(self, version: Version | None, child_id: int) -> State | None:
        return None if version is None else self._choose(version, child_id)

    def _choose(self, version: Version, child_id: int) -> State | None:
        """The state in which a commit (0: the head) found a version: of several that made it the one it had."""
        links = self.lineage.links_to(version)
        if not links:
            return None
        maker_id = links[0].maker_id
        if len(links) > 1 and any(link.maker_id != maker_id for link in links):
            if self._ancestry is None:
                self._ancestry = read_ancestry(index_ownership.read_parents(self.lineage.db))
            file_id, blob = version
            if file_id not in self._makers:
                self._makers[file_id] = self.lineage.makers_of(file_id)
            maker_id = self._ancestry.find_maker(child_id, self._makers[file_id], blob)
        return State(version, maker_id) if maker_id else None

    def _moves_of(self, file_id: int) -> dict[int, list[tuple[int, bytes, bytes]]]:
        if file_id not in self._moves:
            self._moves[file_id] = index_ownership.read_moves(self.lineage.db, file_id)
        return self._moves[file_id]


def _carry(state: State, step: Step, owners: dict[State, list[int]]) -> list[int]:
    sides = [
        (owners.get(before, []) if before else [], edits) for before, edits in step.sides if edits is not None
    ]
    if not sides:
        return []
    if step.is_merge:
        return _join_sides(sides, state.maker_id)
    out = apply_edits(sides[0][0], sides[0][1] or [], state.maker_id)
    for source, runs in step.moves:
        before = owners.get(source, [])
        for new, old, count in runs:
            part = before[old : old + count]
            out[new : new + count] = part + [UNKNOWN] * (min(count, len(out) - new) - len(part))
    return out


def apply_edits(before: Sequence[int], edits: Sequence[Edit], owner: int) -> list[int]:
    """The owners of a version's lines: those of the version before, and `owner` where it was edited."""
    out = list(before)
    if edits and len(out) < edits[-1][1]:
        out += [UNKNOWN] * (edits[-1][1] - len(out))
    for old, old_end, new, new_end in reversed(edits):
        out[old:old_end] = [owner] * (new_end - new)
    return out


def _join_sides(sides: Sequence[tuple[list[int], list[Edit] | None]], merge_id: int) -> list[int]:
    """The owners of a merge's lines: of the first side that has a line, of the merge where none has."""
    versions = [apply_edits(before, edits or [], UNKNOWN) for before, edits in sides]
    size = max(map(len, versions))
    out = versions[0] + [UNKNOWN] * (size - len(versions[0]))
    for other in versions[1:]:
        out = [
            owner or late for owner, late in zip(out, other + [UNKNOWN] * (size - len(other)), strict=True)
        ]
    return [owner or merge_id for owner in out]
