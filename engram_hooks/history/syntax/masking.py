"""Blanks for comments and the insides of literals, so that what is left is structure."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

# Takes the text and the match of the opener; returns where the literal ends (one past).
Reader = Callable[[str, re.Match[str]], int]
_NOT_NEWLINE = re.compile(r"[^\n]+")
_COMMENT_EDGE = re.compile(r"/\*|\*/")


@dataclass(frozen=True, slots=True)
class MaskRules:
    """How literals and comments of a language look: `pattern` finds where one begins.

    A group of `pattern` named in `readers` says where it ends; any other match is a whole literal.
    Matches of a group named in `comments` lose their first and last character, too.
    """

    pattern: re.Pattern[str]
    readers: dict[str, Reader] = field(default_factory=dict)
    comments: frozenset[str] = frozenset({"line", "block", "hash", "html", "doc"})


def mask(text: str, rules: MaskRules) -> str:
    """Return a text of the same length and lines where literals keep only their first and last character."""
    pieces: list[str] = []
    position, done = 0, 0
    search, readers, comments = rules.pattern.search, rules.readers, rules.comments
    while position <= len(text) and (found := search(text, position)) is not None:
        group = found.lastgroup or ""
        start = found.start()
        reader = readers.get(group)
        end = reader(text, found) if reader is not None else found.end()
        if end <= start:
            position = start + 1
            continue
        pieces.append(text[done:start])
        pieces.append(blank(text[start:end]) if group in comments else blank_inside(text[start:end]))
        position = done = end
    pieces.append(text[done:])
    return "".join(pieces)


def blank(piece: str) -> str:
    """Return spaces of the same length, line feeds kept."""
    if "\n" in piece:
        return _NOT_NEWLINE.sub(_spaces, piece)
    return " " * len(piece)


def blank_inside(piece: str) -> str:
    """Return a literal with blanks between its first and last character."""
    if len(piece) < 3:
        return piece
    return piece[0] + blank(piece[1:-1]) + piece[-1]


def read_line(text: str, found: re.Match[str]) -> int:
    """Return the end of a comment that runs to the end of its line."""
    end = text.find("\n", found.end())
    return len(text) if end < 0 else end


def read_block(text: str, found: re.Match[str]) -> int:
    """Return the end of a comment that runs to the next `*/`."""
    end = text.find("*/", found.end())
    return len(text) if end < 0 else end + 2


def read_nested_block(text: str, found: re.Match[str]) -> int:
    """Return the end of a comment that holds comments."""
    depth, position = 1, found.end()
    while depth and (edge := _COMMENT_EDGE.search(text, position)) is not None:
        depth += 1 if edge[0] == "/*" else -1
        position = edge.end()
    return len(text) if depth else position


def read_until(closer: str) -> Reader:
    """Return a reader of literals that run to the next occurrence of a text."""

    def read(text: str, found: re.Match[str]) -> int:
        end = text.find(closer, found.end())
        return len(text) if end < 0 else end + len(closer)

    return read


def _spaces(found: re.Match[str]) -> str:
    return " " * (found.end() - found.start())
