"""How the made-up teams talk: what they decide and change, what they note, what is only talk."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from engram_hooks.bench.year import wording_dev, wording_unseen

_TEXTS = {"dev": wording_dev, "unseen": wording_unseen}
SPLITS = tuple(_TEXTS)


@dataclass(frozen=True, slots=True)
class Subject:
    """Something that is decided, and decided anew: its values and the sentences about them.

    In the sentences `{v}` is the value, `{o}` the one before, `{y}` a reason.
    """

    name: str
    values: tuple[str, ...]
    stated: tuple[str, ...]
    changed: tuple[str, ...]
    implied: tuple[str, ...]
    asked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Deck:
    """All words of a split."""

    projects: tuple[str, ...]
    subjects: tuple[Subject, ...]
    reasons: tuple[str, ...]
    rules: tuple[str, ...]
    wishes: tuple[str, ...]
    findings: tuple[str, ...]
    dates: tuple[str, ...]
    trifles: tuple[str, ...]
    branch_notes: tuple[str, ...]
    talk: tuple[str, ...]
    unrelated: tuple[str, ...]
    modules: tuple[str, ...]


@cache
def read_deck(split: str) -> Deck:
    """The words of a split, one of `SPLITS`."""
    source = _TEXTS[split]
    subjects = tuple(_read_subject(block) for block in source.SUBJECTS.strip().split("\n\n"))
    lists = {name: _lines(getattr(source, name.upper())) for name in Deck.__slots__ if name != "subjects"}
    return Deck(subjects=subjects, **lists)


def _read_subject(block: str) -> Subject:
    head, *lines = (line.strip() for line in block.strip().split("\n"))
    name, _, values = head.partition(" | ")

    def of(mark: str) -> tuple[str, ...]:
        return tuple(line[2:] for line in lines if line.startswith(mark))

    return Subject(name, tuple(v.strip() for v in values.split(",")), of("= "), of("> "), of("! "), of("? "))


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.strip().split("\n"))
