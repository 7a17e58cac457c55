"""Whether a text holds a word, also in another form: labels for label, `orderParser` for parser."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

ALIKE = 0.9
_SUFFIXES = frozenset(
    (
        *("", "s", "es", "ed", "d", "e", "ing", "er", "ers", "r", "rs", "ly", "n"),
        *("y", "ies", "ied", "ys", "yed", "ying", "yer", "yers"),
    )
)
_DOUBLING = frozenset(("ed", "er", "ers", "ing"))
_ENDINGS = ("ings", "ing", "ies", "ied", "ers", "er", "ed", "es", "s", "e", "y")
_LAST_LETTERS = "sgdrey"
_MIN_CHARS, _MIN_STEM_CHARS = 5, 4
_MAX_TRIES = 6


def stem_of(term: str) -> str:
    """A prefix that the other forms of a word share; names, numbers and short words stay whole."""
    if not term.isalpha() or len(term) < _MIN_CHARS:
        return term
    if not term.isascii():
        return term[:-2] if len(term) > _MIN_CHARS else term
    if term[-1] not in _LAST_LETTERS:
        return term
    for ending in _ENDINGS:
        if term.endswith(ending) and len(term) - len(ending) >= _MIN_STEM_CHARS:
            stem = term[: -len(ending)]
            is_doubled = ending in _DOUBLING and stem[-1] == stem[-2] and stem[-1] not in "lsz"
            return stem[:-1] if is_doubled else stem
    return term


def is_ending(rest: str, stem: str = "") -> bool:
    """Whether what follows a stem makes it another form of the same word: also `ped` behind `stop`."""
    return rest in _SUFFIXES or (rest[:1] == stem[-1:] != "" and rest[1:] in _DOUBLING)


def find_words(text: str, lower: str, stems: Iterable[tuple[str, str]]) -> list[tuple[str, float, int]]:
    """(term, how well it fits, position) for every (term, its stem) that the text holds as a word.

    `lower` is the text in lower case; it fits with 1.0 where the word is the same, a little less in another form.
    """
    found = []
    for term, stem in stems:
        at = lower.find(stem)
        tries = _MAX_TRIES
        while at >= 0 and tries:
            fit = _fits(text, lower, at, term=term, stem=stem)
            if fit:
                found.append((term, fit, at))
                break
            at = lower.find(stem, at + 1)
            tries -= 1
    return found


def _fits(text: str, lower: str, at: int, *, term: str, stem: str) -> float:
    """How well a word is the term: 1 the same, a little less in another form, 0 another word."""
    if not stem.isascii() and len(stem) <= 2:
        return 1.0  # a pair of a script without spaces
    if at and lower[at - 1].isalnum() and not (text[at].isupper() and not text[at - 1].isupper()):
        return 0.0
    end = at + len(stem)
    if stem == term and not lower[end : end + 1].isalnum():
        return 1.0
    stop = end
    while stop < len(lower) and stop - end < 5 and lower[stop].isalnum():
        if text[stop].isupper() and not text[stop - 1].isupper():
            break
        stop += 1
    if lower[at:stop] == term:
        return 1.0
    if stem == term and not term.isalpha():
        return 1.0 if stop == end else 0.0
    rest = lower[end:stop]
    return ALIKE if is_ending(rest, stem) or (not stem.isascii() and len(rest) < 5) else 0.0
