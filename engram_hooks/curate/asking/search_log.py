"""Finding lines of the conversation: words, neighbours, session, meaning and date in one ranking."""

from __future__ import annotations

from dataclasses import dataclass, field
from sqlite3 import Connection
from typing import Any

from engram_hooks.embed.encode import BUNDLED_PATH, Table
from engram_hooks.embed.likeness import compare
from engram_hooks.recall import log_plan, log_rank
from engram_hooks.recall.weights import DATE, MEANING, SESSION, WORD_START
from engram_hooks.store import log_search, postings

# from so many lines with words of the question the search goes on to their neighbours
MAX_SEEDS = 80
# so many of the best are read, more where more are asked for
MIN_READ = 60
# of these so many are compared by meaning: those that may still come among the first
MIN_COMPARED, MAX_COMPARED = 20, 60
MAX_TEXT_CHARS = 4_000


@dataclass(frozen=True, slots=True)
class FoundLine:
    """A line with its score from 0 to 1 and what it is made of."""

    score: float
    row: log_search.LogRow
    reasons: dict[str, Any]  # Any: a reason is a number or a list of words


@dataclass(slots=True)
class _Signals:
    """What is known of the lines that may answer, by line."""

    weights: dict[str, float]
    postings: dict[str, dict[int, int]]
    homes: dict[int, int]
    own: dict[int, float]
    sessions: dict[int, float]
    near: dict[int, float] = field(default_factory=dict)
    dated: set[int] = field(default_factory=set)
    meaning: dict[int, float] = field(default_factory=dict)

    def total(self, line: int) -> float:
        """The score of a line on the open scale of rarities."""
        return (
            self.own.get(line, 0.0)
            + self.near.get(line, 0.0)
            + SESSION * self.sessions.get(self.homes.get(line, 0), 0.0)
            + DATE * (line in self.dated)
            + MEANING * max(0.0, self.meaning.get(line, 0.0))
        )


def search_lines(
    db: Connection,
    text: str,
    *,
    project_id: int,
    limit: int,
    until_ms: int | None = None,
    uses_meaning: bool = True,
) -> list[FoundLine]:
    """At most `limit` lines of the project's log, best first, said before `until_ms`."""
    signals = _match(db, text, project_id=project_id, until_ms=until_ms)
    if signals is None:
        return []
    ranked = _look_around(db, signals, until_ms=until_ms)[: max(MIN_READ, limit)]
    rows = log_search.read_lines(db, ranked)
    texts = {line: rows[line]["text"][:MAX_TEXT_CHARS] for line in ranked if line in rows}
    if uses_meaning:
        compared = list(texts)[: min(MAX_COMPARED, MIN_COMPARED + limit)]
        signals.meaning = _compare(text, {line: texts[line] for line in compared})
    scored = sorted(((line, signals.total(line)) for line in texts), key=lambda item: (-item[1], -item[0]))
    bags = {line: log_rank.bag(texts[line]) for line, _ in scored[: log_rank.MAX_COMPARED]}
    asked = sum(
        weight * log_rank.rarity(len(signals.postings[term]), max(1, len(signals.own)))
        for term, weight in signals.weights.items()
    )
    return [
        FoundLine(log_rank.calibrate(value, asked), rows[line], _explain(signals, line))
        for line, value in log_rank.spread(scored, bags)[:limit]
    ]


def _match(db: Connection, text: str, *, project_id: int, until_ms: int | None) -> _Signals | None:
    """The lines and sessions that hold words of the question, None where none does."""
    weights = log_plan.plan_terms(text)
    forms = postings.find_forms(db, weights)
    counts = postings.count_forms(db, forms)
    for term in [term for term, count in counts.items() if not count]:
        forms[term] = postings.find_starts(db, term)
        weights[term] *= WORD_START
    counts = postings.count_forms(db, forms)
    chosen = log_plan.choose_terms(counts, max_places=postings.MAX_PLACES)
    found, homes = postings.read_postings(
        db, {term: forms[term] for term in chosen}, project_id=project_id, until_ms=until_ms
    )
    if not homes:
        return None
    line_counts = postings.count_lines(db, project_id)
    lengths = postings.read_lengths(db, homes)
    own = log_rank.score_lines(found, weights, lengths, total=sum(line_counts.values()))
    sizes = log_rank.estimate_sizes(line_counts, homes, lengths)
    sessions = log_rank.score_sessions(found, weights, homes, sizes)
    signals = _Signals({term: weights[term] for term in chosen}, found, homes, own, sessions)
    days = log_plan.find_days(text)
    signals.dated = postings.find_dated(db, homes, days) if days else set()
    return signals


def _look_around(db: Connection, signals: _Signals, *, until_ms: int | None) -> list[int]:
    """The lines that may answer, best first by what is known without reading them."""
    seeds = sorted(signals.own, key=lambda line: (-signals.total(line), -line))[:MAX_SEEDS]
    runs = postings.read_runs(db, seeds, until_ms=until_ms)
    signals.near = log_rank.add_neighbours(signals.own, runs)
    for run in runs:
        home = next(signals.homes[line] for line in run if line in signals.homes)
        for line in run:
            signals.homes.setdefault(line, home)
    lines = dict.fromkeys([*seeds, *signals.near])
    return sorted(lines, key=lambda line: (-signals.total(line), -line))


def _compare(text: str, texts: dict[int, str]) -> dict[int, float]:
    """The likeness in meaning of each text to the question; empty where there is no table to encode with."""
    try:
        table = Table(BUNDLED_PATH)
    except (OSError, ValueError):
        return {}
    try:
        return dict(zip(texts, compare(table, text, list(texts.values())), strict=True))
    finally:
        table.close()


def _explain(signals: _Signals, line: int) -> dict[str, Any]:
    matched = [term for term, lines in signals.postings.items() if line in lines]
    wanted = sum(signals.weights.values())
    return {
        "matched": matched,
        "coverage": round(sum(signals.weights[term] for term in matched) / wanted, 3) if wanted else 0.0,
        "signals": {
            "words": round(signals.own.get(line, 0.0), 2),
            "neighbours": round(signals.near.get(line, 0.0), 2),
            "session": round(SESSION * signals.sessions.get(signals.homes.get(line, 0), 0.0), 2),
            "meaning": round(MEANING * max(0.0, signals.meaning.get(line, 0.0)), 2),
            "date": DATE * (line in signals.dated),
        },
    }
