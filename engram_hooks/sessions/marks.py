"""What gives a record away where it was used: names, numbers and words that it has and the prompt has not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from engram_hooks.recall.route import plan
from engram_hooks.stems import stem
from engram_hooks.terms import STOP_WORDS, is_identifier, query_terms, split_terms

NAME, NUMBER, PROPER, WORD = "name", "number", "proper name", "word"
# how often each sort stands in a turn by chance, where the log does not say
CHANCE = {NAME: 0.03, NUMBER: 0.03, PROPER: 0.06, WORD: 0.12}
# how often it stands in a turn that used the record; what gives a reason is seldom repeated
SHOWS = {NAME: 0.7, NUMBER: 0.7, PROPER: 0.7, WORD: 0.5}
SHOWS_REASON = 0.25
MAX_MARKS = 14
MAX_TEXT_CHARS = 60_000
_COUNTS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_NUMBER = re.compile(r"^\d[\d.]*[a-z%]{0,3}$")
_GROUPED = re.compile(r"(?<=\d)[_,](?=\d{3}(?!\d))")
# what stands behind these words is what the record speaks against
_AGAINST = re.compile(
    r"\b(?:instead of|rather than|no longer|(?:do not|don't|never|not) (?:use|add|call|import|run)|not|never|over"
    r"|replac(?:es|ed|ing)|dropp?(?:ed|ing)|away from|avoid)\s+(?:the |a |an |any )?([\w@/.:+#-]+)",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"[,;]? (?:because|since|so that|due to|in order to)\b|, (?:for|as|to)\b|(?<=\w)(?:: | - | – | — |; )",
    re.IGNORECASE,
)
_MIN_HEAD_WORDS = 4
_PLACE = re.compile(r"[\n.;!?](?:\s|$)")


@dataclass(frozen=True, slots=True)
class Mark:
    """One word of a record as it is looked for: `key` as an index term, `stem` of a plain word.

    `shows` is how often it stands in a turn that used the record.
    """

    key: str
    sort: str
    stem: str
    shows: float


@dataclass(frozen=True, slots=True)
class Text:
    """What a turn says or does, ready to be looked through."""

    lower: str
    terms: frozenset[str]
    stems: frozenset[str]
    lines: tuple[frozenset[str], ...]


def find_marks(summary: str, asked: Text) -> list[Mark]:
    """The marks of a summary that a prompt does not hold; without what the summary speaks against."""
    return [mark for mark in all_marks(summary) if not holds(asked, mark, subject=frozenset())]


def all_marks(summary: str) -> list[Mark]:
    """The marks of a summary, each once, plain words behind all others; generic words are none."""
    text = _GROUPED.sub("", summary)
    against = rejected_terms(text)
    telling, names = (frozenset(found) for found in plan(text))
    head_chars = _find_reason(text)
    marks: dict[str, Mark] = {}
    at, is_start = 0, True
    for raw in text.split():
        at = text.index(raw, at)
        for word, terms in split_terms(raw):
            for term in (
                terms if not word.isascii() else terms[:1]
            ):  # without spaces every pair of letters is a word
                key = number_of(term)
                sort = _sort_of(word, key, is_start=is_start, is_name=term in names)
                is_told = sort != WORD or (key in telling and (len(key) > 2 or not key.isascii()))
                if is_told and key not in against and key not in STOP_WORDS:
                    root = stem(key)
                    shows = SHOWS[sort] if at < head_chars else SHOWS_REASON
                    marks.setdefault(root, Mark(key, sort, root if sort in (WORD, PROPER) else "", shows))
        at += len(raw)
        is_start = raw[-1:] in ".!?:;"
    # of a long summary the telling ones stay: in the order of the text, words last
    return sorted(marks.values(), key=lambda mark: mark.sort == WORD)[:MAX_MARKS]


def _find_reason(text: str) -> int:
    """Where the reason of what a text says begins; its length where it gives none."""
    for hit in _REASON.finditer(text):
        if len(text[: hit.start()].split()) >= _MIN_HEAD_WORDS:
            return hit.start()
    return len(text)


def rejected_terms(text: str) -> frozenset[str]:
    """The terms that a text speaks against: of "Postgres over Mongo" that is mongo."""
    found: set[str] = set()
    for hit in _AGAINST.finditer(text):
        word = hit[1]
        if hit[0].lower().startswith("over") and not (word[0].isupper() or is_identifier(word)):
            continue  # "a retry over a slow line"
        found.update(terms[0] for _, terms in split_terms(word) if terms)
    return frozenset(found)


def read_text(text: str, *, max_chars: int = MAX_TEXT_CHARS) -> Text:
    """A text ready to be looked through, up to `max_chars`."""
    text = _GROUPED.sub("", text[:max_chars])
    lines = tuple(
        frozenset(number_of(term) for _, terms in split_terms(line) for term in terms)
        for line in _PLACE.split(text)
        if line.strip()
    )
    terms = frozenset[str]().union(*lines)
    return Text(text.lower(), terms, frozenset(stem(term) for term in terms if term.isalpha()), lines)


def holds(text: Text, mark: Mark, *, subject: frozenset[str]) -> bool:
    """Whether a text holds a mark; a bare number only beside a word of its subject (stems), where that is given."""
    if mark.sort == NUMBER and subject:
        return any(mark.key in line and not subject.isdisjoint(map(stem, line)) for line in text.lines)
    if mark.key in text.terms or (mark.stem and mark.stem in text.stems):
        return True
    if "/" in mark.key or "." in mark.key:
        return mark.key in text.lower
    parts = mark.key.split("-")
    return len(parts) > 1 and all(part in text.terms for part in parts)


def subject_of(summary: str) -> frozenset[str]:
    """The stems of the words of a summary that a number in it may belong to."""
    return frozenset(stem(term) for term in query_terms(summary) if term.isalpha() and len(term) > 2)


def number_of(term: str) -> str:
    """A number word as digits; any other term as it is."""
    return str(_COUNTS.index(term)) if term in _COUNTS[2:] else term


def words_of(marks: Iterable[Mark]) -> list[str]:
    """The index terms of some marks, as the log counts them."""
    return list(dict.fromkeys(mark.key for mark in marks))


def _sort_of(word: str, key: str, *, is_start: bool, is_name: bool) -> str:
    if _NUMBER.match(key):
        return NUMBER
    if is_name or is_identifier(word):
        return NAME
    return PROPER if word[0].isupper() and not is_start and not word.isupper() else WORD
