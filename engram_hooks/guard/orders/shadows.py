"""Folded copies of a text on which disguised words read plain, each with the way back to the original."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from engram_hooks.guard.lookalikes import LOOKALIKES

_LEET_I = str.maketrans("013457@$!|8", "oieastasiib")
_LEET_L = str.maketrans("013457@$!|8", "oleastaslib")
_FLAT = str.maketrans("l013456789@$!|", "ioieasgtbgasii")
_FIRST_WIDE = 0x2000
_LETTER_RUNS = (0x1F150, 0x1F170, 0x1F1E6)  # negative circled, negative squared, regional indicators


@dataclass(frozen=True, slots=True)
class Shadow:
    """`text` and, for each of its characters and its end, where that stands in the original."""

    text: str
    places: list[int] | None = None  # None: one to one

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original behind a span that is not empty."""
        return (start, end) if self.places is None else (self.places[start], self.places[end - 1] + 1)


def fold(text: str) -> list[Shadow]:
    """Copies of `text` in lower case without accents and fancy letters: as it reads, with the look-alike
    letters of other scripts taken for Latin ones, and with digits and marks inside words for letters.
    """
    plain = Shadow(text.lower()) if text.isascii() else _fold_letters(text, {})
    shadows = [plain]
    latin = plain
    if not plain.text.isascii():
        latin = _fold_letters(text, LOOKALIKES)
        if latin.text != plain.text:
            shadows.append(latin)
    for table in (_LEET_I, _LEET_L):
        folded = _fold_digits(latin.text, table)
        if folded != latin.text and all(folded != other.text for other in shadows):
            shadows.append(Shadow(folded, latin.places))
    return shadows


def flatten(shadow: Shadow) -> Shadow:
    """Only the letters and digits of a shadow, digits as letters and `l` as `i`."""
    folded = shadow.text.translate(_FLAT)
    kept = [at for at, char in enumerate(folded) if char.isalpha()]
    places = kept if shadow.places is None else [shadow.places[at] for at in kept]
    return Shadow("".join([folded[at] for at in kept]), places)


def flatten_word(word: str) -> str:
    """A word as `flatten` leaves it."""
    return "".join(char for char in word.lower().translate(_FLAT) if char.isalpha())


def _fold_letters(text: str, lookalikes: dict[int, str]) -> Shadow:
    out: list[str] = []
    places: list[int] = []
    was_latin = False
    for at, char in enumerate(text):
        if char < "\x80":
            folded, was_latin = char.lower(), char.isalpha()
        elif unicodedata.combining(char):
            folded = "" if was_latin else char
        else:
            folded = _fold_one(char, lookalikes)
            was_latin = folded.isascii()
        out.append(folded)
        places.extend([at] * len(folded))
    return Shadow("".join(out), places)


def _fold_one(char: str, lookalikes: dict[int, str]) -> str:
    code = ord(char)
    for first in _LETTER_RUNS:
        if first <= code < first + 26:
            return chr(ord("a") + code - first)
    low = char.lower()
    if len(low) == 1 and ord(low) in lookalikes:
        return lookalikes[ord(low)]
    flat = unicodedata.normalize("NFKD", char)
    if flat[0] < "\x80" and flat != char:
        return "".join(c for c in flat if c < "\x80").lower() or " "
    if 0x370 <= code < 0x400 or 0x1F00 <= code < 0x2000:
        return unicodedata.normalize("NFD", low)[0]
    if char.isspace():
        return " " if char not in "\x85\u2028\u2029" else "\n"
    wide = unicodedata.normalize("NFKC", char)
    if code >= _FIRST_WIDE and len(wide) == 1 and ord(wide.lower()) in lookalikes:
        return lookalikes[ord(wide.lower())]
    return low


def _fold_digits(text: str, table: dict[int, int]) -> str:
    """`text` with digits and marks read as letters in every word that has letters too."""
    if not any(mark in text for mark in "013457@$!|8"):
        return text
    words = text.split(" ")
    for number, word in enumerate(words):
        if any(c.isalpha() for c in word):
            body = word.rstrip("!|")
            words[number] = body.translate(table) + word[len(body) :]
    return " ".join(words)
