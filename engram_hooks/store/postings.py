"""Where the terms of a question stand in the conversation log, and what stands around them."""

from __future__ import annotations

from engram_hooks.jsontext import dumps
from engram_hooks.stems import MAX_ENDING_CHARS, MIN_WORD_CHARS, common_start, irregular_forms, stem
from engram_hooks.store.matching import VOCABULARIES, count_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from sqlite3 import Connection

MAX_PLACES = 20_000
MIN_START_CHARS = 4
REACH = 4
_MAX_FORMS = 12
_PLACES = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.log_places USING fts5vocab (main, log_fts, instance)"
_AMONG = "(SELECT value FROM json_each(?))"


def find_forms(db: Connection, terms: Iterable[str], *, table: str = "log") -> dict[str, list[str]]:
    """The words of the log (or `table`) that are forms of each term, the term itself first where it stands there."""
    found: dict[str, list[str]] = {}
    for term in terms:
        forms = [term]
        if term.isascii() and term.isalpha() and len(term) >= MIN_WORD_CHARS:
            root = stem(term)
            start = common_start(root)
            if len(start) >= MIN_WORD_CHARS:
                words = _words_from(db, start, max_chars=len(root) + MAX_ENDING_CHARS, table=table)
                forms += [word for word in words if stem(word) == root]
            forms += [root, *irregular_forms(root)] if irregular_forms(root) else []
        found[term] = list(dict.fromkeys(forms))[:_MAX_FORMS]
    return found


def find_starts(db: Connection, term: str) -> list[str]:
    """The words of the log that begin with a term that stands nowhere itself."""
    if len(term) < MIN_START_CHARS:
        return []
    return _words_from(db, term, max_chars=64)[:_MAX_FORMS]


def count_forms(
    db: Connection, forms: Mapping[str, Collection[str]], *, table: str = "log"
) -> dict[str, int]:
    """In how many lines of the whole log (rows of `table`) the forms of each term stand, summed up."""
    words = list(dict.fromkeys(word for group in forms.values() for word in group))
    counts = count_terms(db, table, words)
    return {term: sum(counts.get(word, 0) for word in group) for term, group in forms.items()}


def read_postings(
    db: Connection, forms: Mapping[str, Collection[str]], *, project_id: int, until_ms: int | None = None
) -> tuple[dict[str, dict[int, int]], dict[int, int]]:
    """(term -> line -> how often a form of it stands there, line -> its session), lines of the project only."""
    db.execute(_PLACES)
    owners: dict[str, list[str]] = {}
    for term, words in forms.items():
        for word in words:
            owners.setdefault(word, []).append(term)
    where, values = "", [dumps(list(owners)), project_id]
    if until_ms is not None:
        where = " AND l.created_at < ?"
        values.append(until_ms)
    postings: dict[str, dict[int, int]] = {term: {} for term in forms}
    homes: dict[int, int] = {}
    for word, line, session in db.execute(
        "SELECT p.term, p.doc, l.session_id FROM json_each(?) j CROSS JOIN temp.log_places p ON p.term = j.value"  # noqa: S608
        " CROSS JOIN log l ON l.id = p.doc CROSS JOIN sessions s ON s.id = l.session_id"
        f" WHERE s.project_id = ?{where}",
        values,
    ):
        homes[line] = session
        for term in owners[word]:
            lines = postings[term]
            lines[line] = lines.get(line, 0) + 1
    return postings, homes


def read_lengths(db: Connection, lines: Collection[int]) -> dict[int, int]:
    """How many terms each of these lines has."""
    rows = db.execute(f"SELECT id, sz FROM log_fts_docsize WHERE id IN {_AMONG}", (dumps(list(lines)),))  # noqa: S608
    return {line: _read_number(size) for line, size in rows}


def count_lines(db: Connection, project_id: int) -> dict[int, int]:
    """session -> how many lines of the log it has, of a project's sessions that have any."""
    rows = db.execute(
        "SELECT id, logged_count FROM sessions WHERE project_id = ? AND logged_count > 0", (project_id,)
    )
    return dict(rows.fetchall())


def read_runs(db: Connection, lines: Collection[int], *, until_ms: int | None = None) -> list[list[int]]:
    """For each line the lines of its conversation around it, up to four on both sides, in order."""
    before = "SELECT id FROM log WHERE session_id = ? AND agent = ? AND id < ? ORDER BY id DESC LIMIT ?"
    behind = "SELECT id FROM log WHERE session_id = ? AND agent = ? AND id > ? AND created_at < ? ORDER BY id LIMIT ?"
    limit = 1 << 62 if until_ms is None else until_ms
    runs: list[list[int]] = []
    for line, session, agent in db.execute(
        f"SELECT id, session_id, agent FROM log WHERE id IN {_AMONG}",  # noqa: S608
        (dumps(list(lines)),),
    ).fetchall():
        earlier = [row[0] for row in db.execute(before, (session, agent, line, REACH))]
        later = [row[0] for row in db.execute(behind, (session, agent, line, limit, REACH))]
        runs.append([*reversed(earlier), line, *later])
    return runs


def find_dated(db: Connection, lines: Collection[int], days: Iterable[str]) -> set[int]:
    """Those of the lines that were said on one of the days (GLOB patterns over local dates `2025-05-31`)."""
    found: set[int] = set()
    for day in days:
        rows = db.execute(
            f"SELECT id FROM log WHERE id IN {_AMONG}"  # noqa: S608
            " AND strftime('%Y-%m-%d', created_at / 1000, 'unixepoch', 'localtime') GLOB ?",
            (dumps(list(lines)), day),
        )
        found.update(row[0] for row in rows)
    return found


def _words_from(db: Connection, start: str, *, max_chars: int, table: str = "log") -> list[str]:
    vocabulary = VOCABULARIES[table]
    found = db.execute(
        f"SELECT term FROM {vocabulary} WHERE term >= ? AND term < ? AND length(term) <= ?",  # noqa: S608 (own name)
        (start, start + "\U0010ffff", max_chars),
    )
    return [row[0] for row in found.fetchall()]


def _read_number(packed: bytes) -> int:
    """The first number of a row of FTS5's sizes: seven bits a byte, the highest first."""
    number = 0
    for byte in packed:
        number = number << 7 | (byte & 0x7F)
        if byte < 0x80:
            break
    return number
