"""The commits in sight and their parents, for questions that which content follows which cannot answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

MAX_WALKED = 50_000  # commits in search of one


@dataclass(frozen=True, slots=True)
class Ancestry:
    """Ids of commits -> ids of their parents in order; `head` is the id of the newest, 0 where there is none."""

    parents: Mapping[int, list[int]]
    head: int

    def find_maker(self, child: int, made: Mapping[int, bytes], wanted: bytes) -> int:
        """The commit that a file's content comes from where a commit found it, 0 where that is unknown.

        `made` says of each commit that changed the file what it made of it; `child` (0: the head is asked) is
        looked at no more itself. Of a merge's sides the first that leads to the content counts, as for git.
        """
        todo = list(reversed(self.parents.get(child, ()))) if child else [self.head]
        seen = set(todo)
        while todo and len(seen) < MAX_WALKED:
            commit = todo.pop()
            blob = made.get(commit)
            if blob == wanted:
                return commit
            if blob is not None:
                continue
            for parent in reversed(self.parents.get(commit, ())):
                if parent not in seen:
                    seen.add(parent)
                    todo.append(parent)
        return 0


def read_ancestry(commits: Iterable[tuple[int, bytes, bytes]]) -> Ancestry:
    """The graph of commits, given as (id, name, names of the parents one after another). Pure."""
    rows = list(commits)
    ids = {name: number for number, name, _ in rows}
    width = len(rows[0][1]) if rows else 1
    parents = {
        number: [ids[names]]  # most commits have one parent
        if names in ids
        else [ids[name] for at in range(0, len(names), width) if (name := names[at : at + width]) in ids]
        for number, _, names in rows
    }
    tips = parents.keys() - {parent for known in parents.values() for parent in known}
    return Ancestry(parents, next(iter(tips), 0))
