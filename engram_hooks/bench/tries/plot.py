"""Where the made-up repository is changed: functions, what they become, and the tests that judge them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from engram_hooks.bench.monorepo.code import Routine, spell
from engram_hooks.bench.monorepo.project import Project
from engram_hooks.bench.monorepo.units import Unit, make_statements
from engram_hooks.bench.tries.checks import Check, make_check
from engram_hooks.bench.tries.wording import Approach, Rows


@dataclass(frozen=True, slots=True)
class Place:
    """A function of the repository, one of the same shape beside it, and another in the same file."""

    unit: Unit
    routine: Routine
    sibling: Routine
    other: Routine

    @property
    def path(self) -> str:
        """The file, from the top of the repository."""
        return self.unit.path

    @property
    def name(self) -> str:
        """The function as its language spells it."""
        return self.unit.symbol(self.routine).rpartition(".")[2]

    def fill(self, text: str) -> str:
        """A text of a deck about this place."""
        entity = self.unit.entity
        return text.format(e=entity.noun, s=entity.other, f=self.name, p=self.path.rpartition("/")[2])


def find_places(project: Project, rng: random.Random) -> list[Place]:
    """One function of each file that has one with a sibling, in a random order."""
    found: list[Place] = []
    for unit in project.units:
        siblings = {
            one.name.removesuffix("_preview"): one for one in unit.routines if one.purpose == "sibling"
        }
        own = [one for one in unit.routines if one.name in siblings]
        others = [one for one in unit.routines if one.purpose in {"plain", "grown"}]
        if own and others:
            routine = rng.choice(own)
            found.append(Place(unit, routine, siblings[routine.name], rng.choice(others)))
    rng.shuffle(found)
    return found


def change(place: Place, routine: Routine, rows: Rows, *, at: int, replaces: bool) -> str:
    """The text of the place's file with rows in one of its functions, in place of a statement or before it."""
    body = routine.body
    new = make_statements(rows, place.unit.entity, origin=0)
    routine.body = [*body[:at], *new, *body[at + replaces :]]
    try:
        return place.unit.text()
    finally:
        routine.body = body


def pick_at(routine: Routine, rng: random.Random) -> int:
    """A place in a function that is not its end."""
    return rng.randrange(max(len(routine.body) - 1, 1))


def check_of(place: Place, approach: Approach, rng: random.Random) -> Check:
    """One run of the test of a place; lines and times differ from run to run."""
    unit, language = place.unit, place.unit.language
    test = f"{place.routine.name}_works"
    test = {"python": f"test_{test}", "c": f"test_{test}", "go": f"Test{_title(test)}"}.get(
        language.name, test
    )
    words = {
        "path": unit.path,
        "test_path": unit.test.path,
        "test_name": unit.test.path.rpartition("/")[2],
        "suite": f"{unit.class_name}Test",
        "area": unit.area,
        "call": place.name,
        "test": spell(language, test) if language.name == "java" else test,
        "error": approach.error,
        "message": place.fill(approach.message),
        "line": str(rng.randint(8, 90)),
        "seconds": f"{rng.uniform(0.05, 4):.2f}",
    }
    return make_check(language.name, words)


def pick_other(approaches: Sequence[Approach], own: Approach, rng: random.Random) -> Approach:
    """Another approach than one's own."""
    return rng.choice([one for one in approaches if one is not own])


def _title(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))
