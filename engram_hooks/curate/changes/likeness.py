"""How alike in meaning two lists of words are, by the bundled table: read row by row, nothing of it is loaded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import mul

from engram_hooks.curate.changes.subjects import Measure
from engram_hooks.embed.encode import BUNDLED_PATH, Table
from engram_hooks.embed.likeness import encode_text, read_middle
from engram_hooks.embed.nearest import is_off

_MAX_KNOWN = 2_000


class _Meaning:
    """Encodes each list of words once, with a table that is opened at the first."""

    def __init__(self) -> None:
        self._table: Table | None = None
        self._centre: list[float] = []
        self._known: dict[str, list[float]] = {}
        self._is_missing = False

    def measure(self, words: Sequence[str], others: Sequence[str]) -> float:
        """The cosine of two lists of words, 0 where one is empty or unknown."""
        own, other = self._encode(" ".join(words)), self._encode(" ".join(others))
        return sum(map(mul, own, other)) if own and other else 0.0

    def close(self) -> None:
        """Close the table, where one was opened."""
        if self._table:
            self._table.close()

    def _encode(self, text: str) -> list[float]:
        if text not in self._known:
            if len(self._known) >= _MAX_KNOWN:
                self._known.clear()
            self._known[text] = self._make(text)
        return self._known[text]

    def _make(self, text: str) -> list[float]:
        if self._table is None and not self._is_missing:
            try:
                self._table = Table(BUNDLED_PATH)
                self._centre = read_middle(self._table)
            except (OSError, ValueError):
                self._is_missing = True
        return encode_text(self._table, text, self._centre) if self._table and text else []


@contextmanager
def open_measure(environ: Mapping[str, str] | None = None) -> Iterator[Measure | None]:
    """A measure for the time of a `with`, its table opened at the first call; None where meaning is switched off.

    Where the table is not there, nothing is like anything.
    """
    if environ and is_off(environ):
        yield None
        return
    meaning = _Meaning()
    try:
        yield meaning.measure
    finally:
        meaning.close()
