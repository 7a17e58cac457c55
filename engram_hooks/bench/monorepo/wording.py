"""What a split is made of: things a program is about, what went wrong with them, and how people ask for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing the program is about: its noun in code and messages, and another one that people use."""

    noun: str
    other: str


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that went wrong: as the fix tells it, as people ask for it, and the lines that cure it.

    `{e}` stands for the noun of the entity, `{s}` in a question for the noun or the other word for it.
    """

    subject: str
    cause: str
    question: str
    code: tuple[tuple[str, ...], ...]
    is_security: bool = False


@dataclass(frozen=True, slots=True)
class Trial:
    """Something that was tried and taken back: the change, why it was undone, the question, the tried line."""

    subject: str
    reason: str
    question: str
    code: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """All words of one split, and the seed it is made from unless another is asked for."""

    name: str
    seed: int
    areas: tuple[str, ...]
    entities: tuple[Entity, ...]
    faults: tuple[Fault, ...]
    trials: tuple[Trial, ...]
    features: tuple[str, ...]


def let(name: str, value: str) -> tuple[str, ...]:
    """A statement that names a value."""
    return "let", name, value


def do(call: str) -> tuple[str, ...]:
    """A statement that calls something."""
    return "do", call


def leave(condition: str, value: str) -> tuple[str, ...]:
    """A statement that returns early."""
    return "if", condition, value
