"""How well failed approaches are told: stories played through the hooks, then edits, prompts and reads to come."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from engram_hooks.bench.monorepo.story import SPLITS, write_project
from engram_hooks.bench.tries.asked import (
    CURED,
    GIVEN_UP,
    PASS,
    SILENT,
    TASTE,
    TEST_FIRST,
    WARN,
    Query,
    Story,
    queries_of,
)
from engram_hooks.bench.tries.player import Player
from engram_hooks.bench.tries.plot import Place, change, check_of, find_places, pick_at
from engram_hooks.bench.tries.wording import DECKS, Approach
from engram_hooks.bench.why import open_memory
from engram_hooks.curate.attempts import learn
from engram_hooks.history import git
from engram_hooks.memory import Engram, now
from engram_hooks.store.attempts import attempts_on_file

# what is told while it works: the stage, how many are done, how many there are
Progress = Callable[[str, int, int], None]

# of ten stories, how they end
_ENDINGS = (*[GIVEN_UP] * 7, CURED, TASTE, TEST_FIRST)
_UNDOINGS = "restored, told", "restored, not told", "edited back", "elsewhere"


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of query: how many, the share that was told of the attempt, and the share that was held up."""

    kind: str
    wanted: str
    queries: int
    told: float
    held_up: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a split gave.

    `hit_rate` is the share of warnings wanted that came and named the attempt, `false_alarms` the share of queries to
    be silent at that were not, `wrongly_held_up` the share of all but the same edit that were.
    """

    name: str
    commits: int
    stories: int
    learned: int
    hit_rate: float
    false_alarms: float
    wrongly_held_up: float
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class _Stage:
    """The repository, the memory that sees it, and the source of randomness."""

    repo: Path
    memory: Engram
    rng: random.Random

    def open_session(self, name: str) -> Player:
        environ = {**self.memory.environ, "ENGRAM_WORKER": "1"}  # the work is done here, in turn
        return Player(self.repo, self.memory.data, environ, session=name)


def measure(
    split: str, folder: Path, *, commits: int, seed: int | None = None, on_progress: Progress
) -> Outcome:
    """Write the repository of a split into `folder`, play a story in each file that has a fitting function, and ask.

    Raises `EngramError` where git is missing.
    """
    words = SPLITS[split]
    seed = words.seed if seed is None else seed
    repo = folder / "repo"
    on_progress("repositories written", 0, 1)
    project = write_project(repo, words, commits=commits, seed=seed)
    git.run(["checkout", "-q", "-f", "main"], str(repo))
    rng = random.Random(seed + 1)  # noqa: S311 (data for a benchmark)
    with open_memory(folder, repo) as memory:
        stage = _Stage(repo, memory, rng)
        stories = list(_play_all(stage, find_places(project, rng), split, on_progress))
        answers = list(_ask_all(stage, stories, split, on_progress))
    return _rate(f"{split}, seed {seed}", commits, stories, answers)


def _play_all(stage: _Stage, places: list[Place], split: str, tell: Progress) -> Iterator[Story]:
    approaches = DECKS[split].approaches
    for number, place in enumerate(places):
        approach = approaches[number % len(approaches)]
        routine = place.routine
        at, replaces = pick_at(routine, stage.rng), stage.rng.random() < 0.6
        before = place.unit.text()
        after = change(place, routine, approach.rows, at=at, replaces=replaces)
        story = Story(place, approach, _ENDINGS[number % len(_ENDINGS)], at, replaces, before, after)
        _play(stage, story, number)
        assert stage.memory.project_id is not None
        learn(stage.memory.db, stage.memory.project_id, now_ms=now())
        yield replace(story, attempt_id=_attempt_of(stage.memory, place))
        tell("sessions played", number + 1, len(places))


def _attempt_of(memory: Engram, place: Place) -> int:
    assert memory.project_id is not None
    rows = attempts_on_file(memory.db, memory.project_id, place.path)
    return rows[0][0] if rows else 0


def _play(stage: _Stage, story: Story, number: int) -> None:
    place, path = story.place, story.place.path
    session = stage.open_session(f"story-{number}")
    session.fire("SessionStart", source="startup")
    session.prompt(place.fill(story.approach.wish))
    session.read(path)
    if story.ending == TEST_FIRST:
        _write_test(session, place)
        _check(stage, session, story, is_green=False)
    session.plan(path, story.before, story.after)
    session.edit(path, story.before, story.after)
    _check(stage, session, story, is_green=story.ending in {TASTE, TEST_FIRST})
    if story.ending == CURED:
        cure = change(place, place.routine, _cure_rows(story.approach), at=story.at, replaces=story.replaces)
        session.edit(path, story.after, cure)
        _check(stage, session, story, is_green=True)
        session.edit(path, cure, story.before)  # later, for the next ones
    else:
        _undo(stage, session, story, number)
    session.fire("Stop", stop_hook_active=False)


def _cure_rows(approach: Approach) -> tuple[tuple[str, ...], ...]:
    return (*approach.rows, ("do", "settle_{e}({e}.id)"))


def _undo(stage: _Stage, session: Player, story: Story, number: int) -> None:
    how, path = _UNDOINGS[number // 2 % len(_UNDOINGS)], story.place.path
    if how == "edited back":
        session.edit(path, story.after, story.before)
    elif how == "elsewhere":
        (stage.repo / path).write_text(story.before, encoding="utf-8")
    else:
        session.restore(path, story.before, story.after, tells=how == "restored, told")


def _check(stage: _Stage, session: Player, story: Story, *, is_green: bool) -> None:
    check = check_of(story.place, story.approach, stage.rng)
    session.run(check.command, check.passed if is_green else check.failed)


def _write_test(session: Player, place: Place) -> None:
    test = place.unit.test
    session.edit(test.path, test.text(), f"{test.text()}{place.unit.language.comment} {place.name} waits\n")


def _ask_all(
    stage: _Stage, stories: list[Story], split: str, tell: Progress
) -> Iterator[tuple[Query, bool, bool]]:
    """(query, whether the attempt was named, or any was where none is wanted, whether it was held up)."""
    for number, story in enumerate(stories, 1):
        for at, query in enumerate(queries_of(story, DECKS[split], stage.rng)):
            session = stage.open_session(f"query-{number}-{at}")
            text, decision = query.ask(session)
            mark = f"[t{story.attempt_id}]" if query.wanted == WARN else "[t"
            yield query, mark in text, decision != ""
        tell("stories asked about", number, len(stories))


def _rate(name: str, commits: int, stories: list[Story], answers: list[tuple[Query, bool, bool]]) -> Outcome:
    kinds: dict[tuple[str, str], list[tuple[bool, bool]]] = {}
    for query, is_told, is_held in answers:
        kinds.setdefault((query.wanted, query.kind), []).append((is_told, is_held))
    rows = tuple(
        Row(
            kind, wanted, len(found), _share([told for told, _ in found]), _share([held for _, held in found])
        )
        for (wanted, kind), found in sorted(
            kinds.items(), key=lambda one: (WARN, SILENT, PASS).index(one[0][0])
        )
    )
    given_up = [story for story in stories if story.ending == GIVEN_UP]
    return Outcome(
        name=name,
        commits=commits,
        stories=len(stories),
        learned=sum(story.attempt_id > 0 for story in given_up),
        hit_rate=_share([told for query, told, _ in answers if query.wanted == WARN]),
        false_alarms=_share([told for query, told, _ in answers if query.wanted == SILENT]),
        wrongly_held_up=_share([held for query, _, held in answers if query.wanted != WARN]),
        rows=rows,
    )


def _share(marks: list[bool]) -> float:
    return round(sum(marks) / len(marks), 4) if marks else 0.0
