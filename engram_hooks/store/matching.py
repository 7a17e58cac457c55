"""Which words of a query the full text is asked for, and how: never as query syntax."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from sqlite3 import Connection

MAX_TERMS = 12
MIN_DOCUMENTS = 50
MAX_SHARE = 0.2
MAX_POSTINGS = 4_000
_MAX_COMMON = 3
_MAX_FORMS = 8
VOCABULARIES = {
    "records": "records_terms",
    "log": "log_terms",
    "commits": "commits_terms",
    "attempts": "attempts_terms",
}


def count_documents(db: Connection, table: str) -> int:
    """About how many rows `table` ("records" or "log") holds; forgotten ones count on."""
    return int(db.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()[0])  # noqa: S608 (own name)


def count_terms(db: Connection, table: str, terms: Sequence[str]) -> dict[str, int]:
    """In how many rows of `table` (one of `VOCABULARIES`) each term stands; terms that stand nowhere are left out."""
    if not terms:
        return {}
    marks = ", ".join("?" * len(terms))
    vocabulary = VOCABULARIES[table]
    return dict(db.execute(f"SELECT term, doc FROM {vocabulary} WHERE term IN ({marks})", tuple(terms)))  # noqa: S608


def rarest_terms(
    terms: Sequence[str], counts: Mapping[str, int], total: int, *, max_postings: int = MAX_POSTINGS
) -> list[str]:
    """The terms worth searching, rarest first: not those in more than a fifth of a store of some size.

    Together they stand in at most `max_postings` rows, but for the first.
    """
    limit = total * MAX_SHARE if total >= MIN_DOCUMENTS else total
    rare = sorted(
        (counts[term], at, term) for at, term in enumerate(terms) if 0 < counts.get(term, 0) <= limit
    )
    chosen: list[str] = []
    postings = 0
    for count, _, term in rare[:MAX_TERMS]:
        if chosen and postings + count > max_postings:
            break
        postings += count
        chosen.append(term)
    return chosen


def choose_terms(db: Connection, table: str, terms: Sequence[str]) -> list[str]:
    """The same for a person who waits: where all terms are common, the least common are asked for."""
    counts = count_terms(db, table, terms)
    chosen = rarest_terms(terms, counts, count_documents(db, table))
    return chosen or sorted(counts, key=lambda term: counts[term])[:_MAX_COMMON]


def words_that_begin(db: Connection, table: str, start: str, *, max_chars: int) -> list[str]:
    """The terms of `table` that begin with `start` and have at most `max_chars` characters, at most eight."""
    found = db.execute(
        f"SELECT term FROM {VOCABULARIES[table]} WHERE term >= ? AND term < ? AND length(term) <= ?"  # noqa: S608
        " ORDER BY term LIMIT ?",
        (start, start + "\U0010ffff", max_chars, _MAX_FORMS),
    )
    return [row[0] for row in found.fetchall()]


def quote_starts(terms: Sequence[str]) -> str:
    """A full-text query for words that begin with any of the terms."""
    return " OR ".join(f"{quote_terms([term])} *" for term in terms)


def quote_terms(terms: Sequence[str]) -> str:
    """A full-text query for any of the terms; what users typed is only ever inside quotes."""
    return " OR ".join('"{}"'.format(term.replace('"', '""')) for term in terms)
