"""Which kept records a new text may replace or repeat: by what it says is gone, by its words, by its meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from sqlite3 import Connection
from typing import Any

from engram_hooks.curate.changes.claims import Claim
from engram_hooks.curate.changes.words import is_light
from engram_hooks.store.lookup import read_many
from engram_hooks.store.matching import count_documents, count_terms, rarest_terms, words_that_begin
from engram_hooks.store.record_search import search_records
from engram_hooks.terms import index_terms

# kinds that tell what happened or what was seen, and are not overtaken by what holds now
PASSING = "state", "incident", "insight", "module", "reference"
MAX_FOUND = 16
_MAX_TERMS = 6
_MAX_POSTINGS = 1_500
_MAX_COUNTED = 40
_ENDINGS = "ing", "ed", "es", "s", "e"
_MIN_STEM_CHARS = 4
_MAX_ENDING_CHARS = 4
_MAX_BY_MEANING = 8


def find_similar(
    db: Connection,
    fields: Mapping[str, Any],
    claims: Sequence[Claim],
    *,
    statuses: Sequence[str],
    data: str = "",
    environ: Mapping[str, str] | None = None,
) -> list[dict[str, Any]]:
    """Records of the same project, scope and branch that may be about the same, those by words first.

    With a data folder those near in meaning come behind them.
    """
    project_id = fields["project_id"]
    found: dict[int, None] = {}
    subjects = [tag for tag in str(fields.get("tags") or "").split() if "-" in tag]
    total = count_documents(db, "records")
    for terms in filter(None, (_gone_terms(claims), _content_terms(db, claims, total), subjects)):
        chosen = _choose(db, terms, total)
        hits = search_records(db, chosen, project_ids=[project_id], limit=MAX_FOUND, statuses=statuses)
        found |= dict.fromkeys(hit[0] for hit in hits)
    if data:
        found |= dict.fromkeys(_by_meaning(db, fields, data=data, environ=environ or {}))
    branch = fields.get("branch") or ""
    return [
        row
        for row in read_many(db, list(found))
        if row["project_id"] == project_id
        and row["branch"] == branch
        and row["status"] in statuses
        and row["kind"] not in PASSING
        and row["id"] != fields.get("id")
    ]


def _gone_terms(claims: Sequence[Claim]) -> list[str]:
    regions = [region for claim in claims for region in claim.replaces]
    return _terms([word for region in regions for word in region.split()])


def _content_terms(db: Connection, claims: Sequence[Claim], total: int) -> list[str]:
    """The rarest words of what a text is about, and other forms of them that records hold."""
    terms = _terms([word for claim in claims for word in claim.words])
    forms: list[str] = []
    for term in _choose(db, terms, total):
        stem = next(
            (
                term[: -len(ending)]
                for ending in _ENDINGS
                if term.isalpha() and term.endswith(ending) and len(term) - len(ending) >= _MIN_STEM_CHARS
            ),
            "",
        )
        if stem:
            forms += words_that_begin(db, "records", stem, max_chars=len(stem) + _MAX_ENDING_CHARS)
    return list(dict.fromkeys((*terms, *forms)))


def _terms(words: Sequence[str]) -> list[str]:
    return list(
        dict.fromkeys(index_terms(" ".join(word for word in words if word and not is_light(word))).split())
    )


def _choose(db: Connection, terms: Sequence[str], total: int) -> list[str]:
    counts = count_terms(db, "records", list(terms)[:_MAX_COUNTED])
    chosen = rarest_terms(terms, counts, total, max_postings=_MAX_POSTINGS)[:_MAX_TERMS]
    return chosen or sorted(counts, key=lambda term: counts[term])[:1]


def _by_meaning(
    db: Connection, fields: Mapping[str, Any], *, data: str, environ: Mapping[str, str]
) -> list[int]:
    from engram_hooks.sessions.minder import find_cosines

    found = find_cosines(
        db, data, fields["summary"], project_id=fields["project_id"], environ=environ, limit=_MAX_BY_MEANING
    )
    return list(found)
