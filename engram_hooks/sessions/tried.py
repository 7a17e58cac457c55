"""Failed approaches that a moment needs: on a file, on a change, on a failure. Hooks and commands share it."""

from __future__ import annotations

from engram_hooks.recall.tried import APART, distinct, resemblance, whole_resemblance
from engram_hooks.store.attempts import attempts_on_file, attempts_with_fingerprint, files_of, latest_attempts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from sqlite3 import Connection

    from engram_hooks.recall.tried import Piece, Row, Tried

MAX_AT_START = 3
MAX_SCANNED = 24


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
