"""The kinds of commits: each changes the project and says which files it wrote, and with what message."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from engram_hooks.bench.monorepo import units
from engram_hooks.bench.monorepo.code import Line, Routine, Statement, spell
from engram_hooks.bench.monorepo.project import Document, Project
from engram_hooks.bench.monorepo.units import Plain, Unit

QUALITIES = (
    *("currency hints", "bulk selection", "sort order", "tags", "a free text field", "region codes"),
    *("audit fields", "pagination hints", "draft mode", "colour labels", "share links", "priorities"),
    *(
        "time windows",
        "external references",
        "owner changes",
        "soft limits",
        "search facets",
        "keyboard hints",
    ),
)
WORK = "creating", "updating", "importing", "showing", "archiving", "publishing"
FIELDS = (
    *("channel", "origin", "grade", "locale", "weight", "batch", "quota", "alias", "rank", "tier"),
    *("window", "reason", "sender", "label", "score", "margin", "slot", "source", "format", "mode"),
)
_PARTS = {
    "codec": "wire",
    "rules": "policy",
    "store": "repository",
    "view": "panel",
    "sync": "exchange",
}
_ALARMING = (
    "Add crash reports to {e} {p}",
    "Show error hints of {e}",
    "Support links to bug reports in {e}",
    "Let {e} {p} try failed calls again",
    "Add security headers to answers on {e}",
    "{e}: count broken rows",
    "Allow an invalid {e} to be kept as a draft",
)
MIGRATIONS = 3
_SUFFIXES = "once", "safely", "now", "for_account", "in_order"


@dataclass(slots=True)
class Step:
    """A commit to be: its message, the files it writes and the paths it deletes."""

    message: str
    touched: list[Document]
    deleted: list[str] = field(default_factory=list)


def add_feature(project: Project, mark: int) -> Step:
    """A wish: a new function, or more in one that is there."""
    return grow(project, mark, project.pick_unit())


def grow(project: Project, mark: int, unit: Unit, *, is_wide: bool = True) -> Step:
    """A feature in a given unit; one that is wide may touch another unit too."""
    rng, entity = project.rng, unit.entity
    touched: list[Document] = [unit]
    routine = project.add_routine(unit, mark) if rng.random() < 0.3 else None
    routine = routine or _widen(project, unit, mark)
    if rng.random() < 0.6:
        units.add_test(unit, routine, f"case_{project.next_serial()}")
        touched.append(unit.test)
    if is_wide and rng.random() < 0.4 and (other := project.pick_unit()) is not unit:
        _widen(project, other, mark)
        touched.append(other)
    words = {
        "q": rng.choice(QUALITIES), "e": entity.noun, "p": unit.part, "v": rng.choice(WORK), "a": unit.area
    }  # fmt: skip
    subject = rng.choice(project.split.features).format(**words)
    body = f"\n\nAsked for by the {unit.area} team." if rng.random() < 0.3 else ""
    return Step(subject[0].upper() + subject[1:] + body, touched)


def add_alarming_feature(project: Project, mark: int) -> Step:
    """A wish whose words are those of faults."""
    unit = project.pick_unit()
    _widen(project, unit, mark, purpose="grown")
    subject = project.rng.choice(_ALARMING).format(e=unit.entity.noun, p=unit.part)
    return Step(subject[0].upper() + subject[1:], [unit])


def _widen(project: Project, unit: Unit, mark: int, *, purpose: str = "work") -> Routine:
    """One more value in a function of a unit; that function."""
    rng, routine = project.rng, project.pick_routine(unit, purpose)
    name = f"{rng.choice(FIELDS)}_{project.next_serial()}"
    rows = (("let", f"{name}_value", f"read_{name}({{e}}.{rng.choice(FIELDS)})"),)
    project.insert(routine, units.make_statements(rows, unit.entity, origin=mark))
    return routine


def change_pair(project: Project, mark: int) -> Step:
    """A field that two coupled files know; sometimes only one of them changes."""
    rng = project.rng
    free = [
        one
        for one in project.couplings
        if not any(isinstance(side, Unit) and side.is_locked for side in (one.first, one.second))
    ]
    if not free:
        return add_feature(project, mark)
    # some are closer than others
    pair = rng.choice(free[: max(3, len(free) // 3)]) if rng.random() < 0.4 else rng.choice(free)
    name = f"{rng.choice(FIELDS)}_{project.next_serial()}"
    sides = [pair.first, pair.second]
    if rng.random() < 0.35:
        sides = [rng.choice(sides)]
        pair.alone += 1
    else:
        pair.together += 1
    for side in sides:
        _add_field(project, side, name, mark)
    assert isinstance(pair.second, Unit)
    entity = pair.second.entity
    touched = list(sides)
    if pair.second in sides and rng.random() < 0.5:
        units.add_test(pair.second, pair.second.routines[0], f"knows_{name}")
        touched.append(pair.second.test)
    subject = rng.choice(("Carry {f} of {e}", "{e}: keep {f}", "Add {f} to {e}", "feat({e}): {f}"))
    return Step(subject.format(f=name, e=entity.noun), touched)


def _add_field(project: Project, side: Document, name: str, mark: int) -> None:
    if isinstance(side, Unit):
        rows = (("let", f"{name}_field", f"field_of({{e}}.{name})"),)
        project.insert(side.routines[0], units.make_statements(rows, side.entity, origin=mark))
    elif side.path.endswith(".sql"):
        side.lines.insert(-1, f"    {name} TEXT,")
    else:
        side.lines.append(f"  {name}: {project.rng.randint(1, 90)}")


def refactor(project: Project, mark: int) -> Step:
    """The same in other words, in a few units at once."""
    chosen = {id(unit): unit for unit in (project.pick_unit() for _ in range(project.rng.randint(2, 4)))}
    for unit in chosen.values():
        routine = project.pick_routine(unit)
        fixed = [one for fix in project.fixes for one in fix.statements]
        free = [one for one in routine.body if one.kind in ("let", "do") and one not in fixed]
        if free:
            old = project.rng.choice(free)
            words = (
                *old.words[:-1],
                f"{old.words[-1].partition('(')[0].removesuffix('_of')}_of(limit, {project.next_serial()})",
            )
            at = routine.body.index(old)
            routine.body[at] = Statement(old.kind, words, mark)
        else:
            note = f"step {project.next_serial()}"
            routine.body.insert(0, Statement("note", (note,), mark))
    names = ", ".join(sorted({unit.entity.noun for unit in chosen.values()}))
    return Step(f"Refactor {names}: one way to say it", list(chosen.values()))


def rename_function(project: Project, mark: int) -> Step:
    """A function gets another name; its test follows."""
    unit = project.pick_unit()
    routine = project.pick_routine(unit)
    old, call = routine.name, unit.symbol(routine).rpartition(".")[2]
    ending = f"_{project.rng.choice(_SUFFIXES)}"
    routine.name = old.removesuffix(ending) if old.endswith(ending) else old + ending
    routine.origin = mark
    new = unit.symbol(routine).rpartition(".")[2]
    unit.test.lines[:] = [line.replace(f"{call}(", f"{new}(") for line in unit.test.lines]
    subject = f"Rename {spell(unit.language, old)} to {spell(unit.language, routine.name)}"
    return Step(f"{subject}\n\nRenames `{call}` to `{new}`; nothing else changes.", [unit, unit.test])


def reorder(project: Project, mark: int) -> Step:
    """The functions of a file in another order, their text as it was."""
    unit = project.pick_unit()
    place = project.rng.randrange(1, len(unit.routines))
    # the first one stays: fields of coupled files go there
    unit.routines[1:] = [*unit.routines[place + 1 :], *unit.routines[1 : place + 1]]
    return Step(f"Order the functions of {unit.entity.noun} {unit.part}, part {mark}", [unit])


def rename_file(project: Project, mark: int) -> Step:
    """A unit and its test move to another name."""
    unit = project.pick_unit()
    new_part = _PARTS.get(unit.part)
    if new_part is None:
        return refactor(project, mark)
    moved = units.make_unit(unit.language, unit.entity, unit.area, new_part)
    deleted = [unit.path, unit.test.path]
    stem, new_stem = (path.rpartition("/")[2].partition(".")[0] for path in (unit.path, moved.path))
    unit.test.lines[:] = [line.replace(stem, new_stem) for line in unit.test.lines]
    unit.path, unit.test.path, unit.part = moved.path, moved.test.path, new_part
    return Step(f"Call {stem} {new_stem}", [unit, unit.test], deleted)


def bump_packages(project: Project, mark: int) -> Step:
    """New versions of packages: manifest and a long lock file."""
    rng = project.rng
    name, version = rng.choice(("leftpad", "chartist", "luxon", "zod")), f"{rng.randint(1, 9)}.{mark}.0"
    project.manifest.lines = ["{", '  "name": "web",', f'  "dependencies": {{"{name}": "^{version}"}}', "}"]
    rows = [f'  "node_modules/p{at}": "{rng.randint(0, 9)}.{rng.randint(0, 9)}.{at}",' for at in range(150)]
    project.lock.lines = ["{", *rows, '  "end": ""', "}"]
    return Step(f"Bump {name} to {version}", [project.manifest, project.lock])


def change_documents(project: Project, mark: int) -> Step:
    """Words on what is there; sometimes the pipeline."""
    document = project.rng.choice(list(project.documents.values()))
    noun = project.rng.choice(project.split.entities).noun
    document.lines.append(f"- {noun}: see note {project.next_serial()}")
    if document.path.endswith(".yml"):
        return Step(f"ci: run the {noun} checks on every push", [document])
    return Step(f"docs: describe {noun} in {document.path}", [document])


def add_licence(project: Project, mark: int) -> Step:
    """The same header on top of every source file."""
    year = 2019 + mark % 7
    chosen = [unit for unit in project.units if not unit.is_locked]
    for unit in chosen:
        text = f"{unit.language.comment} Copyright {year} Example Ltd. SPDX-License-Identifier: MIT"
        unit.licence = [Line(text, mark)]
    return Step(f"Update licence headers to {year}", list(chosen))


def reformat(project: Project, mark: int) -> Step:
    """Another indent in all files of two languages."""
    chosen = [
        unit for unit in project.units if not unit.is_locked and unit.language.name in ("typescript", "c")
    ]
    for unit in chosen:
        unit.indent = {"": "    ", "    ": "  "}.get(unit.indent, "\t")
    return Step("Reformat with prettier and clang-format", list(chosen))


def vendor(project: Project, mark: int) -> Step:
    """A library of somebody else's, as a whole; later its next version."""
    for at, file in enumerate(project.vendored):
        rows = [f"int jsonlite_{at}_{row}(int value) {{ return value + {mark}; }}" for row in range(30)]
        file.lines = [f"/* jsonlite {mark}: bundled copy, fixes a crash on security updates */", *rows]
    touched: list[Document] = [*project.vendored, Plain("third_party/jsonlite/VERSION", [str(mark)])]
    return Step(f"Vendor jsonlite 1.{mark}", touched)


