"""Failed approaches that a moment needs: on a file, on a change, on a failure. Hooks and commands share it."""

from __future__ import annotations

from engram_hooks.recall.tried import APART, distinct, resemblance, whole_resemblance
from engram_hooks.store.attempts import (
    attempts_on_file,
    attempts_with_fingerprint,
    files_of,
    latest_attempts,
    matching_attempts,
)
from engram_hooks.terms import query_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from sqlite3 import Connection

    from engram_hooks.recall.tried import Piece, Row, Tried

MAX_AT_START = 3
MAX_SCANNED = 24
MAX_BY_PROMPT = 4
MIN_PROMPT_TERMS = 3
MIN_SHARED_TERMS = 1
MIN_ALIKE_TERMS = 4
ALIKE_SHARE = 0.6


def tried_on_file(db: Connection, project_id: int, path: str) -> list[Tried]:
    """The approaches that were given up and had changed a file, latest first, with what each changed there."""
    found: list[Tried] = []
    for row in attempts_on_file(db, project_id, path):
        for name, _, removed, added in files_of(db, row[0]):
            if name == path:
                found.append((row, removed, added))
    return found


def resembling(tried: Iterable[Tried], pieces: Sequence[Piece]) -> list[tuple[int, Tried]]:
    """(how alike, approach) of those that a change resembles, most alike first."""
    judged = [(resemblance(one, pieces), one) for one in tried]
    return _ordered(judged)


def resembling_whole(tried: Iterable[Tried], content: Sequence[str]) -> list[tuple[int, Tried]]:
    """The same for a file that is written whole."""
    return _ordered([(whole_resemblance(one, content), one) for one in tried])


def _ordered(judged: list[tuple[int, Tried]]) -> list[tuple[int, Tried]]:
    alike = [one for one in judged if one[0] != APART]
    alike.sort(key=_alikeness, reverse=True)
    names = {one[0][0] for one in distinct([tried for _, tried in alike])}
    return [one for one in alike if one[1][0][0] in names]


def _alikeness(one: tuple[int, Tried]) -> int:
    return one[0]


def seen_before(db: Connection, project_id: int, fingerprint: str) -> list[Row]:
    """The decided approaches that failed in just this way, those with a cure first."""
    return attempts_with_fingerprint(db, project_id, fingerprint)


def tried_for_prompt(db: Connection, project_id: int, prompt: str) -> list[tuple[Tried, str]]:
    """(approach, its first file) of those given up that a prompt is about to try again, most often none.

    The prompt has to name a file that was changed, and some of what was wanted or tried; or ask for nearly the same.
    """
    asked = query_terms(prompt)
    if len(asked) < MIN_PROMPT_TERMS:
        return []
    match = " OR ".join('"' + term.replace('"', '""') + '"' for term in asked)
    words = set(asked)
    found: list[tuple[Tried, str]] = []
    for row in matching_attempts(db, project_id, match, limit=MAX_BY_PROMPT):
        files = files_of(db, row[0])
        wanted = set(query_terms(row[2]))
        paths = set(query_terms(" ".join(path for path, *_ in files)))
        lines = set(query_terms(" ".join(line for file in files for side in file[2:] for line in side)))
        is_named = any(
            path.rpartition("/")[2].lower() in words or path.lower() in words for path, *_ in files
        )
        more = len(words & (wanted | lines) - paths)
        alike = len(words & wanted)
        if files and (
            (is_named and more >= MIN_SHARED_TERMS)
            or (alike >= MIN_ALIKE_TERMS and alike >= ALIKE_SHARE * min(len(words), len(wanted)))
        ):
            path, _, removed, added = max(files, key=_size)
            found.append(((row, removed, added), path))
    return found


def latest_tried(db: Connection, project_id: int, *, limit: int = MAX_AT_START) -> list[tuple[Tried, str]]:
    """(approach, its first file) of those given up last, each way to fail once."""
    found: list[tuple[Tried, str]] = []
    for row in latest_attempts(db, project_id, outcome="abandoned", limit=MAX_SCANNED):
        files = files_of(db, row[0])
        if files:
            path, _, removed, added = max(files, key=_size)
            found.append(((row, removed, added), path))
    kept = {one[0][0] for one in distinct([tried for tried, _ in found])}
    return [one for one in found if one[0][0][0] in kept][:limit]


def _size(file: tuple[str, list[str], list[str], list[str]]) -> int:
    return len(file[2]) + len(file[3])
