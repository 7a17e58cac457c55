"""What is true of a written repository: who owns which lines, what belongs together, what to ask for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engram_hooks.bench.monorepo.code import GO, Routine, Statement, spell
from engram_hooks.bench.monorepo.project import Attempt, Fix, Project
from engram_hooks.bench.monorepo.repairs import TOLD
from engram_hooks.bench.monorepo.units import Unit

MIN_TOGETHER = 3
QUIET_KINDS = "sibling", "plain", "cosmetic", "grown"
QUESTION_KINDS = "symptom", "other words", "code", "report"


@dataclass(frozen=True, slots=True)
class Guarded:
    """A function and the commits that a warning about it should name.

    `span` is where it begins and ends in the head, `lines` are those that the fix wrote; all from 1.
    """

    kind: str
    path: str
    symbol: str
    span: tuple[int, int]
    commits: tuple[str, ...]
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Quiet:
    """A function about which there is nothing to warn: a sibling of a fixed one, a plain one, that of a typo.

    A `grown` one changed by features whose messages have words of defects.
    """

    kind: str
    path: str
    symbol: str
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Together:
    """Two files that change together: counts of commits that changed both, and one alone."""

    kind: str
    first: str
    second: str
    together: int
    alone: int


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody asks: any of the commits, any of the files is right."""

    kind: str
    text: str
    commits: tuple[str, ...]
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reversal:
    """A commit that was undone, and the one that undid it; `restored` brought it back ('' for never)."""

    path: str
    undone: str
    reverted: str
    restored: str


@dataclass(frozen=True, slots=True)
class Truth:
    """All of it; `partners` are what belongs to a file, `linked` pairs where the second imports the first."""

    head: str
    commits: int
    guarded: tuple[Guarded, ...]
    quiet: tuple[Quiet, ...]
    pairs: tuple[Together, ...]
    partners: Mapping[str, frozenset[str]]
    linked: tuple[tuple[str, str], ...]
    questions: tuple[Question, ...]
    reversals: tuple[Reversal, ...]


def read_truth(project: Project, hashes: Mapping[int, str], *, head: str) -> Truth:
    """What is true of the project as it stands, with the hashes of its commits by mark."""
    reversals = tuple(
        Reversal(
            one.unit.path,
            hashes[one.tried],
            hashes[one.reverted],
            hashes[one.restored] if one.restored else "",
        )
        for one in project.attempts
        if one.reverted
    )
    pairs = tuple(_list_pairs(project))
    return Truth(
        head=head,
        commits=len(hashes),
        guarded=tuple(_list_guarded(project, hashes)),
        quiet=tuple(_list_quiet(project)),
        pairs=pairs,
        partners=_gather(project, pairs),
        linked=tuple((unit.path, unit.test.path) for unit in project.units if unit.language is not GO),
        questions=(*_ask_fixes(project, hashes), *_ask_attempts(project, hashes)),
        reversals=reversals,
    )


def _list_guarded(project: Project, hashes: Mapping[int, str]) -> Iterable[Guarded]:
    for fix in project.fixes:
        lines = _own_lines(fix.unit, fix.routine, fix.statements)
        if lines:
            kind = "security" if fix.fault.is_security else f"fix {fix.told}"
            symbol = fix.unit.symbol(fix.routine)
            span = _span(fix.unit, fix.routine)
            yield Guarded(kind, fix.unit.path, symbol, span, (hashes[fix.mark],), lines)
    for one in project.attempts:
        marks = [mark for mark in (one.reverted, one.tried, one.restored) if mark]
        if one.reverted:
            names, span = tuple(hashes[mark] for mark in marks), _span(one.unit, one.routine)
            yield Guarded("revert", one.unit.path, one.unit.symbol(one.routine), span, names, ())


def _span(unit: Unit, routine: Routine) -> tuple[int, int]:
    numbers = [number for number, row in enumerate(unit.lines(), 1) if row.routine is routine]
    return numbers[0], numbers[-1]


def _own_lines(unit: Unit, routine: Routine, statements: list[Statement]) -> tuple[int, ...]:
    """The lines of statements in a file that say something and stand there once, so that nobody can mix them up."""
    rows = list(unit.lines())
    counts = Counter(row.text.strip() for row in rows)
    present = {word for one in statements if one in routine.body for word in _texts(unit, one)}
    return tuple(
        number
        for number, row in enumerate(rows, 1)
        if row.routine is routine and counts[row.text.strip()] == 1 and _matches(row.text, present)
    )


def _texts(unit: Unit, statement: Statement) -> tuple[str, ...]:
    """What is in the lines of a statement: the condition and the value of an early return, else all words."""
    words = tuple(spell(unit.language, word) for word in statement.words)
    return words if statement.kind == "if" else (words[-1],)


def _matches(text: str, present: set[str]) -> bool:
    return any(len(word) > 6 and word in text for word in present)


def _list_quiet(project: Project) -> Iterable[Quiet]:
    for unit in project.units:
        for routine in unit.routines:
            if routine.purpose in QUIET_KINDS:
                yield Quiet(routine.purpose, unit.path, unit.symbol(routine), _span(unit, routine))


def _list_pairs(project: Project) -> Iterable[Together]:
    for one in project.couplings:
        if one.together >= MIN_TOGETHER:
            yield Together(one.kind, one.first.path, one.second.path, one.together, one.alone)


def _gather(project: Project, pairs: Iterable[Together]) -> dict[str, frozenset[str]]:
    """For each file with a partner all files that belong to it: partners, and a unit's test."""
    found: dict[str, set[str]] = {}
    tests = {unit.path: unit.test.path for unit in project.units}
    for pair in pairs:
        for one, other in ((pair.first, pair.second), (pair.second, pair.first)):
            found.setdefault(one, set()).add(other)
            if one in tests:
                found[one].add(tests[one])
            if other in tests:
                found[one].add(tests[other])
    return {path: frozenset(others) for path, others in found.items()}


def _ask_fixes(project: Project, hashes: Mapping[int, str]) -> Iterable[Question]:
    for number, fix in enumerate(project.fixes):
        commits, files = (hashes[fix.mark],), (fix.unit.path, fix.unit.test.path)
        kind = QUESTION_KINDS[number % 3]
        if kind == "code":
            text = _ask_for_code(fix)
        else:
            noun = fix.entity.noun if kind == "symptom" else fix.entity.other
            text = fix.fault.question.format(s=noun)
        yield Question(kind, text, commits, files)
        if fix.told == TOLD[0] and number % 2:
            yield Question("report", f"what was {fix.issue} about", commits, files)


def _ask_for_code(fix: Fix) -> str:
    """A question that names the function and what the fix calls in it, not what the message says."""
    call = spell(fix.unit.language, fix.statements[0].words[-1]).partition("(")[0]
    return f"why does {fix.unit.symbol(fix.routine)} need {call}"


def _ask_attempts(project: Project, hashes: Mapping[int, str]) -> Iterable[Question]:
    for one in project.attempts:
        if one.reverted and not one.restored:
            text = one.trial.question.format(s=one.entity.noun)
            yield Question("taken back", text, _marks_of(one, hashes), (one.unit.path,))


def _marks_of(one: Attempt, hashes: Mapping[int, str]) -> tuple[str, ...]:
    return hashes[one.reverted], hashes[one.tried]
