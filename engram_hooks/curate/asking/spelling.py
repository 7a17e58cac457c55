"""Mending slips of the finger in a question: letters that changed places, one too many, too few or wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

MIN_CHARS_CHANGED = 6
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_WORD = re.compile(r"(?<![\w./:@#'-])[a-z]{5,24}(?![\w/:@#'-]|\.\w)")


def mend_slips(
    text: str, *, knows: Callable[[str], bool], count: Callable[[Sequence[str]], dict[str, int]]
) -> str:
    """A text in which unknown plain words are replaced by the known word that is one slip away.

    `knows` tells words of the language, `count` in how many records words stand (those in none are left out). Swapped
    letters may give a word of either kind, other slips only one of the records; of several the most frequent.
    """

    def mend(match: re.Match[str]) -> str:
        word = match.group()
        if knows(word) or count([word]):
            return word
        swapped = _swap(word)
        found = count(swapped)
        if not found:
            spelled = [one for one in swapped if knows(one)]
            if len(spelled) == 1:
                return spelled[0]
        if not found and len(word) >= MIN_CHARS_CHANGED:
            found = count(_change(word))
        return max(sorted(found), key=lambda one: found[one]) if found else word

    return _WORD.sub(mend, text)


def _swap(word: str) -> list[str]:
    pairs = range(len(word) - 1)
    return sorted({word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in pairs} - {word})


def _change(word: str) -> list[str]:
    """The words that one letter less, more or another one makes; the first letter is seldom wrong."""
    out = {word[:at] + word[at + 1 :] for at in range(1, len(word))}
    out |= {word[:at] + letter + word[at + 1 :] for at in range(1, len(word)) for letter in _LETTERS}
    out |= {word[:at] + letter + word[at:] for at in range(1, len(word) + 1) for letter in _LETTERS}
    return sorted(out - {word})
