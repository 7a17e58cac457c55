"""What happens in the made-up year, day by day: all of it follows from the seed."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass, field

from engram_hooks.bench.year.calendar import name_day
from engram_hooks.bench.year.wording import Deck, Subject

SUBJECTS_EACH = 12
FILES_EACH = 4
# of the values that are stated, how many are only said in sessions, and not written down
_SAID_SHARE = 0.25
_SESSIONS_SAID = 3
_AGAIN_SHARE = 0.45
_DAYS_BETWEEN = 40, 110
_FINDING_EVERY, _FILE_GOES_EVERY, _TRIFLE_EVERY, _DATE_EVERY = 4, 6, 3, 12
_ASKED_EACH_DAY = 2


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that is so in a project (-1: everywhere) from one day until before another (None: to the end)."""

    kind: str  # value | rule | wish | finding | date | trifle | branch
    project: int
    about: str
    value: str = ""
    path: str = ""
    from_day: int = 0
    to_day: int | None = None
    branch: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence that is typed as a note of a kind, or said in a session (kind '')."""

    project: int
    text: str
    fact: Fact
    kind: str = ""
    is_on_branch: bool = False


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked in a project; `about` is the subject that it needs, '' for none."""

    project: int
    text: str
    about: str


@dataclass(frozen=True, slots=True)
class Branch:
    """A line of work beside the mainline; merged at its end or given up."""

    project: int
    name: str
    from_day: int
    to_day: int
    is_merged: bool


@dataclass(slots=True)
class Year:
    """Everything that happens, by day."""

    days: int
    statements: dict[int, list[Statement]] = field(default_factory=lambda: defaultdict(list))
    prompts: dict[int, list[Prompt]] = field(default_factory=lambda: defaultdict(list))
    facts: list[Fact] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)
    # by project: path -> (the day it comes, the day it goes or None)
    files: list[dict[str, tuple[int, int | None]]] = field(default_factory=list)

    def branch_on(self, project: int, day: int) -> str:
        """The branch that is checked out on a day: work goes on beside it every other day."""
        for one in self.branches:
            if one.project == project and one.from_day <= day < one.to_day and (day - one.from_day) % 2:
                return one.name
        return "main"

    def files_on(self, project: int, day: int) -> list[str]:
        """The files of a project on a day."""
        return [
            path
            for path, (comes, goes) in self.files[project].items()
            if comes <= day and (goes is None or goes > day)
        ]


def plan_year(deck: Deck, *, days: int, seed: int) -> Year:
    """The whole year of a deck's projects."""
    rng = random.Random(seed)  # noqa: S311 (a made-up year)
    year = Year(days)
    for project in range(len(deck.projects)):
        _plan_branches(year, project)
        _plan_files(year, deck, project, rng)
        for subject in rng.sample(deck.subjects, SUBJECTS_EACH):
            _plan_subject(year, deck, subject, project=project, rng=rng)
        _plan_rules(year, deck, project, rng)
        _plan_notes(year, deck, project, rng)
        _plan_prompts(year, deck, project, rng)
    for at, text in enumerate(deck.wishes):
        fact = Fact("wish", -1, text, from_day=at)
        _state(year, at, Statement(0, text, fact, "feedback"))
    return year


def _state(year: Year, day: int, statement: Statement) -> None:
    if day < year.days:
        year.statements[day].append(statement)
        if statement.fact not in year.facts:
            year.facts.append(statement.fact)


