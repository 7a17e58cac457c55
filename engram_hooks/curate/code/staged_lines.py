"""Which lines a staged change really takes out and brings in: not those that only moved or changed their spaces."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engram_hooks.history.changes import FileChange, Hunk


class Line(NamedTuple):
    """A line that is gone or new: its number in the old or in the new file, whether others stand in its place."""

    number: int
    text: str
    is_replaced: bool = False


class StagedFile(NamedTuple):
    """A file of a staged change and its lines that are news."""

    change: FileChange
    removed: tuple[Line, ...]
    added: tuple[Line, ...]


def read_lines(changes: Sequence[FileChange], intended: Iterable[FileChange] = ()) -> list[StagedFile]:
    """The files of a change with their lines that are news.

    A line that goes here and comes there has moved, each as often as it does. What `intended` changes (commits
    that are being merged or picked) is no news either.
    """
    gone, come = _count_lines(changes)
    meant_gone, meant_come = _count_lines(intended)
    come += meant_gone
    gone += meant_come
    files = []
    for change in changes:
        removed, added = [], []
        for hunk in _telling_hunks(change):
            removed += _list_news(hunk.removed, hunk.old_start, come, is_replaced=bool(hunk.added))
            added += _list_news(hunk.added, hunk.new_start, gone, is_replaced=bool(hunk.removed))
        files.append(StagedFile(change, tuple(removed), tuple(added)))
    return files


def _count_lines(changes: Iterable[FileChange]) -> tuple[Counter[str], Counter[str]]:
    """How often each line goes and how often it comes, by its characters without spaces."""
    gone: Counter[str] = Counter()
    come: Counter[str] = Counter()
    for change in changes:
        for hunk in _telling_hunks(change):
            gone.update(map(_squeeze, hunk.removed))
            come.update(map(_squeeze, hunk.added))
    return gone, come


def _telling_hunks(change: FileChange) -> list[Hunk]:
    """The hunks that change more than spaces and line breaks."""
    return [hunk for hunk in change.hunks if _squeeze("".join(hunk.removed)) != _squeeze("".join(hunk.added))]


def _list_news(texts: Sequence[str], start: int, others: Counter[str], *, is_replaced: bool) -> list[Line]:
    news = []
    for number, text in enumerate(texts, start):
        squeezed = _squeeze(text)
        if others[squeezed] > 0:
            others[squeezed] -= 1
        elif squeezed:
            news.append(Line(number, text, is_replaced))
    return news


def _squeeze(text: str) -> str:
    return "".join(text.split())
