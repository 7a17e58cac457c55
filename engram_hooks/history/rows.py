"""Commits as the rows of an index: capsule, terms of the full text, files with their hunks as places."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from engram_hooks.history.capsules import Capsule, make_capsule
from engram_hooks.history.changes import Commit, FileChange, MergedFile
from engram_hooks.history.edits import list_edits, pack_edits, pack_runs, pack_sides
from engram_hooks.history.intents import LOAD_BEARING
from engram_hooks.history.moves import find_moves
from engram_hooks.history.prose import TELLING, grade
from engram_hooks.history.roles import NOISE, role_of
from engram_hooks.store.index_briefs import line_key, pack_keys
from engram_hooks.store.index_commits import ChangeRow, CommitRow, MergedRow, pack_blob
from engram_hooks.terms import content_terms, plain_words

MAX_STORED_BODY_CHARS = 1_000
MAX_REMOVED_KEYS = 200  # of a commit and file
MAX_TERM_CACHE = 200_000

Row = tuple[CommitRow, Sequence[ChangeRow], Sequence[MergedRow]]


class _WordTerms(dict[str, str]):
    """The terms of words, made when first asked for."""

    def __missing__(self, word: str) -> str:
        terms = self[word] = content_terms(word)
        return terms


@dataclass(slots=True)
class RowMaker:
    """Makes rows; remembers the terms of words, which code repeats endlessly."""

    _terms: _WordTerms = field(default_factory=_WordTerms)

    def make(self, commit: Commit) -> Row:
        """The rows of one commit."""
        capsule = make_capsule(commit)
        is_fix = capsule.intent in LOAD_BEARING and not capsule.is_bulk
        moved: dict[str, list[tuple[str, str, str, bytes]]] = {}
        for path, source, blob, runs in find_moves(commit.changes, is_bulk=capsule.is_bulk, is_fix=is_fix):
            moved.setdefault(path, []).append((source, role_of(source), blob, pack_runs(runs)))
        row = CommitRow(
            hash=commit.hash,
            parents=commit.parents,
            authored_at=commit.authored_at,
            committed_at=commit.committed_at,
            author=capsule.author,
            subject=capsule.subject,
            body=capsule.body[:MAX_STORED_BODY_CHARS],
            excerpt=capsule.excerpt,
            intent=capsule.intent,
            is_bulk=capsule.is_bulk,
            is_boundary=commit.is_boundary,
            undoes=json.dumps(asdict(capsule.undoing)) if capsule.undoing else "",
            terms=self._make_terms(capsule),
        )
        return (
            row,
            [_make_change(change, moved.get(change.path, ()), is_fix=is_fix) for change in commit.changes],
            [_make_merged(f) for f in commit.merged],
        )

    def _make_terms(self, capsule: Capsule) -> tuple[str, str, str, str]:
        if len(self._terms) >= MAX_TERM_CACHE:
            self._terms.clear()
        return (
            self._join_terms(capsule.subject),
            self._join_terms(capsule.body),
            " ".join(map(self._terms.__getitem__, capsule.names)),
            " ".join(map(self._terms.__getitem__, capsule.code)),
        )

    def _join_terms(self, text: str) -> str:
        words = plain_words(text)
        return (
            content_terms(text)
            if words is None
            else " ".join(filter(None, map(self._terms.__getitem__, words)))
        )


def _make_change(
    change: FileChange, moved: Sequence[tuple[str, str, str, bytes]], *, is_fix: bool
) -> ChangeRow:
    is_renamed = change.old_path != change.path
    return ChangeRow(
        path=change.path,
        role=role_of(change.path),
        old_path=change.old_path if is_renamed else "",
        old_role=role_of(change.old_path) if is_renamed else "",
        status=change.status,
        old_blob=change.old_blob,
        blob=change.blob,
        added_count=sum(hunk.new_count for hunk in change.hunks),
        removed_count=sum(hunk.old_count for hunk in change.hunks),
        hunks=None if change.is_binary else pack_edits(list_edits(change.hunks)),
        moved=moved,
        removed_keys=_key_removed(change) if is_fix else b"",
    )


def _key_removed(change: FileChange) -> bytes:
    """The keys of the lines that say something and that a change took out."""
    if role_of(change.path) in NOISE or change.status == "D":
        return b""
    texts = (line for hunk in change.hunks for line in hunk.removed)
    keys = {line_key(line) for line in texts if grade(line, change.path) == TELLING}
    for hunk in change.hunks:
        keys.difference_update(map(line_key, hunk.added))
    return pack_keys(sorted(keys)[:MAX_REMOVED_KEYS])


def _make_merged(file: MergedFile) -> MergedRow:
    sides = [
        (pack_blob(blob), list_edits(hunks)) for blob, hunks in zip(file.old_blobs, file.hunks, strict=True)
    ]
    return MergedRow(file.path, role_of(file.path), file.blob, pack_sides(sides))
