"""What may answer a question: records by words, by meaning and by what they replaced, each with its odds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, log
from sqlite3 import Connection
from typing import Any

from engram_hooks.curate import backfill
from engram_hooks.curate.asking import fact_weights as w
from engram_hooks.curate.asking import search_records
from engram_hooks.curate.asking.meaning import Meaning
from engram_hooks.curate.asking.question import Question
from engram_hooks.curate.asking.reading import WHY, Reading
from engram_hooks.curate.asking.spelling import mend_slips
from engram_hooks.curate.changes.claims import Claim, read_claims
from engram_hooks.recall import branches, rank, route
from engram_hooks.recall.fields import BRANCH, DETAIL, ID, KIND, SCOPE, SUMMARY, TAGS
from engram_hooks.recall.weights import MIN_FACT, MIN_FACT_COVERAGE
from engram_hooks.store import record_search
from engram_hooks.store.chains import find_ends, read_links
from engram_hooks.store.matching import choose_terms, count_documents, count_terms
from engram_hooks.terms import query_terms

MIN_CANDIDATES = 60
# so many records without a stored vector are encoded on the spot, and of so many the claims are read
MAX_ENCODED, MAX_CLAIMS = 400, 40
# what once was true and has its place in a chain
_GONE = tuple(status for status in record_search.ONCE if status not in record_search.NOW)
_ASKING_TEXT = """
    always call called come current day days else exactly first format get give goes good handle happen happens kind
    know last latest like long look looks many mean much name need new often part place put right rule set show
    something sort start stay take tell thing things time times today type types version want way work
"""
_ASKING = frozenset(_ASKING_TEXT.split())
# kinds that tell what happened or how things stand: none of them overrules what was decided
_REMARKS = frozenset(("fact", "incident", "state", "insight", "reference", "module"))
_CLAUSES = re.compile(r"[.;:!?](?:\s|$)")
_DEEDS = frozenset(
    "removed deleted revoked cleaned rotated expired archived emptied renamed fixed corrected purged wiped gone".split()
)
_AFTER_DEEDS = frozenset("from in out by with on at after up".split())
_VERBS = frozenset("is are be must should has have had will can may gets get stays keeps was were".split())


@dataclass(frozen=True, slots=True)
class Found:
    """A record that may answer: its row, its log odds among the others, the chance that it is about the question.

    `end` is the record that its chain of successors ends with, `successor` the one that replaced it; `rules` says
    whether it is a word that may stand against an earlier one, not a remark.
    """

    row: tuple[Any, ...]  # Any: columns of one SQL row, each of its own type
    odds: float
    chance: float
    reasons: dict[str, Any]  # Any: a reason is a number or a list of words
    end: int
    successor: int | None
    rules: bool = True


def find_records(db: Connection, question: Question, read: Reading) -> list[Found]:
    """Records that hold or held once, and those of their chains, the likeliest first."""
    search_records.catch_up(db, question)
    with Meaning(db, question.data, question.environ) as meaning:
        core = mend_slips(
            read.core, knows=meaning.knows, count=lambda words: count_terms(db, "records", words)
        )
        terms, names, wanted = search_records.plan_search(db, core)
        rows, links, cosines = _gather(db, replace(question, text=core), wanted)
        if cosines:
            _measure(meaning, core, rows, cosines)
        # of a question without a word that it knows, the table of meaning says nothing
        is_known = bool(cosines) and any(map(meaning.knows, core.lower().split()))
    df, total = count_terms(db, "records", wanted), count_documents(db, "records")
    names = [*names, *route.find_folders(names)]
    intent = "cause" if read.tense == WHY else route.find_intent(core)
    scored = rank.score(terms, names, rows, df=df, total=total, cosines=cosines, intent=intent)
    if question.is_explained:
        scored = search_records.add_ranks(scored)
    rarity = rank.weigh(terms, names, df=df, total=total)
    weights = {term: value * (w.ASKING_WORD if term in _ASKING else 1.0) for term, value in rarity.items()}
    ends = find_ends(links)
    found, is_word, is_why = [], len(core.split()) == 1, read.tense == WHY
    for at, (value, row, reasons) in enumerate(scored):
        doubt = 0.0
        if at < MAX_CLAIMS:
            doubt = weigh_reason(row, reasons["matched"]) if is_why else weigh_claims(row)
        rules = doubt >= 0.0 and (is_why or row[KIND] not in _REMARKS)
        chance = judge(reasons, weights) if is_known else judge_words(value, reasons["coverage"])
        if is_word and not reasons["matched"] and not reasons["matters"]:
            chance = 0.0  # who looks a word up wants that word
        place = branches.place_of(row[SCOPE], row[BRANCH], question.branch)
        doubt += w.FACT_BRANCH * log(branches.FACTORS[place])
        record_id = int(row[ID])
        end = ends.get(record_id, record_id)
        found.append(Found(row, reasons["odds"] + doubt, chance, reasons, end, links.get(record_id), rules))
    return sorted(found, key=lambda one: -one.odds)


def judge(reasons: Mapping[str, Any], weights: Mapping[str, float]) -> float:
    """The chance (0 to 1) that a record is about a question whose terms have these weights.

    A logistic model on the likeness in meaning, the share of the question's words, and other words for its matters.
    """
    cosine = reasons["cosine"] or 0.0
    share = sum(weights.get(term, 0.0) for term in reasons["matched"]) / (sum(weights.values()) or 1.0)
    trust = min(1.0, max(0.0, cosine - w.FACT_MATTER_FROM) / w.FACT_MATTER_SPAN)
    odds = (
        w.FACT_BIAS
        + w.FACT_MEANING * cosine
        + w.FACT_SHARE * share
        + w.FACT_MATTER * trust * min(len(reasons["matters"]), 2)
        + w.FACT_LENGTH * min(len(weights), w.FACT_MAX_LENGTH)
    )
    return 1.0 / (1.0 + exp(-odds))


def judge_words(value: float, share: float) -> float:
    """The same where words alone are known, from the score of the ranking and the share of the question they cover."""
    is_near = value >= MIN_FACT or share >= MIN_FACT_COVERAGE
    return w.FACT_FLOOR + value * (1.0 - w.FACT_FLOOR) if is_near else value


def weigh_claims(row: Sequence[Any]) -> float:
    """What a record's claims add to its odds: what it rejects, plans or only mentions is no answer to what holds."""
    claims = _claims_of(row)
    if any(claim.is_rejected or claim.is_planned for claim in claims):
        return -w.FACT_REJECTED
    is_said = any(claim.is_asserted for claim in claims) and not is_deed(row[SUMMARY])
    return 0.0 if is_said else -w.FACT_MENTION


