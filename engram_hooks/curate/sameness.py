"""Whether two memories say the same in other words: careful, since a changed value is no repetition."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from math import ceil

from engram_hooks.stems import stem
from engram_hooks.store.tombstones import normalise
from engram_hooks.terms import is_identifier, query_terms

MIN_SHARE = 0.6  # of words that both have, for one that says a little more than the other
MIN_HEARD_SHARE = 0.5
MIN_COSINE = 0.85
_MAX_TERMS = 80
_PUNCTUATION = ".,;:!?()\"'`"
_DENIALS = frozenset(
    "not no never without avoid stop don't dont doesn't isn't aren't won't mustn't can't cannot nor neither"
    " unless except".split()
)
# words that make the order of what they stand between a part of what is said
_OPPOSING = frozenset("over instead before after than rather replace replaces replaced replacing".split())
_ORDERING = _OPPOSING | frozenset("from to into onto".split())


@dataclass(frozen=True, slots=True)
class Sense:
    """A text as it is compared: without case and spaces; content stems in order; names; what has digits."""

    norm: str
    stems: tuple[str, ...]
    terms: frozenset[str]
    names: frozenset[str]
    figures: frozenset[str]
    is_denial: bool
    is_opposing: bool
    has_order: bool


class Reader:
    """Reads texts as they are compared, each word and each text once."""

    def __init__(self) -> None:
        self._stems: dict[str, str] = {}
        self._senses: dict[str, Sense] = {}

    def read(self, text: str) -> Sense:
        """A text as it is compared."""
        known = self._senses.get(text)
        if known is None:
            known = self._senses[text] = self._read(text)
        return known

    def _read(self, text: str) -> Sense:
        terms = query_terms(text, max_terms=_MAX_TERMS)
        stems = tuple(self._stem(term) for term in terms)
        words = {word.strip(_PUNCTUATION) for word in text.lower().replace("’", "'").split()}
        names = {self._stem(term) for term in terms if is_identifier(term)} | self._read_capitals(text)
        return Sense(
            normalise(text),
            stems,
            frozenset(stems),
            frozenset(names),
            frozenset(word for word in words if any(char.isdigit() for char in word)),
            not words.isdisjoint(_DENIALS),
            not words.isdisjoint(_OPPOSING),
            not words.isdisjoint(_ORDERING),
        )

    def _stem(self, term: str) -> str:
        found = self._stems.get(term)
        if found is None:
            found = self._stems[term] = stem(term)
        return found

    def _read_capitals(self, text: str) -> set[str]:
        """Stems of words with a capital inside a sentence: names of people, services and tools."""
        found: set[str] = set()
        words = text.split()
        for at in range(1, len(words)):
            clean = words[at].strip(_PUNCTUATION)
            if clean[:1].isupper() and not words[at - 1].endswith((".", "!", "?", ":")):
                found.update(self._stem(term) for term in query_terms(clean))
        return found


class WordIndex:
    """Senses by id, in groups, found by the words that they share."""

    def __init__(self) -> None:
        self._ids: dict[tuple[Hashable, str], list[int]] = {}

    def add(self, group: Hashable, record_id: int, sense: Sense) -> None:
        """Put a sense into a group."""
        for term in sense.terms:
            self._ids.setdefault((group, term), []).append(record_id)

    def find(self, group: Hashable, sense: Sense) -> list[int]:
        """The ids in a group that may share at least half of the words of a sense, lowest first.

        What shares so many holds one of its rarer words: only these are looked up.
        """
        lists = sorted((self._ids.get((group, term), []) for term in sense.terms), key=len)
        needed = len(lists) - ceil(MIN_HEARD_SHARE * len(lists)) + 1
        return sorted({record_id for ids in lists[:needed] for record_id in ids})


def says_same(own: Sense, other: Sense) -> bool:
    """Whether one may stand for the other: the same content words in the same sense, or hardly more in one of them.

    A word in the place of another is taken for another value, never for a repetition.
    """
    if own.norm == other.norm:
        return True
    extra, missing = own.terms - other.terms, other.terms - own.terms
    if is_at_odds(own, other) or not own.terms or not other.terms or (extra and missing):
        return False
    more = extra or missing
    if (own.names | other.names) & more:
        return False
    if (own.has_order or other.has_order) and not _is_in_order(own, other):
        return False
    return len(more) <= (1 - MIN_SHARE) * len(own.terms | other.terms)


def is_heard_again(own: Sense, other: Sense, *, cosine: float = 0.0) -> bool:
    """Whether a sentence seems to repeat another one, loosely: for counting how often a thing was said.

    At least half of the words are shared; where each has words of its own the cosine must be high, and nothing
    with a name may stand in one of them alone.
    """
    if says_same(own, other):
        return True
    union = own.terms | other.terms
    if is_at_odds(own, other) or not union:
        return False
    if (own.names | other.names) & (own.terms ^ other.terms):
        return False
    is_part = own.terms <= other.terms or other.terms <= own.terms
    return len(own.terms & other.terms) >= MIN_HEARD_SHARE * len(union) and (is_part or cosine >= MIN_COSINE)


def is_at_odds(own: Sense, other: Sense) -> bool:
    """Whether one denies what the other says, names other figures, or has what it opposes the other way round."""
    if own.is_denial != other.is_denial or own.figures != other.figures:
        return True
    return (own.is_opposing or other.is_opposing) and not _is_in_order(own, other)


def _is_in_order(own: Sense, other: Sense) -> bool:
    both = own.terms & other.terms
    return [stem for stem in own.stems if stem in both] == [stem for stem in other.stems if stem in both]
