"""How alike in meaning a question and a few texts are, encoded on the spot: nothing is stored for it."""

from __future__ import annotations

from engram_hooks.embed.encode import normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.embed.encode import Table

# the start of a text says what it is about; twice as much moves no ranking
MAX_TEXT_TOKENS = 64
MAX_TEXT_CHARS = 480
_CENTRE_UNITS = 256


def compare(table: Table, question: str, texts: Sequence[str]) -> list[float]:
    """The cosine of each text to the question, both taken against the middling text; 0 where one is unknown."""
    centre = read_middle(table)
    asked = encode_text(table, question, centre)
    out: list[float] = []
    for text in texts:
        found = encode_text(table, text, centre) if asked else []
        out.append(sum(a * b for a, b in zip(asked, found, strict=True)) if found else 0.0)
    return out


def read_middle(table: Table) -> list[float]:
    """The mean vector of many texts, in units of rows."""
    return [value / _CENTRE_UNITS for value in table.read_centre()]


def encode_text(table: Table, text: str, centre: Sequence[float]) -> list[float]:
    """The start of a text as a unit vector against the middling text; empty where no word of it is known."""
    rows = table.find_rows(text[:MAX_TEXT_CHARS], max_tokens=MAX_TEXT_TOKENS)
    if not rows:
        return []
    count = len(rows)
    return normalise([total - count * mean for total, mean in zip(table.sum_rows(rows), centre, strict=True)])
