"""The core blocks as the boot pack tells them: first, with how full each is, within their half of the room."""

from __future__ import annotations

from engram_hooks.guard.firewall import clean, neutralise
from engram_hooks.recall.boot import join_items

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

LABELS = {"user": "You", "agent": "Lessons"}
_EDGES = " \t.,;:!?\"'`*_-"


def render_core(blocks: Sequence[tuple[str, str, int]], max_chars: int) -> tuple[list[str], set[str]]:
    """(a paragraph for each block, the entries in them as `fold` compares them).

    `blocks` are (name, entries one a line, characters that it may have), told in this order. The paragraphs have
    at most `max_chars` characters, a line break behind each counted; what does not fit is counted at the end.
    """
    lines: list[str] = []
    said: set[str] = set()
    room = max_chars
    for block, text, cap in blocks:
        if not text or cap <= 0:
            continue
        label = f"{LABELS[block]} ({percent(len(text), cap)}% full): "
        entries = _make_safe(text)
        told = len(entries)
        line = join_items(label, entries)
        while told and (len(line) > room or sum(map(len, entries[:told])) + told - 1 > cap):
            told -= 1
            more = f"{len(entries) - told} more: engram core show {block}"
            line = join_items(label, [*entries[:told], more])
        if len(line) > room:
            continue
        lines.append(line)
        said.update(map(fold, entries[:told]))
        room -= len(line) + 1
    return lines, said


def percent(chars: int, cap: int) -> int:
    """How full a block is; one without room is full."""
    return -(-100 * chars // cap) if cap > 0 else 100


def fold(text: str) -> str:
    """A text as it is compared: case, spacing and the marks at its ends do not count."""
    return " ".join(text.casefold().split()).strip(_EDGES)


def _make_safe(text: str) -> list[str]:
    """The entries, each one safe line; they are looked at together first, as the model reads them together."""
    safe = neutralise(text)
    if safe == text and text.isascii() and "<" not in text and "&" not in text:
        return text.split("\n")
    return [line for part in safe.split("\n") if (line := clean(part, max_chars=len(part) * 3 + 30))]
