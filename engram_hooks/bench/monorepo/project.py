"""What the made-up repository holds at a moment, and which of its files belong together."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import product

from engram_hooks.bench.monorepo import code, units
from engram_hooks.bench.monorepo.code import Routine, Statement
from engram_hooks.bench.monorepo.units import Plain, Unit
from engram_hooks.bench.monorepo.wording import Entity, Fault, Split, Trial

Document = Plain | Unit

MAX_FIXES_EACH = 2
_FIRST_PARTS = "codec", "rules"


@dataclass(eq=False, slots=True)
class Coupling:
    """Two files that change together though neither names the other; counts of commits."""

    kind: str
    first: Document
    second: Document
    together: int = 0
    alone: int = 0


@dataclass(eq=False, slots=True)
class Fix:
    """A fix: what it cured, where, the statements it wrote, and where its message tells so."""

    mark: int
    fault: Fault
    entity: Entity
    unit: Unit
    routine: Routine
    statements: list[Statement]
    told: str
    issue: str


@dataclass(eq=False, slots=True)
class Attempt:
    """A change that was taken back, and perhaps brought again; marks of the commits, 0 for none."""

    trial: Trial
    entity: Entity
    unit: Unit
    routine: Routine
    tried: int
    reverted: int = 0
    restored: int = 0
    kept: list[Statement] = field(default_factory=list)
    changed: list[Statement] = field(default_factory=list)


class Project:
    """The state of the repository; all choices come from one source of randomness."""

    def __init__(self, split: Split, rng: random.Random, *, unit_count: int) -> None:
        self.split, self.rng = split, rng
        self.units: list[Unit] = []
        self.couplings: list[Coupling] = []
        self.fixes: list[Fix] = []
        self.attempts: list[Attempt] = []
        self.migrations: list[tuple[Document, Document]] = []
        self.documents = {path: Plain(path, [f"# {path}", ""]) for path in _DOCUMENTS}
        self.scaffold = [Plain(path, list(lines)) for path, lines in _SCAFFOLD.items()]
        self.lock = Plain("web/package-lock.json", ["{", "}"])
        self.manifest = Plain("web/package.json", ["{", '  "name": "web"', "}"])
        self.vendored = [Plain(f"third_party/jsonlite/src/part{at:02}.c", []) for at in range(28)]
        self.serial = 0
        self.to_make = self._plan_units(unit_count)
        self.faults = list(product(split.faults, split.entities))
        self.trials = list(product(split.trials, split.entities))
        rng.shuffle(self.faults)
        rng.shuffle(self.trials)
        self._areas = {entity: rng.choice(split.areas) for entity in split.entities}

    def _plan_units(self, count: int) -> list[tuple[Entity, str]]:
        """Which parts of which entities there will be; codecs and rules first, as they have partners."""
        first = list(product(_FIRST_PARTS, self.split.entities))
        rest = list(product([part for part in units.PARTS if part not in _FIRST_PARTS], self.split.entities))
        self.rng.shuffle(rest)
        return [(entity, part) for part, entity in [*first, *rest]][:count]

    def make_unit(self, mark: int) -> Unit:
        """The next unit, with functions of all purposes."""
        entity, part = self.to_make.pop(0)
        language = code.LANGUAGES[len(self.units) % len(code.LANGUAGES)]
        unit = units.make_unit(language, entity, self._areas[entity], part)
        for purpose in ("work", "work", "plain", "cosmetic", "grown"):
            self.add_routine(unit, mark, purpose=purpose)
        units.add_test(unit, unit.routines[0], "works")
        self.units.append(unit)
        self._couple(unit)
        return unit

    def add_routine(self, unit: Unit, mark: int, *, purpose: str = "work") -> Routine | None:
        """A new function in a unit, some with a sibling; None where all verbs are taken."""
        taken = {routine.name for routine in unit.routines}
        free = [verb for verb in units.VERBS if not any(name.startswith(f"{verb}_") for name in taken)]
        if not free:
            return None
        routine = units.make_routine(self.rng, unit.entity, self.rng.choice(free), origin=mark)
        routine.purpose = purpose
        if purpose == "cosmetic":
            routine.body.insert(0, Statement("note", (f"Recieve the {unit.entity.noun} as it is",), mark))
        unit.routines.append(routine)
        if purpose == "work" and self.rng.random() < 0.4:
            unit.routines.append(units.make_sibling(routine, origin=mark))
        return routine

    def pick_unit(self) -> Unit:
        """A unit that is free to change; recent ones are likelier."""
        free = [unit for unit in self.units if not unit.is_locked]
        return free[max(self.rng.randrange(len(free)), self.rng.randrange(len(free)))]

    def pick_routine(self, unit: Unit, purpose: str = "work") -> Routine:
        """A function of a unit that features may change."""
        return self.rng.choice([routine for routine in unit.routines if routine.purpose == purpose])

    def find_places(self, entity: Entity) -> list[tuple[Unit, Routine]]:
        """The functions on an entity that can still get a fix."""
        fixed = [fix.routine for fix in self.fixes]
        return [
            (unit, routine)
            for unit in self.units
            if unit.entity is entity and not unit.is_locked
            for routine in unit.routines
            if routine.purpose == "work" and fixed.count(routine) < MAX_FIXES_EACH
        ]

    def is_fixed(self, routine: Routine) -> bool:
        """Whether a fix has written in a function."""
        return any(fix.routine is routine for fix in self.fixes)

    def insert(self, routine: Routine, statements: list[Statement]) -> None:
        """Put statements somewhere before the end of a function."""
        at = self.rng.randrange(len(routine.body))
        routine.body[at:at] = statements

    def next_serial(self) -> int:
        """A number that is used once."""
        self.serial += 1
        return self.serial

    def _couple(self, unit: Unit) -> None:
        noun = unit.entity.noun
        if unit.part == "codec":
            lines = [f"CREATE TABLE {noun} (", "    id BIGINT PRIMARY KEY,", ");"]
            self._join("schema", Plain(f"schemas/{noun}.sql", lines), unit)
        elif unit.part == "rules":
            lines = [f"# limits of {noun}", f"{noun}:", "  enabled: true"]
            self._join("settings", Plain(f"config/{unit.area}-{noun}.yaml", lines), unit)
        elif unit.part == "view":
            codecs = [one for one in self.units if one.entity is unit.entity and one.part == "codec"]
            for codec in codecs:
                self._join("client", codec, unit)

    def _join(self, kind: str, first: Document, second: Document) -> None:
        self.couplings.append(Coupling(kind, first, second))


_SCAFFOLD = {
    "engine/Cargo.toml": ("[package]", 'name = "engine"', 'version = "0.4.0"', 'edition = "2021"'),
    "engine/src/lib.rs": ("//! The engine.",),
    "workers/go.mod": ("module example.com/workers", "", "go 1.21"),
    "backoffice/pom.xml": ("<project>", "  <artifactId>backoffice</artifactId>", "</project>"),
    "agent/Makefile": ("all:", "\tcc -O2 -o agent src/*.c"),
    "agent/src/runtime.h": ("#pragma once", "typedef struct outcome outcome_t;"),
    "agent/tests/testing.h": ("#pragma once", "void check(void *outcome);"),
    "web/src/testing.ts": ("export function sample() {", "  return {};", "}"),
    "services/testing.py": ("def sample():", "    return None"),
}
_DOCUMENTS = "README.md", "docs/overview.md", "docs/operations.md", "docs/faq.md", ".ci/pipeline.yml"
