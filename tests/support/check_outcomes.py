"""What checks print when they pass, when they fail, and when they never come to judge: tests/data/outcomes.txt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).parents[1] / "data" / "outcomes.txt"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one call of a check printed: `red`, `green` or `neither`, the exit code, and the kind of the check."""

    colour: str
    code: int
    kind: str
    name: str
    text: str


def read_outcomes(colour: str) -> Iterator[Outcome]:
    """The outputs of one colour, each headed by `@@@ colour code kind name` in the file."""
    for block in FILE.read_text(encoding="utf-8").split("@@@ ")[1:]:
        head, _, text = block.partition("\n")
        told, code, kind, name = head.split(" ", 3)
        if told == colour:
            yield Outcome(told, int(code), kind, name, text.rstrip("\n"))
