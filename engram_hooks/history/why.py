"""Which commits, files and symbols answer a question about a repository."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from sqlite3 import Connection

from engram_hooks.embed.encode import Table
from engram_hooks.embed.likeness import compare
from engram_hooks.history import why_rank
from engram_hooks.history.why_evidence import (
    FoundFile,
    FoundSymbol,
    Touched,
    rank_files,
    rank_symbols,
    read_touched,
)
from engram_hooks.history.why_question import Question, cites, find_pairs, read_question, read_stems, stems_of
from engram_hooks.history.why_rank import Judged
from engram_hooks.recall.log_plan import choose_terms
from engram_hooks.recall.log_rank import calibrate
from engram_hooks.store import index_queries, index_search, postings
from engram_hooks.store.index_queries import CommitEntry

MAX_PLACES = 12_000
# so many are looked at with the lengths of their fields, so many of the best are read
MAX_MEASURED, MAX_READ = 1_000, 100
# so many of the best by words are compared by meaning: those that may still come among the first
MAX_COMPARED = 40
MAX_TEXT_CHARS = 1_200
MAX_CITING = 200
TIED_COMMITS, EVIDENCE_COMMITS = 10, 50


@dataclass(frozen=True, slots=True)
class FoundCommit:
    """A commit with its score from 0 to 1, what speaks for it, and what it touched (the first of it)."""

    score: float
    entry: CommitEntry
    matched: tuple[str, ...]
    signals: dict[str, float]
    touched: Touched

    @property
    def hash(self) -> str:
        """The whole hash in hexadecimal."""
        return self.entry.hash


@dataclass(frozen=True, slots=True)
class WhyAnswer:
    """What answers a question, best first; `kind` says how it was read."""

    kind: str
    commits: tuple[FoundCommit, ...] = ()
    files: tuple[FoundFile, ...] = ()
    symbols: tuple[FoundSymbol, ...] = ()


@dataclass(slots=True)
class _Matches:
    """What is known of commits before any is read."""

    values: dict[str, float] = field(default_factory=dict)
    places: index_search.Places = field(default_factory=dict)
    words: dict[int, float] = field(default_factory=dict)

    def matched(self, number: int) -> list[str]:
        """The terms of the question that a commit holds."""
        return [term for term, found in self.places.items() if number in found]


def answer(db: Connection, text: str, *, k: int = 10, table: Table | None = None) -> WhyAnswer:
    """At most `k` commits, files and symbols each, best first; `table` gives meaning, without it words alone count."""
    question = read_question(text)
    matches = _match_words(db, question)
    judged, entries = _judge(db, question, matches, table)
    ties = _find_ties(db, entries)
    ranked = why_rank.tie_together(sorted(judged, key=lambda one: _order(one, entries)), ties)
    asked = sum(matches.values.values())
    best = [one.id for one, _ in ranked[: max(k, EVIDENCE_COMMITS)]]
    touched = read_touched(db, best)
    stems = _stem_values(matches.values)
    files = rank_files(db, question, best, touched, values=stems, limit=k)
    symbols = rank_symbols(db, question, best, touched, values=stems)
    commits = [
        FoundCommit(
            round(calibrate(score, asked), 4),
            entries[one.id],
            tuple(one.matched),
            {name: round(value, 2) for name, value in one.signals.items() if value},
            touched[one.id],
        )
        for one, score in ranked[:k]
    ]
    return WhyAnswer(question.kind, tuple(commits), tuple(files), tuple(symbols[:k]))


def _match_words(db: Connection, question: Question) -> _Matches:
    """The commits that hold words of the question, with what their words say."""
    if question.is_reference and not question.issues:
        return _Matches()
    terms = question.terms
    forms = postings.find_forms(db, terms, table="commits")
    counts = postings.count_forms(db, forms, table="commits")
    chosen = choose_terms(counts, max_places=MAX_PLACES)
    places = index_search.read_places(db, {term: forms[term] for term in chosen})
    places = {term: found for term, found in places.items() if found}
    total, averages = index_search.read_averages(db)
    rare = why_rank.rarities(places, total)
    values = {term: terms[term] * value for term, value in rare.items()}
    weights = why_rank.EXACT_FIELD_WEIGHTS if question.kind == "exact" else why_rank.FIELD_WEIGHTS
    rough = why_rank.score_words(places, values, sizes={}, averages=averages, fields=weights)
    first = nlargest(MAX_MEASURED, rough, key=lambda number: (rough[number], number))
    sizes = index_search.read_sizes(db, first)
    words = (
        why_rank.score_words(places, values, sizes=sizes, averages=averages, fields=weights) if sizes else {}
    )
    return _Matches(values, places, words)


def _judge(
    db: Connection, question: Question, matches: _Matches, table: Table | None
) -> tuple[list[Judged], dict[int, CommitEntry]]:
    """The commits that may answer, judged, with what they are."""
    named = [number for prefix in question.hashes for number in index_search.find_by_hash(db, prefix)]
    symbols = index_search.find_symbols(db, question.names)
    by_symbol = index_queries.changes_of_symbols(db, [symbol[0] for symbol in symbols])
    by_words = nlargest(MAX_READ, matches.words, key=lambda number: (matches.words[number], number))
    read = dict.fromkeys([*named, *by_words, *_find_citing(question, matches)])
    if not question.is_reference:
        read |= dict.fromkeys(sorted(by_symbol, reverse=True)[:MAX_READ])
    entries = {entry.id: entry for entry in index_queries.read_commits(db, read)}
    merges = index_search.find_merges(db, entries)
    asked = read_stems(question.text)
    judged = []
    for number, entry in entries.items():
        one = Judged(number, {"words": matches.words.get(number, 0.0)}, matches.matched(number))
        _weigh(one, entry, question, asked)
        one.signals["kind"] = why_rank.BULK * entry.is_bulk + why_rank.MERGE * (number in merges)
        one.signals["cited"] += 2 * why_rank.CITED * (number in named)
        one.signals["symbol"] = why_rank.TOUCHED * (number in by_symbol)
        judged.append(one)
    judged = _keep_exact(judged, question)
    _add_ties(db, judged, entries)
    if table is not None and not question.is_reference:
        _compare(question, judged, entries, table)
    return judged, entries


def _keep_exact(judged: list[Judged], question: Question) -> list[Judged]:
    """Of a question that is a reference or a name those that hold it; parts of a name count where none does."""
    if question.is_reference:
        return [one for one in judged if one.signals["cited"]]
    if question.kind != "exact":
        return judged
    names = {name.casefold() for name in question.names}
    whole = [
        one
        for one in judged
        if one.signals["symbol"] or one.signals["cited"] or names.intersection(one.matched)
    ]
    return whole or judged


def _weigh(one: Judged, entry: CommitEntry, question: Question, asked: Sequence[str]) -> None:
    """Add what the message and the intent of a commit say; `asked` are the stems of the question."""
    said = f"{entry.subject}\n{entry.body[:MAX_TEXT_CHARS]}"
    one.signals["pairs"] = why_rank.PAIR * min(why_rank.MAX_PAIRS, find_pairs(asked, said))
    one.signals["intent"] = why_rank.weigh_intent(entry.intent, kind=question.kind, sides=question.sides)
    one.signals["cited"] = why_rank.CITED * any(cites(said, issue) for issue in question.issues)


def _find_citing(question: Question, matches: _Matches) -> list[int]:
    """The commits whose message may cite an issue of the question."""
    in_message = 0b11
    wanted = {issue.lower() for issue in question.issues}
    found = [
        number
        for term, places in matches.places.items()
        if term in wanted or any(term.endswith(f"-{issue}") for issue in wanted)
        for number, mask in places.items()
        if mask & in_message
    ]
    return sorted(found, reverse=True)[:MAX_CITING]


def _add_ties(db: Connection, judged: list[Judged], entries: dict[int, CommitEntry]) -> None:
    """Let what the best ones undid, or were undone by, be judged too."""
    first = sorted(judged, key=lambda one: -one.total)[:TIED_COMMITS]
    known = {one.id for one in judged}
    hashes = {name for one in first for name in _ties_of(entries[one.id])}
    missing = [number for number in index_search.find_ids(db, hashes).values() if number not in known]
    for entry in index_queries.read_commits(db, missing):
        entries[entry.id] = entry
        judged.append(Judged(entry.id, {"words": 0.0}))


def _find_ties(db: Connection, entries: Mapping[int, CommitEntry]) -> dict[int, list[int]]:
    by_hash = {entry.hash: number for number, entry in entries.items()}
    return {
        number: [by_hash[name] for name in _ties_of(entry) if name in by_hash]
        for number, entry in entries.items()
    }


def _ties_of(entry: CommitEntry) -> list[str]:
    return [name for name in (entry.reverts, entry.reverted_by, entry.restores, entry.restored_by) if name]


def _compare(
    question: Question, judged: Sequence[Judged], entries: Mapping[int, CommitEntry], table: Table
) -> None:
    """Add the likeness in meaning of message and changed lines for those that may still come first."""
    first = sorted(judged, key=lambda one: _order(one, entries))[:MAX_COMPARED]
    messages = [f"{entries[one.id].subject}\n{entries[one.id].body}" for one in first]
    excerpts = [entries[one.id].excerpt for one in first]
    likeness = compare(table, question.text, [*messages, *excerpts])
    for at, one in enumerate(first):
        one.signals["message"] = why_rank.MESSAGE_MEANING * max(0.0, likeness[at])
        one.signals["code"] = why_rank.CODE_MEANING * max(0.0, likeness[at + len(first)])


def _order(one: Judged, entries: Mapping[int, CommitEntry]) -> tuple[float, int, int]:
    return -one.total, -entries[one.id].committed_at, one.id


def _stem_values(values: Mapping[str, float]) -> dict[str, float]:
    return {root: value for term, value in values.items() for root in stems_of(term)[:1]}
