"""Which words of a query the full text is asked for, and how: never as query syntax."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Connection

MAX_TERMS = 12
SMALL_STORE = 50
_VOCABULARIES = {"records": "records_terms", "log": "log_terms"}


def choose_terms(
    db: Connection, table: str, terms: Sequence[str], *, max_terms: int = MAX_TERMS
) -> list[str]:
    """The terms of a query worth asking `table` ("records" or "log") for, rarest first, at most `max_terms`.

    Unknown terms are dropped. In a table of `SMALL_STORE` rows or more, terms that stand in more than a
    fifth of them are dropped too, unless nothing else is left.
    """
    counts = count_terms(db, table, terms)
    total = int(db.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()[0])  # noqa: S608 (own name)
    known = sorted((count, index, term) for index, term in enumerate(terms) if (count := counts.get(term, 0)))
    if total >= SMALL_STORE:
        telling = [item for item in known if item[0] * 5 <= total]
        known = telling or known[:3]
    return [term for _, _, term in known[:max_terms]]


def count_terms(db: Connection, table: str, terms: Sequence[str]) -> dict[str, int]:
    """In how many rows of `table` each term stands; terms in none are left out."""
    vocabulary = _VOCABULARIES[table]
    found: dict[str, int] = {}
    for term in dict.fromkeys(terms):
        row = db.execute(f"SELECT doc FROM {vocabulary} WHERE term = ?", (term,)).fetchone()  # noqa: S608
        if row:
            found[term] = int(row[0])
    return found


def match_any(terms: Sequence[str]) -> str:
    """The full-text expression that finds rows with at least one of `terms`, each quoted."""
    return " OR ".join(quote(term) for term in terms)


def quote(term: str) -> str:
    """A term as a string of the full-text query language."""
    return '"' + term.replace('"', '""').replace("\x00", "") + '"'
