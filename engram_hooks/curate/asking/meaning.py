"""Likeness in meaning of texts that have no stored vector, such as records that were replaced."""

from __future__ import annotations

from collections.abc import Mapping
from sqlite3 import Connection
from types import TracebackType

from engram_hooks.embed.encode import Table, normalise
from engram_hooks.embed.nearest import MAX_QUERY_TOKENS, find_table, is_off
from engram_hooks.store import vectors


class Meaning:
    """Encodes texts with the table of the model that answers; a context manager.

    Where no table serves that model every likeness is None.
    """

    def __init__(self, db: Connection, data: str, environ: Mapping[str, str]) -> None:
        self._table: Table | None = None
        self._known: dict[str, list[float]] = {}
        model = vectors.serving_model(db) if data and not is_off(environ) else None
        path = find_table(model[1], model[2], data) if model and model[4] else ""
        if path:
            try:
                self._table = Table(path)
            except (OSError, ValueError):
                return

    def __enter__(self) -> Meaning:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._table:
            self._table.close()

    def compare(self, text: str, other: str) -> float | None:
        """The cosine of two texts, 0 where no word of one is known."""
        if self._table is None:
            return None
        own, others = self._encode(text), self._encode(other)
        return sum(a * b for a, b in zip(own, others, strict=True)) if own and others else 0.0

    def knows(self, word: str) -> bool:
        """Whether a word (lower case) stands in the table as a whole."""
        return self._table is not None and self._table.find_row(word) >= 0

    def _encode(self, text: str) -> list[float]:
        found = self._known.get(text)
        if found is None and self._table is not None:
            found = normalise(self._table.encode(text, max_tokens=MAX_QUERY_TOKENS))
            self._known[text] = found
        return found or []
