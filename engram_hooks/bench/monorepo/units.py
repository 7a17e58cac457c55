"""The files of the made-up repository as they change: source units, their tests, schemas, settings, locks."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from engram_hooks.bench.monorepo import code
from engram_hooks.bench.monorepo.code import NONE, NOT, Language, Line, Routine, Statement, to_camel
from engram_hooks.bench.monorepo.wording import Entity

VERBS = (
    *("create", "update", "validate", "import", "archive", "merge", "render", "notify"),
    *("schedule", "publish", "collect", "assign", "restore", "split", "approve", "measure"),
)
PARTS = "codec", "rules", "store", "view", "sync"
_LAYOUT = {
    "python": ("services/{a}/{e}_{p}.py", "services/{a}/tests/test_{e}_{p}.py"),
    "typescript": ("web/src/{a}/{e}{P}.ts", "web/src/{a}/{e}{P}.test.ts"),
    "go": ("workers/{a}/{e}_{p}.go", "workers/{a}/{e}_{p}_test.go"),
    "rust": ("engine/src/{a}/{e}_{p}.rs", "engine/tests/{a}_{e}_{p}.rs"),
    "java": (
        "backoffice/src/main/java/com/example/{a}/{E}{P}.java",
        "backoffice/src/test/java/com/example/{a}/{E}{P}Test.java",
    ),
    "c": ("agent/src/{e}_{p}.c", "agent/tests/test_{e}_{p}.c"),
}
_GROUPS: tuple[tuple[tuple[str, ...], ...], ...] = (
    (("let", "{v}_stamp", "current_stamp({e}.id, limit)"), ("if", NOT + "{v}_stamp", NONE)),
    (("let", "{v}_label", "format_{e}_label({e}.name)"), ("do", "record_{v}_metric({v}_label)")),
    (("let", "{v}_total", "sum_{e}_parts({e}.lines, limit)"), ("do", "check_{v}_total({v}_total)")),
    (("let", "{v}_owner", "owner_of({e}.owner_id)"), ("if", "{v}_owner == " + NONE, "skip_{v}({e})")),
    (("do", "trace_{v}_start({e}.id)"), ("let", "{v}_scope", "open_{e}_scope({e}.region)")),
    (("let", "{v}_draft", "copy_of_{e}({e})"), ("do", "apply_{v}_defaults({v}_draft)")),
    (("if", "{e}.state == ARCHIVED", "refuse_{v}({e}.id)"),),
)


@dataclass(eq=False, slots=True)
class Plain:
    """A file of bare lines: schema, settings, lock, document."""

    path: str
    lines: list[str]

    def text(self) -> str:
        """The file's content."""
        return "\n".join(self.lines) + "\n"


@dataclass(eq=False, slots=True)
class Unit:
    """A source file: functions on one entity in one language, and its test."""

    path: str
    language: Language
    entity: Entity
    area: str
    part: str
    test: Plain
    routines: list[Routine] = field(default_factory=list)
    licence: list[Line] = field(default_factory=list)
    indent: str = ""
    is_locked: bool = False

    @property
    def class_name(self) -> str:
        """The class that holds the functions, in languages that need one."""
        return self.entity.noun.capitalize() + self.part.capitalize()

    def lines(self) -> Iterator[Line]:
        """The lines of the file with their origins."""
        origin = self.routines[0].origin if self.routines else 0
        yield from self.licence
        for text in self.language.opening:
            yield Line(text.format(pkg=self.area, cls=self.class_name), origin)
        for place, routine in enumerate(self.routines):
            if place:
                yield Line("", routine.origin)
            yield from code.write_routine(self.language, routine, indent=self.indent or self.language.indent)
        for text in self.language.closing:
            yield Line(text, origin)

    def text(self) -> str:
        """The file's content."""
        return "\n".join(line.text for line in self.lines()) + "\n"

    def count(self, purpose: str) -> int:
        """How many functions of a purpose there are."""
        return sum(routine.purpose == purpose for routine in self.routines)

    def symbol(self, routine: Routine) -> str:
        """The name to ask for a function by."""
        return code.symbol_of(self.language, routine, self.class_name)


