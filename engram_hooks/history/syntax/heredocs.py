"""Blanks for the literals of languages with here-documents, which begin on the line after they are announced."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from engram_hooks.history.syntax.masking import blank, blank_inside

MAX_UNCLOSED = 50


class HeredocPass(ABC):
    """The state of one pass: what is written, and the here-documents announced on the line it is in."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pieces: list[str] = []
        self.done = 0
        self.line_end = -1
        self.body_end = -1
        self.unclosed: set[str] = set()

    @abstractmethod
    def step(self, found: re.Match[str]) -> int:
        """Read what begins at a match; return where to go on."""

    def run(self, pattern: re.Pattern[str]) -> str:
        """Return the text with blanks for what the pattern finds and `step` reads."""
        place, size = 0, len(self.text)
        while place <= size:
            limit = self.line_end if self.line_end >= place else size
            found = (
                pattern.search(self.text, place, limit) if limit < size else pattern.search(self.text, place)
            )
            if found is not None:
                place = self.step(found)
            elif limit < size:
                place = self.take(self.line_end + 1, self.body_end, inside=False)
                self.line_end = self.body_end = -1
            else:
                break
        self.pieces.append(self.text[self.done :])
        return "".join(self.pieces)

    def take(self, start: int, end: int, *, inside: bool) -> int:
        """Write what is up to `end` as blanks, `inside` but for its first and last character; return `end`."""
        start = max(start, self.done)
        piece = self.text[start:end]
        self.pieces.append(self.text[self.done : start])
        self.pieces.append(blank_inside(piece) if inside else blank(piece))
        self.done = max(end, self.done)
        return max(end, start)

    def announce(self, tag: str, at: int) -> bool:
        """Note a here-document announced at an offset; return whether it is there."""
        if tag in self.unclosed or len(self.unclosed) > MAX_UNCLOSED:
            return False
        if self.line_end < at:
            self.line_end = self.text.find("\n", at)
            self.body_end = self.line_end + 1
        if self.line_end < 0:
            return False
        closing = re.compile(rf"^[ \t]*{re.escape(tag)}[ \t]*\r?$", re.M).search(self.text, self.body_end)
        if closing is None:
            self.unclosed.add(tag)
            if self.body_end == self.line_end + 1:
                self.line_end = self.body_end = -1
            return False
        self.body_end = closing.end()
        return True
