"""Resolve what reverts and re-lands name to commits of the index."""

from __future__ import annotations

import json
from collections.abc import Iterable
from sqlite3 import Connection

from engram_hooks.history.undoing import Undoing, drop_number, read_number
from engram_hooks.store import index_undoing

MAX_INVERSES = 20_000  # commits looked at for being the exact opposite of an earlier one
MANY = 100  # commits from which on all changes are compared at once, which costs less than one by one


def resolve(db: Connection, new_ids: Iterable[int]) -> int:
    """Tie the commits that name what they undo, then those of `new_ids` that undo without a word.

    Returns how many were tied. The caller holds the transaction; all commits of the head are in sight.
    """
    done = []
    subjects = _Subjects(db)
    tied: set[int] = set()
    for commit_id, committed_at, text in index_undoing.open_references(db):
        names = json.loads(text)
        undoing = Undoing(names["is_reland"], tuple(names["hashes"]), names["subject"], names["number"])
        targets = _find(db, subjects, undoing, commit_id=commit_id, committed_at=committed_at)
        for target in targets:
            index_undoing.tie(db, commit_id, target, is_reland=undoing.is_reland)
            tied.add(commit_id)
        done.append(commit_id)
    index_undoing.settle(db, done)
    candidates = list(new_ids)
    if len(candidates) > MANY:
        swapped = index_undoing.list_swapped(db)
        candidates = [commit_id for commit_id in candidates if commit_id in swapped]
    for commit_id in index_undoing.possible_inverses(db, candidates, limit=MAX_INVERSES):
        inverse = None if commit_id in tied else index_undoing.find_inverse(db, commit_id)
        if inverse is not None:
            index_undoing.tie(db, commit_id, inverse, is_reland=False)
            tied.add(commit_id)
    return len(tied)


class _Subjects:
    """The commits by subject without its number, and by that number; read when first asked for."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._by_subject: dict[str, list[tuple[int, int, str]]] = {}
        self._by_number: dict[str, list[tuple[int, int, str]]] = {}

    def find(self, undoing: Undoing, commit_id: int, until_ms: int) -> int | None:
        """The newest commit before this one that has the subject, or the number, that is named."""
        if not self._by_subject:
            for row in index_undoing.list_subjects(self._db):
                self._by_subject.setdefault(drop_number(row[2]), []).append(row)
                if number := read_number(row[2]):
                    self._by_number.setdefault(number, []).append(row)
        rows = self._by_subject.get(drop_number(undoing.subject), []) if undoing.subject else []
        rows = [row for row in rows if row[0] != commit_id and row[1] <= until_ms]
        if not rows and undoing.number:
            rows = self._by_number.get(undoing.number, [])
            rows = [row for row in rows if row[0] != commit_id and row[1] <= until_ms]
        exact = [row for row in rows if row[2] == undoing.subject]
        return next((row[0] for row in exact or rows), None)


def _find(
    db: Connection, subjects: _Subjects, undoing: Undoing, *, commit_id: int, committed_at: int
) -> list[int]:
    found = [index_undoing.find_by_hash(db, name) for name in undoing.hashes]
    targets = [target for target in found if target is not None and target != commit_id]
    if not targets and (undoing.subject or undoing.number):
        target = subjects.find(undoing, commit_id, committed_at)
        targets = [] if target is None else [target]
    return targets
