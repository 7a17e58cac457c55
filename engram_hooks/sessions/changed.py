"""Lines that went and came: what several edits of a file amount to, and which of them a later one takes back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

# (lines that went, lines that came)
Change = tuple[list[str], list[str]]
MIN_LETTERS = 3


class Edit(Protocol):
    """What is asked of an edit here."""

    @property
    def path(self) -> str:
        """The file."""

    @property
    def removed(self) -> Sequence[str]:
        """The lines that went."""

    @property
    def added(self) -> Sequence[str]:
        """The lines that came."""


E = TypeVar("E", bound=Edit)


class Undoing(NamedTuple, Generic[E]):
    """The edits that another one takes back, and whether it also is a step forward."""

    undone: list[E]
    is_forward: bool


def is_telling(line: str) -> bool:
    """Whether a line says enough to be known again: not blank, not a bracket."""
    return sum(char.isalnum() for char in line) >= MIN_LETTERS


def net_change(edits: Iterable[Edit]) -> dict[str, Change]:
    """path -> what edits in order amount to; a line that one brought and a later one took counts not at all."""
    found: dict[str, Change] = {}
    for edit in edits:
        removed, added = found.setdefault(edit.path, ([], []))
        _move(edit.removed, added, removed)
        _move(edit.added, removed, added)
    return {path: change for path, change in found.items() if change[0] or change[1]}


def _move(lines: Iterable[str], cancelling: list[str], collecting: list[str]) -> None:
    """Cancel lines against those of the other side; what is left is collected."""
    for line in lines:
        if line in cancelling:
            cancelling.remove(line)
        else:
            collecting.append(line)


def undoes(edit: E, earlier: Sequence[E]) -> Undoing[E]:
    """Which earlier edits of the same file an edit takes back.

    Its exact reverse takes back the edits that it cancels. An edit of lines that were taken out before shows that
    they had come back, without anybody telling: what had taken them out is undone.
    """
    for start in range(len(earlier) - 1, -1, -1):
        part = list(earlier[start:])
        if not net_change([*part, edit]):
            return Undoing(part, is_forward=False)
    removed = Counter(line.strip() for line in edit.removed if is_telling(line))
    undone = [one for one in earlier if _was_back(one, removed, earlier)]
    return Undoing(undone, is_forward=True)


def _was_back(one: Edit, removed: Counter[str], earlier: Sequence[Edit]) -> bool:
    """Whether the lines being removed are those that `one` had removed: then they stood there again."""
    taken = Counter(line.strip() for line in one.removed if is_telling(line))
    brought = Counter(line.strip() for other in earlier for line in other.added if is_telling(line))
    again = taken & removed
    return bool(again - brought) and not (removed & Counter(line.strip() for line in one.added))
