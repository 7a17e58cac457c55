"""Commits that repair, try and take back: those whose reasons are worth knowing later."""

from __future__ import annotations

from collections.abc import Callable

from engram_hooks.bench.monorepo import units
from engram_hooks.bench.monorepo.code import Statement
from engram_hooks.bench.monorepo.project import Attempt, Document, Fix, Project
from engram_hooks.bench.monorepo.steps import Step, add_feature

# where a message says that it is a fix; the last says so in no word, only what went wrong
TOLD = "told in the prefix", "told in the subject", "told in the body", "told by its cause alone"
_TYPOS = (
    "Fix typo in {e} {p}",
    "Fix spelling in a comment",
    "fix: wrong word in the comment on {e}",
    "Correct a comment",
    "fix(docs): comment of {e} {p}",
)


def fix(project: Project, mark: int) -> Step:
    """Cure the next fault where it can be: its lines go into a function on that entity."""
    rng = project.rng
    chosen = next((pair for pair in project.faults if project.find_places(pair[1])), None)
    if chosen is None:
        return add_feature(project, mark)
    project.faults.remove(chosen)
    fault, entity = chosen
    unit, routine = rng.choice(project.find_places(entity))
    statements = units.make_statements(fault.code, entity, origin=mark)
    _put_in(project, statements, routine.body)
    told = rng.choice(TOLD)
    made = Fix(mark, fault, entity, unit, routine, statements, told, f"INC-{2000 + project.next_serial()}")
    project.fixes.append(made)
    touched: list[Document] = [unit]
    if rng.random() < 0.6:
        units.add_test(unit, routine, f"case_{project.next_serial()}")
        touched.append(unit.test)
    return Step(_tell(made, routine_name=unit.symbol(routine)), touched)


def fix_typo(project: Project, mark: int) -> Step:
    """A fix by its message, of a comment alone."""
    for unit in project.units:
        if unit.is_locked:
            continue
        for routine in unit.routines:
            wrong = [one for one in routine.body if one.kind == "note" and "Recieve" in one.words[0]]
            if wrong:
                wrong[0].words = (wrong[0].words[0].replace("Recieve", "Receive"),)
                wrong[0].origin = mark
                noun = unit.entity.noun
                subject = project.rng.choice(_TYPOS).format(e=noun, p=unit.part)
                return Step(subject, [unit])
    return add_feature(project, mark)


def attempt(project: Project, mark: int) -> Step:
    """Try something that will be taken back; its file waits until then."""
    free = [
        (trial, unit)
        for trial in project.trials
        for unit in project.units
        if unit.entity is trial[1] and not unit.is_locked and unit.count("work") > 1
    ]
    fresh = [
        (pair, unit, routine)
        for pair, unit in free
        for routine in unit.routines
        if routine.purpose == "work" and not project.is_fixed(routine)
    ]
    if not fresh:
        return add_feature(project, mark)
    pair, unit, routine = fresh[0]
    project.trials.remove(pair)
    trial, entity = pair
    routine.purpose = "tried"
    made = Attempt(trial, entity, unit, routine, mark, kept=list(routine.body))
    at = project.rng.randrange(len(routine.body))
    gone = [routine.body[at]] if routine.body[at].kind == "do" else []
    routine.body[at : at + len(gone)] = units.make_statements((trial.code,), entity, origin=mark)
    made.changed = list(routine.body)
    unit.is_locked = True
    project.attempts.append(made)
    return Step("perf: " + trial.subject.format(e=entity.noun), [unit])


def take_back(made: Attempt, mark: int, *, name_of: Callable[[int], str]) -> Step:
    """Undo an attempt: the text is what it was before."""
    made.reverted = mark
    made.routine.body[:] = _with_origin(made.kept, mark, known=made.changed)
    subject = "perf: " + made.trial.subject.format(e=made.entity.noun)
    named = f'Revert "{subject}"\n\nThis reverts commit {name_of(made.tried)}.\n\n{made.trial.reason}'
    quoted = f'Back out "{subject}"\n\n{made.trial.reason}'
    bare = f"Do without it again: {subject.removeprefix('perf: ').lower()}\n\n{made.trial.reason}"
    return Step((named, named, quoted, named, bare)[mark % 5], [made.unit])


def bring_again(made: Attempt, mark: int, *, name_of: Callable[[int], str]) -> Step:
    """Land an attempt for the second time: the text is what it was with it."""
    made.restored = mark
    made.routine.body[:] = _with_origin(made.changed, mark, known=made.kept)
    subject = "perf: " + made.trial.subject.format(e=made.entity.noun)
    again = f"This reverts commit {name_of(made.reverted)}, now that everybody has updated."
    return Step(f'Reapply "{subject}"\n\n{again}', [made.unit])


def _with_origin(body: list[Statement], mark: int, *, known: list[Statement]) -> list[Statement]:
    """Statements as they were; those that are not there now get written anew."""
    return [one if one in known else Statement(one.kind, one.words, mark, one.body) for one in body]


def _put_in(project: Project, statements: list[Statement], body: list[Statement]) -> None:
    """Put a cure into a function; now and then in the place of a statement that was wrong."""
    fixed = [one for made in project.fixes for one in made.statements]
    at = project.rng.randrange(len(body))
    is_wrong = body[at].kind == "do" and body[at] not in fixed and project.rng.random() < 0.4
    body[at : at + is_wrong] = statements


def _tell(made: Fix, *, routine_name: str) -> str:
    """The message: a prefix, a plain subject with a line that closes a report, or all of it in the body."""
    noun, fault = made.entity.noun, made.fault
    subject, cause = (text.format(e=noun) for text in (fault.subject, fault.cause))
    lower = subject[0].lower() + subject[1:]
    if made.told == TOLD[0]:
        kind = "security" if fault.is_security else "fix"
        return f"{kind}({made.unit.area}): {lower}\n\n{cause}\n\nSeen in {made.issue}."
    if made.told == TOLD[1]:
        start = "Security" if fault.is_security else "Fix"
        return f"{start}: {lower}\n\n{cause}"
    told = f"Rework {noun} {made.unit.part}\n\n{subject}. {cause}\n\nTouches {routine_name}."
    number = int(made.issue.rpartition("-")[2])
    return f"{told}\n\nFixes #{number}" if made.told == TOLD[2] else told
