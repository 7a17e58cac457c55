"""Answering a question from memory: facts, the whole history, or what a prompt would be given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from sqlite3 import Connection
from typing import Any

from engram_hooks.curate.asking import search_records
from engram_hooks.curate.asking.question import Question
from engram_hooks.curate.record import Hit, short_id
from engram_hooks.embed.nearest import is_off
from engram_hooks.errors import UsageError
from engram_hooks.recall import branches, gate, rank, route
from engram_hooks.store import log_search, record_search
from engram_hooks.store.lookup import read_many
from engram_hooks.store.matching import MAX_TERMS, count_terms
from engram_hooks.store.tombstones import normalise
from engram_hooks.terms import identifiers, query_terms

MODES = "facts", "search", "hook"
IMPORT_MARK = "import:"
MAX_TEXT_CHARS = 4_000
_MIN_SCORE = 0.01
_MIN_CANDIDATES = 60
_MIN_LINES = 20

# Any: columns of one SQL row; reasons of several types
Scored = tuple[float, tuple[Any, ...], dict[str, Any]]


def answer(db: Connection, question: Question, mode: str) -> list[Hit]:
    """At most `k` hits, best first. Raises `UsageError` for an unknown mode."""
    if mode == "facts":
        return recall_facts(db, question)
    if mode == "search":
        return search_history(db, question)
    if mode == "hook":
        return preview_minder(db, question)
    raise UsageError(f"there is no mode {mode[:40]!r}", hint=f"one of: {', '.join(MODES)}")


def recall_facts(db: Connection, question: Question) -> list[Hit]:
    """What held at the time that is asked about, now or as of a date, each thing once."""
    from engram_hooks.curate.asking.facts import find_answers

    answers = find_answers(db, question)
    others = [one for answer in answers for one in (*answer.also, answer.found.successor) if one is not None]
    ids = {row["id"]: short_id(row["kind"], row["id"]) for row in read_many(db, others)}
    hits: list[Hit] = []
    least = 1.0
    for answer in answers:
        least = min(least, answer.chance)  # the later word of two goes first, so its score bounds the others
        hit = _record_hit((least, answer.found.row, answer.found.reasons), question)
        also = tuple(ids[one] for one in answer.also if one in ids)
        hits.append(replace(hit, also=also, replaced_by=ids.get(answer.found.successor or 0, "")))
    return hits


def search_history(
    db: Connection, question: Question, *, without: Iterable[str] = (), with_records: bool = True
) -> list[Hit]:
    """Records, log lines and failed tool uses in one ranking, each text once, none of those in `without`."""
    found: list[tuple[float, Hit]] = []
    if with_records:
        statuses = record_search.ONCE
        scored = _score_records(db, question, statuses=statuses)
        near = [item for item in scored if item[2]["matched"] or search_records.answers(item)]
        found += [(item[0], _record_hit(item, question)) for item in near]
    found += _score_log(db, question) + _score_events(db, question)
    found.sort(key=lambda item: (-item[0], -item[1].at, item[1].id))
    seen = {normalise(text) for text in without}
    hits: list[Hit] = []
    for _, hit in found:
        text = normalise(hit.summary)
        if text not in seen and len(hits) < question.k:
            seen.add(text)
            hits.append(hit)
    return hits


def preview_minder(db: Connection, question: Question) -> list[Hit]:
    """The records that the hook would put beside a prompt with this text; most often none."""
    if route.is_trivial(question.text):
        return []
    scored, verdicts, _ = search_records.judge_prompt(db, question)
    chosen = [item for item in _explained(scored, question) if verdicts[item[1][0]] == gate.SHOWN]
    outer_ids = {row["id"]: row["external_id"] for row in read_many(db, [item[1][0] for item in chosen])}
    hits = [_record_hit(item, question) for item in chosen[: question.k]]
    return [replace(hit, id=outer_ids[hit.number] or hit.id) for hit in hits]


def _explained(scored: list[Scored], question: Question) -> list[Scored]:
    return search_records.add_ranks(scored) if question.is_explained else scored


def _score_records(db: Connection, question: Question, *, statuses: Sequence[str]) -> list[Scored]:
    scored = _explained(search_records.find_records(db, question, statuses=statuses), question)
    return branches.weigh(scored, question.branch)


def _score_log(db: Connection, question: Question) -> list[tuple[float, Hit]]:
    from engram_hooks.curate.asking.search_log import search_lines

    found = search_lines(
        db,
        question.text,
        project_id=question.project_id or 0,
        limit=max(_MIN_LINES, question.k * 2),
        until_ms=question.as_of_ms,
        uses_meaning=not is_off(question.environ),
    )
    return [(line.score, _log_hit(line.row, line.score, line.reasons, question)) for line in found]


def _shape(number: int, kind: str, text: str, *, at: int, bm25: float) -> tuple[Any, ...]:
    """A tool event in the columns of `recall.fields`."""
    return (number, kind, "", "", text[:MAX_TEXT_CHARS], "", "", 0.5, 1.0, at, bm25)


def _score_events(db: Connection, question: Question) -> list[tuple[float, Hit]]:
    terms, names = query_terms(question.text), identifiers(question.text)
    asked = list(dict.fromkeys((*names, *terms)))
    rows = log_search.search_events(
        db, asked[:MAX_TERMS], project_id=question.project_id or 0, limit=_MIN_CANDIDATES
    )
    if question.as_of_ms is not None:
        rows = [row for row in rows if row["created_at"] < question.as_of_ms]
    shaped = [
        _shape(row["id"], "tool", describe_event(row), at=row["updated_at"], bm25=row["score"])
        for row in rows
    ]
    counts = count_terms(db, "log", asked)
    scored = rank.score(terms, names, shaped, df=counts, total=max(50, *counts.values()) if counts else 50)
    by_id = {row["id"]: row for row in rows}
    return [(value, _event_hit(by_id[row[0]], value, reasons, question)) for value, row, reasons in scored]


def describe_event(row: log_search.EventRow) -> str:
    """A failed tool use in one text: what was run and what it said."""
    what = row["command"] or row["target"] or row["tool"]
    times = f" ({row['repeat_count']} times)" if row["repeat_count"] > 1 else ""
    return f"{what}{times}: {row['error']}" if row["error"] else f"{what}{times}: {row['outcome']}"


def _record_hit(item: Scored, question: Question) -> Hit:
    value, row, reasons = item
    has_lifecycle = len(row) > record_search.EXTERNAL_ID
    number = short_id(row[1], row[0])
    return Hit(
        id=(row[record_search.EXTERNAL_ID] if has_lifecycle else None) or number,
        score=max(_MIN_SCORE, round(value, 4)),
        status=_status(row, question) if has_lifecycle else "live",
        kind=row[1],
        summary=row[4],
        source="record",
        why=reasons if question.is_explained else {},
        detail=row[5],
        at=row[9],
        number=row[0],
        scope=row[2],
        branch=row[3],
        until=row[record_search.VALID_TO] if has_lifecycle else None,
    )


def _status(row: tuple[Any, ...], question: Question) -> str:
    """`live` where the record is in force at the moment asked about, else `superseded`."""
    valid_to = row[record_search.VALID_TO]
    if question.as_of_ms is not None:
        return "live" if valid_to is None or valid_to > question.as_of_ms else "superseded"
    is_past = valid_to is not None and valid_to <= question.now_ms
    return (
        "superseded"
        if is_past or row[record_search.STATUS] in ("superseded", "expired", "retracted")
        else "live"
    )


def _log_hit(row: log_search.LogRow, value: float, reasons: dict[str, Any], question: Question) -> Hit:
    uuid = row["uuid"]
    return Hit(
        id=uuid.split(":", 2)[2] if uuid.startswith(IMPORT_MARK) and uuid.count(":") > 1 else f"l{row['id']}",
        score=max(_MIN_SCORE, round(value, 4)),
        status="live",
        kind=row["role"],
        summary=row["text"],
        source="log",
        why=reasons if question.is_explained else {},
        at=row["created_at"],
        number=row["id"],
        session=row["session"],
    )


def _event_hit(row: log_search.EventRow, value: float, reasons: dict[str, Any], question: Question) -> Hit:
    return Hit(
        id=f"x{row['id']}",
        score=max(_MIN_SCORE, round(value, 4)),
        status="live",
        kind="tool",
        summary=describe_event(row),
        source="tool",
        why=reasons if question.is_explained else {},
        at=row["updated_at"],
        number=row["id"],
        session=row["session"],
    )
