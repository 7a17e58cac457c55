"""Finding records for a question: words and meaning in one ranking, now or as of a date."""

from __future__ import annotations

import time
from collections.abc import Sequence
from sqlite3 import Connection
from typing import Any

from engram_hooks.curate import backfill
from engram_hooks.curate.asking.question import Question
from engram_hooks.errors import StoreError
from engram_hooks.recall import gate, rank, route
from engram_hooks.recall.topics import stem_of
from engram_hooks.recall.weights import MIN_FACT, MIN_FACT_COVERAGE, NEAR_TIE
from engram_hooks.sessions import minder
from engram_hooks.store import record_search, settings, vectors
from engram_hooks.store.matching import (
    MAX_TERMS,
    choose_terms,
    count_documents,
    count_terms,
    words_that_begin,
)
from engram_hooks.terms import identifiers, query_terms

MIN_CANDIDATES = 60
CATCH_UP_RECORDS, CATCH_UP_S = 2_000, 2.0
_MIN_START_CHARS = 4
_MAX_ENDING_CHARS = 4
_MAX_WORD_CHARS = 64

# Any: columns of one SQL row; reasons of several types
Scored = tuple[float, tuple[Any, ...], dict[str, Any]]


def find_records(db: Connection, question: Question, *, statuses: Sequence[str]) -> list[Scored]:
    """Records with their scores, best first, of these statuses or, with a date, those that held then."""
    catch_up(db, question)
    terms, names, asked = plan_search(db, question.text)
    limit = max(MIN_CANDIDATES, question.k * 3)
    scope: dict[str, Any] = {
        "project_ids": question.project_ids,
        "statuses": statuses,
        "as_of_ms": question.as_of_ms,
    }
    rows = record_search.search_records(db, choose_terms(db, "records", asked), limit=limit, **scope)
    cosines = find_cosines(db, question, limit=limit)
    known = {row[0] for row in rows}
    rows += record_search.read_records(db, [one for one in cosines if one not in known], **scope)
    scored: list[Scored] = rank.score(
        terms,
        [*names, *route.find_folders(names)],
        rows,
        df=count_terms(db, "records", asked),
        total=count_documents(db, "records"),
        cosines=cosines,
        intent=route.find_intent(question.text),
        near_tie=NEAR_TIE,
    )
    return scored


def answers(item: Scored) -> bool:
    """Whether a record is near enough to a question to be told as its answer."""
    return item[0] >= MIN_FACT or item[2]["coverage"] >= MIN_FACT_COVERAGE


def judge_prompt(
    db: Connection, question: Question, *, also: Sequence[int] = ()
) -> tuple[list[Scored], dict[int, str], str]:
    """(what the hook would find for a prompt, what the gate says of each by id, how eager the minder is).

    `also` are ids that are judged, too, found or not.
    """
    catch_up(db, question)
    project_id = question.project_id or 0
    eagerness = str(settings.read(db, project_id, question.environ)["minder.eagerness"])
    scored: list[Scored] = minder.find(
        db,
        question.data,
        question.text,
        project_id=project_id,
        environ=question.environ,
        branch=question.branch,
        also=also,
        now_ms=question.now_ms,
    )
    return scored, gate.decide(scored, eagerness=eagerness), eagerness


def add_ranks(scored: Sequence[Scored]) -> list[Scored]:
    """The same with the place of each record by every signal among its reasons: 1 is the best."""
    places: dict[int, dict[str, int]] = {item[1][0]: {} for item in scored}
    for name in ("words", "meaning", "matters"):
        found = [item for item in scored if item[2]["signals"].get(name)]
        found.sort(key=lambda item: -item[2]["signals"][name])
        for place, item in enumerate(found, 1):
            places[item[1][0]][name] = place
    return [(value, row, {**reasons, "ranks": places[row[0]]}) for value, row, reasons in scored]


def catch_up(db: Connection, question: Question) -> None:
    """Give vectors to records that wait for one, for a short while; a store that cannot be written stays as it is."""
    is_ready = vectors.serving_model(db) is not None and not vectors.has_todo(db)
    if is_ready or not question.data:
        return
    try:
        backfill.embed_missing(
            db,
            question.data,
            question.environ,
            now_ms=question.now_ms,
            limit=CATCH_UP_RECORDS,
            until=time.monotonic() + CATCH_UP_S,
        )
    except StoreError:
        return


def find_cosines(db: Connection, question: Question, *, limit: int) -> dict[int, float]:
    """The records nearest in meaning to a question with their cosines, best first; none without a data folder."""
    if not question.data:
        return {}
    return minder.find_cosines(
        db,
        question.data,
        question.text,
        project_id=question.project_id or 0,
        environ=question.environ,
        limit=limit,
    )


def plan_search(db: Connection, text: str) -> tuple[list[str], list[str], list[str]]:
    """(terms, identifiers, what the full text is asked for): other forms of a word count, too.

    A word that stands nowhere is taken for the start of others.
    """
    terms, names = query_terms(text), identifiers(text)
    known = count_terms(db, "records", terms)
    forms: list[str] = []
    for term in terms[:MAX_TERMS]:
        stem = stem_of(term)
        if stem != term or (term not in known and len(term) >= _MIN_START_CHARS):
            longest = len(stem) + (_MAX_ENDING_CHARS if term in known or stem != term else _MAX_WORD_CHARS)
            found = words_that_begin(db, "records", stem, max_chars=longest)
            forms += found
            if term not in known and found:
                terms = [*terms, *found]
    return terms, names, list(dict.fromkeys((*names, *terms, *forms)))
