"""Which functions and types a version of a file has, and on which lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from engram_hooks.history.languages import language_of
from engram_hooks.history.syntax.assembly import Symbol
from engram_hooks.history.syntax.grammars import installed_grammars
from engram_hooks.history.syntax.python import parse_python
from engram_hooks.history.syntax.structure import parse_structure

__all__ = ["MAX_CHARS", "Symbol", "enclosing", "language_of", "parse"]

# What stands behind is not read: a symbol that begins before and ends behind is cut there.
MAX_CHARS = 8_000_000
# Longer lines on average, in a text of some size, are minified or generated: no symbols.
MAX_MEAN_LINE = 1_000
MIN_MINIFIED_CHARS = 20_000


def parse(path: str, text: str) -> list[Symbol]:
    """Return the symbols of a file ordered by start line, outer before inner; [] for unknown languages.

    text: decoded; a byte order mark, CRLF and characters that are no text are all right. Never raises; time
    is linear, recursion none. Of texts over MAX_CHARS only the beginning is read;
    minified ones (but Python) have no symbols.
    """
    text = text[:MAX_CHARS]
    if text.startswith("\ufeff"):
        text = text[1:]
    language = language_of(path, text[: text.find("\n")] if text.startswith("#!") else "")
    if language == "python":
        return parse_python(text)
    if not language or _is_minified(text):
        return []
    found = installed_grammars().parse(language, text)
    return parse_structure(language, text) if found is None else found


def enclosing(symbols: Sequence[Symbol], line: int) -> Symbol | None:
    """Return the innermost symbol that a line (from 1) belongs to, None outside all.

    symbols: as `parse` returns them.
    """
    place = bisect_right(symbols, line, key=_start_of)
    return next((symbol for symbol in reversed(symbols[:place]) if symbol.end >= line), None)


def _start_of(symbol: Symbol) -> int:
    return symbol.start


def _is_minified(text: str) -> bool:
    return len(text) > MIN_MINIFIED_CHARS and text.count("\n") < len(text) // MAX_MEAN_LINE
