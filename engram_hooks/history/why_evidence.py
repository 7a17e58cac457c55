"""The files and symbols that answer a question: what its commits touched, what its words name, what changes along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from sqlite3 import Connection

from engram_hooks.history import roles
from engram_hooks.history.why_question import Question, stems_of
from engram_hooks.history.why_rank import overlap, share_evidence
from engram_hooks.store import index_briefs, index_search

# what a touched file says by its part in the repository; noise says nothing
_ROLE_WEIGHTS = {roles.SOURCE: 1.0, roles.TEST: 0.8, roles.BUILD: 0.3, roles.OTHER: 0.1, roles.DOCS: 0.1}
NAMED_IN_WORDS = 0.05
NAMED = 3.0
ALONG = 0.3
LEADING_FILES = 3
PARTNERS = 3
MAX_TOUCHED = 60


@dataclass(frozen=True, slots=True)
class Touched:
    """What a commit changed: files as (id, path, role, whether the head has it), symbols as (id, name, path, lines)."""

    files: tuple[tuple[int, str, str, bool], ...]
    symbols: tuple[tuple[int, str, str, int], ...]


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file with its score from 0 to 1; `path` is what the commits called it.

    `is_there`: the head has it; `now`: what it was renamed to, where it is not; `along`: the path of a file that it
    changes with, where no commit of the answer touched it.
    """

    path: str
    score: float
    is_there: bool
    along: str = ""
    now: str = ""


@dataclass(frozen=True, slots=True)
class FoundSymbol:
    """A symbol of the head with its score from 0 to 1."""

    name: str
    path: str
    score: float


def read_touched(db: Connection, commit_ids: Sequence[int]) -> dict[int, Touched]:
    """What commits changed, noise left out."""
    files = index_search.read_touched(db, commit_ids)
    symbols = index_search.read_touched_symbols(db, commit_ids)
    return {
        number: Touched(
            tuple(row for row in files[number] if row[2] not in roles.NOISE),
            tuple(symbols[number][:MAX_TOUCHED]),
        )
        for number in commit_ids
    }


def rank_files(
    db: Connection,
    question: Question,
    commit_ids: Sequence[int],
    touched: Mapping[int, Touched],
    *,
    values: Mapping[str, float],
    limit: int,
) -> list[FoundFile]:
    """Files by the commits (best first) that touched them, by their paths, and by what changes along with them."""
    known = {row[0]: (row[1], row[3]) for one in touched.values() for row in one.files}
    evidence = {
        number: [(row[0], _ROLE_WEIGHTS.get(row[2], 0.0)) for row in touched[number].files]
        for number in commit_ids
    }
    scores = share_evidence(commit_ids, evidence)
    for file_id in scores:
        scores[file_id] *= 1.0 + NAMED_IN_WORDS * overlap(values, stems_of(known[file_id][0]))
    for file_id, path, is_there in index_search.find_paths(db, question.paths):
        known[file_id] = path, is_there
        scores[file_id] = scores.get(file_id, 0.0) + NAMED * (1.0 if is_there else 0.5)
    ranked = sorted(scores, key=lambda file_id: (-scores[file_id], known[file_id][0]))
    top = scores[ranked[0]] if ranked else 1.0
    first = ranked[:limit]
    now = _follow_renames(db, [one for one in first if not known[one][1]])
    found = [
        FoundFile(known[one][0], round(scores[one] / max(top, 1.0), 4), known[one][1], now=now.get(one, ""))
        for one in first
    ]
    return sorted(found + _find_partners(db, first, found), key=lambda file: -file.score)[:limit]


def rank_symbols(
    db: Connection,
    question: Question,
    commit_ids: Sequence[int],
    touched: Mapping[int, Touched],
    *,
    values: Mapping[str, float],
) -> list[FoundSymbol]:
    """Symbols by name, and by the commits (best first) that touched them."""
    known = {row[0]: (row[1], row[2]) for one in touched.values() for row in one.symbols}
    evidence = {number: [(row[0], 1.0) for row in touched[number].symbols] for number in commit_ids}
    scores = share_evidence(commit_ids, evidence)
    for symbol_id in scores:
        scores[symbol_id] *= 1.0 + NAMED_IN_WORDS * overlap(values, stems_of(known[symbol_id][0]))
    for symbol_id, name, path in index_search.find_symbols(db, question.names):
        known[symbol_id] = name, path
        scores[symbol_id] = scores.get(symbol_id, 0.0) + NAMED
    ranked = sorted(scores, key=lambda symbol_id: (-scores[symbol_id], known[symbol_id]))
    top = max(scores.values(), default=1.0)
    return [FoundSymbol(*known[one], round(scores[one] / max(top, 1.0), 4)) for one in ranked]


def _follow_renames(db: Connection, file_ids: Sequence[int]) -> dict[int, str]:
    """What files that are gone are called in the head, of those that were renamed."""
    renames = index_search.read_renames(db) if file_ids else {}
    last: dict[int, int] = {}
    for file_id in file_ids:
        seen = {file_id}
        at = file_id
        while (following := renames.get(at)) is not None and following not in seen:
            seen.add(following)
            at = following
        last[file_id] = at
    present = index_search.read_present(db, last.values())
    return {file_id: present[at] for file_id, at in last.items() if at in present}


def _find_partners(db: Connection, ranked: Sequence[int], found: Sequence[FoundFile]) -> list[FoundFile]:
    """Files worth telling that change along with the first ones and are not among them."""
    seen = {file.path for file in found}
    out: list[FoundFile] = []
    for file_id, file in zip(ranked[:LEADING_FILES], found, strict=False):
        for path, score, *_, speaks in index_briefs.list_partners(db, file_id, limit=PARTNERS):
            if speaks and path not in seen:
                seen.add(path)
                out.append(FoundFile(path, round(ALONG * score * file.score, 4), True, file.path))
    return out
