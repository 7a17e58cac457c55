"""Failed approaches that a moment needs: on a file, on a change, on a failure. Hooks and commands share it."""

from __future__ import annotations

from engram_hooks.recall.tried import APART, distinct, resemblance, whole_resemblance
from engram_hooks.store.attempts import (
    attempts_on_file,
    files_of,
    latest_attempts,
    matching_attempts,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from sqlite3 import Connection

    from engram_hooks.recall.tried import Piece, Tried
    from engram_hooks.store.attempts import File

MAX_AT_START = 3
MAX_SCANNED = 24
MAX_BY_PROMPT = 4
MAX_POSTINGS = 400  # approaches that the full text weighs: the rarest words of a prompt decide
MIN_PROMPT_TERMS = 3
MIN_SHARED_TERMS = 1
MIN_ALIKE_TERMS = 4
_AROUND_NAMES = ".,;:!?()[]{}'\"`"
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


def tried_for_prompt(db: Connection, project_id: int, prompt: str) -> list[tuple[Tried, str]]:
    """(approach, its first file) of those given up that a prompt is about to try again, most often none.

    The prompt has to name a file or a function of theirs, and some of what was wanted or tried beside that name; or
    ask for nearly the same.
    """
    from engram_hooks.store.matching import count_documents, count_terms, quote_terms, rarest_terms
    from engram_hooks.terms import query_terms  # prompts alone need it

    asked = query_terms(prompt)
    if len(asked) < MIN_PROMPT_TERMS:
        return []
    counts, total = count_terms(db, "attempts", asked), count_documents(db, "attempts")
    rare = rarest_terms(asked, counts, total, max_postings=MAX_POSTINGS)
    if not rare:
        return []
    identifiers = _identifiers(prompt)
    found: list[tuple[Tried, str]] = []
    for row in matching_attempts(db, project_id, quote_terms(rare), limit=MAX_BY_PROMPT):
        files = files_of(db, row[0])
        if files and _is_asked(set(asked), identifiers, str(row[2]), files):
            path, _, removed, added = max(files, key=_size)
            found.append(((row, removed, added), path))
    return found


def _is_asked(words: set[str], identifiers: Sequence[list[str]], intent: str, files: Sequence[File]) -> bool:
    """Whether a prompt of these words, and these names in it, is about to try what was wanted and done."""
    from engram_hooks.terms import query_terms

    wanted = set(query_terms(intent))
    lines = set(query_terms(" ".join(line for file in files for side in file[2:] for line in side)))
    paths = {path.lower() for path, *_ in files}
    paths |= {path.rpartition("/")[2] for path in paths}
    is_file_named = not words.isdisjoint(paths)
    named = [
        name for name in identifiers if name[0] in wanted
    ]  # else a name in the lines is the place, or the try
    named = named or [name for name in identifiers if name[0] in lines and not is_file_named]
    if is_file_named or named:
        naming = set(query_terms(" ".join(paths))).union(*named)
        if len(words & (wanted | lines) - naming) >= MIN_SHARED_TERMS:
            return True
    alike = len(words & wanted)
    return alike >= MIN_ALIKE_TERMS and alike >= ALIKE_SHARE * min(len(words), len(wanted))


def _identifiers(text: str) -> list[list[str]]:
    """The names of several words in a text (`charge_order`, `chargeOrder`), each as its terms, the whole name first."""
    from engram_hooks.terms import query_terms

    words = [word.strip(_AROUND_NAMES) for word in text.split()]
    found = [query_terms(word) for word in words if word.replace("_", "").isalnum()]
    return [terms for terms in found if len(terms) > 1]


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


def _size(file: File) -> int:
    return len(file[2]) + len(file[3])
