"""How far two texts are about the same subject, leaving aside the value that both name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engram_hooks.curate.changes.claims import Claim, is_participle
from engram_hooks.curate.changes.words import COLON, COMMA, PAUSES, is_light, stem_word

# how alike in meaning two lists of words are, from -1 to 1
Measure = Callable[[Sequence[str], Sequence[str]], float]

ALL = 1.0
# what is said to be gone without a word on where
UNLIMITED = 0.6
# a value of three words or more is hardly that of two subjects
PHRASE = 0.3
# how alike must be what two subjects have beside the words that they share
MIN_REST = 0.35
_PHRASE_WORDS = 3
_MIN_PART = 3
_MAX_ACRONYM = 3


def liken(new: Sequence[Claim], old: Sequence[Claim], value: Sequence[str], measure: Measure | None) -> float:
    """How far two texts are about the same: 1 where one's subject holds the other's, else by their meaning.

    Where both have words of their own beside those they share, they are as alike as these are, and not at all where
    both name something: the timeout of one service is not that of another.
    """
    left_out = frozenset(stem_word(word) for word in value)
    if any(_is_unlimited(claim, left_out) for claim in new):
        return UNLIMITED
    mine, theirs = _subject(new, left_out), _subject(old, left_out)
    if not theirs:
        return ALL
    own, others = meaningful(new, left_out), meaningful(old, left_out)
    if not mine & theirs:
        if not own:
            return UNLIMITED
        if all(_has_name(claims, left_out) for claims in (new, old)):
            return 0.0
        found = measure(own, others) if measure else 0.0
        is_phrase = sum(not is_light(word) for word in value) >= _PHRASE_WORDS
        return max(found, PHRASE) if is_phrase else found
    return max(
        (
            _liken_rest(claim, other, left_out, measure)
            for claim in new
            for other in old
            if claim.subject & other.subject - left_out
        ),
        default=ALL,
    )


def _is_unlimited(claim: Claim, left_out: frozenset[str]) -> bool:
    """Whether a whole sentence says of a value that it is gone, and nothing else: 'We have left it.'"""
    content = {stem_word(word) for word in claim.text.split() if word not in PAUSES and not is_light(word)}
    return bool(claim.replaces) and content == left_out


def _liken_rest(claim: Claim, other: Claim, left_out: frozenset[str], measure: Measure | None) -> float:
    """How alike two claims are in what they do not share; 1 where one of them has nothing else."""
    left_out = left_out | {stem_word(word) for word in claim.value.split()}
    mine, theirs = _rest(claim, other.subject | left_out), _rest(other, claim.subject | left_out)
    if not mine or not theirs:
        return ALL
    if any(is_named(word, claim) for word in mine) or any(is_named(word, other) for word in theirs):
        return 0.0
    found = measure(mine, theirs) if measure else 0.0
    return found if found >= MIN_REST else 0.0


def _rest(claim: Claim, known: frozenset[str]) -> list[str]:
    """The words of a claim that name something apart: neither known nor what is done to it."""
    return [word for word in _main_words(claim) if stem_word(word) not in known and not is_participle(word)]


def is_named(word: str, claim: Claim) -> bool:
    """Whether a word names one thing among others: written like a name (a short acronym is none), or with a hyphen."""
    return (word in claim.names and bool(claim.value) and not is_acronym(word)) or "-" in word


def is_acronym(word: str) -> bool:
    """Whether a word is too short for a name: `api`, `ci`."""
    return len(word) <= _MAX_ACRONYM and word.isalpha()


def _has_name(claims: Sequence[Claim], left_out: frozenset[str]) -> bool:
    """Whether texts name something beside the values that they set."""
    return any(
        is_named(word, claim)
        and stem_word(word) not in left_out | {stem_word(part) for part in claim.value.split()}
        for claim in claims
        for word in _main_words(claim)
    )


def _main_words(claim: Claim) -> list[str]:
    """The content words of the first part of a sentence; the reason of a change is no part of it."""
    said = claim.text.split()
    marks = (COMMA, COLON) if claim.replaces and claim.value else (COMMA,)
    end = next((at for at, word in enumerate(said) if word in marks and at >= _MIN_PART), len(said))
    return [word for word in claim.words[:end] if word and word not in PAUSES and not is_light(word)]


def _subject(claims: Sequence[Claim], left_out: frozenset[str]) -> frozenset[str]:
    return frozenset().union(*(claim.subject for claim in claims)) - left_out


def meaningful(claims: Sequence[Claim], left_out: frozenset[str]) -> list[str]:
    """The words that say what texts are about: no names, and nothing behind the first comma of a sentence."""
    return [
        word
        for claim in claims
        for word in _main_words(claim)
        if (word not in claim.names or is_acronym(word)) and stem_word(word) not in left_out
    ]