def weigh_reason(row: Sequence[Any], matched: Sequence[str]) -> float:
    """The same where a question asks why: the record that tells of the end of what the question names goes first."""
    gone = {term for claim in _claims_of(row) for old in claim.replaces for term in query_terms(old)}
    return w.FACT_REPLACED if gone.intersection(matched) else 0.0


def is_deed(text: str) -> bool:
    """Whether a text only tells of tidying up: `Old cache step removed.`, `API key of the mail service revoked`."""
    clauses = [words for part in _CLAUSES.split(text.lower()) if (words := part.split())]
    return bool(clauses) and all(_is_deed(words) for words in clauses)


def _is_deed(words: Sequence[str]) -> bool:
    at = next((at for at, word in enumerate(words) if at and word in _DEEDS), 0)
    is_over = at == len(words) - 1 or (at > 0 and words[at + 1] in _AFTER_DEEDS)
    return at > 0 and is_over and not _VERBS.intersection(words[:at])


def _claims_of(row: Sequence[Any]) -> list[Claim]:
    return read_claims(f"{row[SUMMARY]}\n{row[DETAIL]}" if row[DETAIL] else row[SUMMARY], row[KIND])


def _gather(
    db: Connection, question: Question, wanted: Sequence[str]
) -> tuple[list[tuple[Any, ...]], dict[int, int | None], dict[int, float]]:
    """(rows, the chains they stand in, stored cosines of those that are told)."""
    limit = max(MIN_CANDIDATES, question.k * 3)
    projects = question.project_ids
    chosen = choose_terms(db, "records", wanted)
    rows = record_search.search_records(db, chosen, limit=limit, project_ids=projects)
    rows += record_search.search_records(db, chosen, limit=limit, project_ids=projects, statuses=_GONE)
    cosines = search_records.find_cosines(db, question, limit=limit)
    known = {row[ID] for row in rows}
    nearest = [one for one in cosines if one not in known]
    rows += record_search.read_records(db, nearest, project_ids=projects)
    links = read_links(db, [row[ID] for row in rows])
    known = {row[ID] for row in rows}
    others = [one for one in links if one not in known]
    rows += record_search.read_records(db, others, project_ids=projects, statuses=record_search.ONCE)
    return rows, links, cosines


def _measure(meaning: Meaning, core: str, rows: Sequence[tuple[Any, ...]], cosines: dict[int, float]) -> None:
    """Add the cosines of the rows that have no stored vector, or were not among the nearest."""
    for row in [row for row in rows if row[ID] not in cosines][:MAX_ENCODED]:
        value = meaning.compare(core, backfill.text_of(row[SUMMARY], row[TAGS], row[DETAIL]))
        if value is not None:
            cosines[row[ID]] = value