def make_unit(language: Language, entity: Entity, area: str, part: str) -> Unit:
    """An empty unit with a test that names it."""
    names = {"a": area, "e": entity.noun, "E": entity.noun.capitalize(), "p": part, "P": part.capitalize()}
    path, test = (template.format(**names) for template in _LAYOUT[language.name])
    return Unit(path, language, entity, area, part, Plain(test, _import_lines(language, path)))


def make_routine(rng: random.Random, entity: Entity, verb: str, *, origin: int) -> Routine:
    """A function of a few statements that all name the verb."""
    body: list[Statement] = []
    for group in rng.sample(_GROUPS, rng.randint(2, 4)):
        body += make_statements(group, entity, verb, origin=origin)
    if rng.random() < 0.5:
        inner = make_statements((("do", "append_{v}_entry({v}_row, limit)"),), entity, verb, origin=origin)
        words = f"{verb}_row", f"rows_of_{entity.noun}({entity.noun}.id)"
        body.append(Statement("each", words, origin, inner))
    body.append(Statement("return", (f"finish_{verb}({entity.noun}, limit)",), origin))
    return Routine(f"{verb}_{entity.noun}", entity.noun, body, origin)


def make_sibling(routine: Routine, *, origin: int) -> Routine:
    """A function of the same shape that nothing ever happens to."""
    body = [
        Statement(one.kind, one.words, origin, [Statement(i.kind, i.words, origin) for i in one.body])
        for one in routine.body
    ]
    return Routine(f"{routine.name}_preview", routine.subject, body, origin, purpose="sibling")


def make_statements(
    rows: tuple[tuple[str, ...], ...], entity: Entity, verb: str = "", *, origin: int
) -> list[Statement]:
    """Statements from rows of a table: kind, then words with `{e}` and `{v}`."""
    return [
        Statement(
            kind, tuple(word.replace("{e}", entity.noun).replace("{v}", verb) for word in words), origin
        )
        for kind, *words in rows
    ]


def add_test(unit: Unit, routine: Routine, case: str) -> None:
    """Add a test of a function to the unit's test."""
    name, call, mark = (
        f"{routine.name}_{case}",
        unit.symbol(routine).rpartition(".")[2],
        unit.language.comment,
    )
    lines = {
        "python": ["", f"def test_{name}():", f"    assert unit.{call}(sample(), 3)"],
        "typescript": ["", f'test("{name}", () => {{', f"  expect(unit.{call}(sample(), 3)).ok();", "});"],
        "go": [
            *("", f"func Test{to_camel('x_' + name)[1:]}(t *testing.T) {{"),
            *(f"\tcheck(t, {call}(sample(), 3))", "}"),
        ],
        "rust": ["", "#[test]", f"fn {name}() {{", f"    assert_ok(unit::{call}(&sample(), 3));", "}"],
        "java": [
            *("", f"    {mark} {name}", f"    @Test void {to_camel(name)}() {{"),
            *(f"        check(unit.{call}(sample(), 3));", "    }"),
        ],
        "c": ["", f"void test_{name}(void)", "{", f"    check({call}(sample(), 3));", "}"],
    }[unit.language.name]
    end = len(unit.test.lines) - len(unit.language.closing)
    unit.test.lines[end:end] = lines


def _import_lines(language: Language, path: str) -> list[str]:
    stem = path.rpartition("/")[2].removesuffix(language.suffix)
    module = path.removesuffix(language.suffix).replace("/", ".")
    return {
        "python": [
            f"from {module.rpartition('.')[0]} import {stem} as unit",
            "from services.testing import sample",
        ],
        "typescript": [f'import * as unit from "./{stem}";', 'import { sample } from "../testing";'],
        "go": [f"package {path.split('/')[1]}", "", 'import "testing"'],
        "rust": [f"use engine::{module.removeprefix('engine.src.').replace('.', '::')} as unit;"],
        "java": [
            *(f"import {module.partition('java.')[2]};", "import org.junit.jupiter.api.Test;"),
            *("", f"class {stem}Test {{", "}"),
        ],
        "c": [f'#include "../src/{stem}.c"', '#include "testing.h"'],
    }[language.name]