def _plan_branches(year: Year, project: int) -> None:
    third = year.days // 3
    for name, start, is_merged in (
        ("feature/rewrite", third // 2, True),
        ("spike/offline", 2 * third, False),
    ):
        begin = start + 4 * project
        year.branches.append(Branch(project, name, begin, min(begin + 24, year.days - 1), is_merged))


def _plan_files(year: Year, deck: Deck, project: int, rng: random.Random) -> None:
    files: dict[str, tuple[int, int | None]] = {}
    for module in deck.modules:
        for at in range(FILES_EACH):
            files[f"src/{module}/part_{at}.py"] = (0, None)
    for day in range(8, year.days, _FILE_GOES_EVERY):
        path = rng.choice([one for one, (comes, goes) in files.items() if goes is None and comes < day - 5])
        files[path] = (files[path][0], day)
        files[f"src/{rng.choice(deck.modules)}/made_{day}.py"] = (day + 1, None)
    year.files.append(files)


def _plan_subject(year: Year, deck: Deck, subject: Subject, *, project: int, rng: random.Random) -> None:
    day, before = rng.randrange(0, 30), ""
    kind = rng.choice(("fact", "decision"))
    while day < year.days:
        ends = day + rng.randint(*_DAYS_BETWEEN)
        value = rng.choice([one for one in subject.values if one != before])
        fact = Fact("value", project, subject.name, value, from_day=day, to_day=ends)
        is_said = before and rng.random() < _SAID_SHARE
        for text, at, how in _word(
            subject, value, before, is_said=bool(is_said), rng=rng, deck=deck, day=day
        ):
            if at < ends:
                _state(year, at, Statement(project, text, fact, kind if how == "typed" else ""))
        day, before = ends, value


def _word(
    subject: Subject, value: str, before: str, *, is_said: bool, rng: random.Random, deck: Deck, day: int
) -> list[tuple[str, int, str]]:
    """(sentence, day, typed or said) of a value: how it becomes known, and what repeats it later."""
    if is_said:
        text = rng.choice(subject.implied).format(v=value)
        return [(text, day + 2 * at, "said") for at in range(_SESSIONS_SAID)]
    texts = subject.stated if not before else subject.implied if rng.random() < 0.3 else subject.changed
    text = rng.choice(texts).format(v=value, o=before, y=rng.choice(deck.reasons))
    found = [(text, day, "typed")]
    while rng.random() < _AGAIN_SHARE:
        found.append((rng.choice(subject.stated).format(v=value), day + rng.randint(1, 30), "typed"))
    return found


def _plan_rules(year: Year, deck: Deck, project: int, rng: random.Random) -> None:
    for at, text in enumerate(rng.sample(deck.rules, 3)):
        _state(
            year, 3 + 9 * at, Statement(project, text, Fact("rule", project, text, from_day=0), "constraint")
        )


def _plan_notes(year: Year, deck: Deck, project: int, rng: random.Random) -> None:
    for day in range(year.days):
        files = year.files_on(project, day)
        if rng.randrange(_FINDING_EVERY) == 0:
            path = rng.choice(files)
            text = rng.choice(deck.findings).format(p=path)
            fact = Fact(
                "finding", project, text, path=path, from_day=day, to_day=year.files[project][path][1]
            )
            _state(year, day, Statement(project, text, fact, "incident"))
        if rng.randrange(_TRIFLE_EVERY) == 0:
            text = rng.choice(deck.trifles).format(n=rng.randint(3, 900), p=rng.choice(files))
            _state(year, day, Statement(project, text, Fact("trifle", project, text, to_day=-1), "fact"))
        if rng.randrange(_DATE_EVERY) == 0:
            until = day + rng.randint(2, 12)
            text = rng.choice(deck.dates).format(d=name_day(until))
            fact = Fact("date", project, text, from_day=day, to_day=until + 1)
            _state(year, day, Statement(project, text, fact, "state"))
    for one in (branch for branch in year.branches if branch.project == project):
        for at, text in enumerate(deck.branch_notes[:2]):
            text = text.format(m=deck.modules[(project + at) % len(deck.modules)])
            fact = Fact("branch", project, text, from_day=one.from_day, branch=one.name)
            _state(year, one.from_day + 1 + 2 * at, Statement(project, text, fact, "fact", is_on_branch=True))


def _plan_prompts(year: Year, deck: Deck, project: int, rng: random.Random) -> None:
    named = {subject.name: subject for subject in deck.subjects}
    for day in range(year.days):
        known = [f for f in year.facts if f.kind == "value" and f.project == project and holds(f, day - 8)]
        for fact in rng.sample(known, min(_ASKED_EACH_DAY, len(known))):
            text = rng.choice(named[fact.about].asked)
            year.prompts[day].append(Prompt(project, text, fact.about))
        year.prompts[day].append(Prompt(project, rng.choice(deck.unrelated), ""))


def holds(fact: Fact, day: int) -> bool:
    """Whether a fact is so on a day, the branch aside."""
    return fact.from_day <= day and (fact.to_day is None or day < fact.to_day)
