"""Whether a text stands in another one, whatever its form, and that one without it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engram_hooks.jsontext import dumps, loads
from engram_hooks.store.tombstones import normalise

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# A shorter text is a word that stands everywhere: only a row that says nothing else holds it.
MIN_CONTAINED_CHARS = 12
# A shorter sentence is one that anybody might have said.
MIN_SENTENCE_CHARS = 30
MIN_SENTENCE_WORDS = 5
MARK = "[forgotten]"
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|\n+")


class Wanted:
    """Texts that are to go, as they are compared: white space, case and outer punctuation do not matter."""

    def __init__(self, texts: Iterable[str]) -> None:
        given = list(texts)
        self.whole = [text for text in dict.fromkeys(map(normalise, given)) if text]
        sentences = (part for text in given for part in split_sentences(text))
        self.parts = list(dict.fromkeys([*self.whole, *sentences]))

    def is_in(self, text: str, *, is_derived: bool = False) -> bool:
        """Whether a text holds one of them; in a derived one a sentence is enough."""
        own = normalise(text)
        return any(_holds(own, one) for one in (self.parts if is_derived else self.whole))

    def cut(self, value: str) -> str:
        """A value without them: strings of JSON become a mark, lines of a text go."""
        if value[:1] in ("{", "["):
            try:
                return dumps(self._cut_parts(loads(value)))
            except ValueError:
                pass
        lines = [line for line in value.split("\n") if not self.is_in(line, is_derived=True)]
        kept = "\n".join(lines)
        return "" if self.is_in(kept, is_derived=True) else kept

    def is_in_value(self, value: str, *, is_derived: bool = False) -> bool:
        """Whether a value, or a string of one that is JSON, holds one of them."""
        return any(self.is_in(part, is_derived=is_derived) for part in read_parts(value))

    def _cut_parts(self, value: object) -> object:
        if isinstance(value, str):
            return MARK if self.is_in(value, is_derived=True) else value
        if isinstance(value, list):
            return [self._cut_parts(item) for item in value]
        if isinstance(value, dict):
            return {key: self._cut_parts(item) for key, item in value.items()}
        return value


def split_sentences(text: str) -> list[str]:
    """The sentences of a text that are long enough to be its own; none for a text of one sentence."""
    parts = [normalise(part) for part in _SENTENCE_END.split(text)]
    if len(parts) < 2:
        return []
    return [
        part
        for part in parts
        if len(part) >= MIN_SENTENCE_CHARS and part.count(" ") >= MIN_SENTENCE_WORDS - 1
    ]


def read_parts(text: str) -> Iterator[str]:
    """A text, or the strings that a JSON document is made of."""
    if text[:1] not in ("{", "["):
        yield text
        return
    try:
        value = loads(text)
    except ValueError:
        value = text
    yield from _flatten(value)


def _flatten(value: object) -> Iterator[str]:
    if isinstance(value, str):
        if value:
            yield value
    elif isinstance(value, list):
        for item in value:
            yield from _flatten(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _flatten(item)


def _holds(own: str, text: str) -> bool:
    return text in own if len(text) >= MIN_CONTAINED_CHARS else text == own