def migrate(project: Project, mark: int) -> Step:
    """Two schemas get the same field, for a while; later they have nothing to do with each other."""
    if not project.migrations:
        schemas = [one.first for one in project.couplings if one.kind == "schema"]
        chosen = project.rng.sample(schemas, 2 * MIGRATIONS)
        project.migrations = list(zip(chosen[::2], chosen[1::2], strict=True))
    pair = project.migrations[project.next_serial() % MIGRATIONS]
    name = f"{project.rng.choice(FIELDS)}_{project.next_serial()}"
    for schema in pair:
        _add_field(project, schema, name, mark)
    first, second = (schema.path.rpartition("/")[2].removesuffix(".sql") for schema in pair)
    return Step(f"Move {first} and {second} to the new storage: {name}", list(pair))


ROUTINE_STEPS: tuple[tuple[Callable[[Project, int], Step], float], ...] = (
    (change_pair, 0.18),
    (refactor, 0.14),
    (add_alarming_feature, 0.04),
    (rename_function, 0.02),
    (reorder, 0.015),
    (rename_file, 0.012),
    (bump_packages, 0.05),
    (change_documents, 0.08),
)
# what happens once, at a share of the whole
DATED_STEPS: tuple[tuple[float, Callable[[Project, int], Step]], ...] = (
    (0.1, vendor),
    *((0.14 + at / 100, migrate) for at in range(15)),
    *((0.3, add_licence), (0.45, reformat), (0.55, vendor), (0.7, add_licence), (0.85, reformat)),
)
