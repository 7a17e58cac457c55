"""How far two texts are about the same subject, leaving aside the value that both name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engram_hooks.curate.claims import Claim
from engram_hooks.curate.claims_words import COMMA, PAUSES, is_light, stem_word
from engram_hooks.curate.resolve_contrast import find_modifiers

# how alike in meaning two lists of words are, from -1 to 1
Measure = Callable[[Sequence[str], Sequence[str]], float]

ALL = 1.0
# what is said to be gone without a word on where
UNLIMITED = 0.6
# a value of three words or more is hardly that of two subjects
PHRASE = 0.3
_PHRASE_WORDS = 3
_MIN_PART = 3


def liken(new: Sequence[Claim], old: Sequence[Claim], value: Sequence[str], measure: Measure | None) -> float:
    """How far two texts are about the same: 1 where they share a word of the subject, else by their meaning."""
    left_out = frozenset(stem_word(word) for word in value)
    mine, theirs = _subject(new, left_out), _subject(old, left_out)
    if not theirs:
        return ALL
    shared = mine & theirs
    if not shared:
        if not meaningful(new, left_out):
            return UNLIMITED
        found = measure(meaningful(new, left_out), meaningful(old, left_out)) if measure else 0.0
        is_phrase = sum(not is_light(word) for word in value) >= _PHRASE_WORDS
        return max(found, PHRASE) if is_phrase else found
    likenesses = [
        _liken_names(claim, other, shared & claim.subject & other.subject, measure)
        for claim in new
        for other in old
        if claim.subject & other.subject & shared
    ]
    return max(likenesses, default=ALL)


def _liken_names(claim: Claim, other: Claim, shared: frozenset[str], measure: Measure | None) -> float:
    """1, unless all that is shared is the last word of two names: 'load tests' and 'smoke tests'."""
    found = []
    for stem in shared:
        own, others = find_modifiers(claim, stem), find_modifiers(other, stem)
        if not own or not others or set(map(stem_word, own)) & set(map(stem_word, others)):
            return ALL
        found.append(measure(own, others) if measure else 0.0)
    return max(found)


def _subject(claims: Sequence[Claim], left_out: frozenset[str]) -> frozenset[str]:
    return frozenset().union(*(claim.subject for claim in claims)) - left_out


def meaningful(claims: Sequence[Claim], left_out: frozenset[str]) -> list[str]:
    """The words that say what texts are about: no names, and nothing behind the first comma of a sentence."""
    found: list[str] = []
    for claim in claims:
        said = claim.text.split()
        end = next((at for at, word in enumerate(said) if word == COMMA and at >= _MIN_PART), len(said))
        found += [
            word
            for word in claim.words[:end]
            if word
            and word not in PAUSES
            and word not in claim.names
            and not is_light(word)
            and stem_word(word) not in left_out
        ]
    return found
