"""Whether notes that only look useful fall silent and the others do not: two memories, one of which learns."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from engram_hooks.bench.loop.play import Played, Stage
from engram_hooks.bench.loop.world import EMPTY, LATE, USEFUL, correct, make_world
from engram_hooks.curate.asking import search_records
from engram_hooks.memory import Engram

WINDOW = 20
TURNS = 100
RUNS = 3
FIRST_SEED = 41
# of the turns that lack the late note so many are followed by a user who says what it says
_CORRECTED = 0.5

# what is told while it works: how many turns are done
Tick = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Window:
    """Some turns in a row, of all runs: empty notes injected, the share of needs that were met, and the same without
    learning.
    """

    first: int
    last: int
    empty: int
    empty_without: int
    recall: float
    recall_without: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a split gave.

    `fall` compares the empty notes of the last window with those of the first, `fall_beside` with those that a memory
    that does not learn injects in the last window; 0.8 means four fifths fewer. `recall_change` is how much larger the
    share of needs that were met is than without learning, over all turns. `late_recall` are the shares of turns that
    needed the note that was empty until then and had it, of their first and their second half, and of all of them
    without learning; None where there is no such note.
    """

    split: str
    runs: int
    fall: float
    fall_beside: float
    recall_change: float
    late_recall: tuple[float, float, float] | None
    windows: tuple[Window, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played: `visible` is the share of uses that leave a trace."""

    split: str = "dev"
    turns: int = TURNS
    runs: int = RUNS
    visible: float = 0.8
    has_late: bool = False
    seed: int = FIRST_SEED


def measure(plan: Plan, folder: Path, *, tick: Tick) -> Outcome:
    """Play every run of a plan twice, in a memory that learns and in one that does not."""
    played: dict[bool, list[list[Played]]] = {True: [], False: []}
    for run in range(plan.runs):
        for learns in (True, False):
            place = folder / f"{run}-{learns}"
            place.mkdir(parents=True)
            played[learns].append(_play(plan, plan.seed + run, place, learns=learns, tick=tick))
    windows = tuple(
        _count_window(played, first, min(first + WINDOW, plan.turns))
        for first in range(0, plan.turns, WINDOW)
    )
    early, late = windows[0], windows[-1]
    return Outcome(
        split=plan.split,
        runs=plan.runs,
        fall=_fall(late.empty, early.empty),
        fall_beside=_fall(late.empty, late.empty_without),
        recall_change=round(_mean_gain(windows), 4),
        late_recall=_recall_late(played) if plan.has_late else None,
        windows=windows,
    )


def _play(plan: Plan, seed: int, folder: Path, *, learns: bool, tick: Tick) -> list[Played]:
    world = make_world(plan.split, seed, has_late=plan.has_late)
    environ = {"HOME": str(folder), "PATH": ""}
    repo = folder / "repo"
    repo.mkdir()
    with closing(Engram(home=folder / "home", cwd=repo, project="loop", environ=environ)) as memory:
        stage = Stage(memory, world, folder / "talk", visible=plan.visible, learns=learns)
        search_records.catch_up(memory.db, memory.question("x"))
        found = []
        corrections = random.Random(seed)  # noqa: S311 (data for a benchmark)
        for asked in world.ask(plan.turns, late_from=plan.turns // 2):
            turn = stage.play(asked)
            found.append(turn)
            if asked.need.sort == LATE and not turn.is_served and corrections.random() < _CORRECTED:
                stage.play(correct(asked, world.deck))
            tick()
    return found


def _count_window(played: dict[bool, list[list[Played]]], first: int, last: int) -> Window:
    turns = {learns: [turn for run in runs for turn in run[first:last]] for learns, runs in played.items()}
    empty = {learns: sum(_count_empty(turn) for turn in found) for learns, found in turns.items()}
    recall = {
        learns: _share([turn.is_served for turn in found if turn.need.sort == USEFUL])
        for learns, found in turns.items()
    }
    return Window(first + 1, last, empty[True], empty[False], recall[True], recall[False])


def _count_empty(turn: Played) -> int:
    """Notes that help with nothing, injected beside one prompt."""
    return sum(note.sort == EMPTY for note in turn.shown)


def _recall_late(played: dict[bool, list[list[Played]]]) -> tuple[float, float, float]:
    first, second, without = [], [], []
    for learning, plain in zip(played[True], played[False], strict=True):
        marks = [turn.is_served for turn in learning if turn.need.sort == LATE]
        first += marks[: len(marks) // 2]
        second += marks[len(marks) // 2 :]
        without += [turn.is_served for turn in plain if turn.need.sort == LATE]
    return _share(first), _share(second), _share(without)


def _mean_gain(windows: Sequence[Window]) -> float:
    return sum(window.recall - window.recall_without for window in windows) / len(windows)


def _fall(after: int, before: int) -> float:
    return round(1 - after / before, 4) if before else 0.0


def _share(marks: list[bool]) -> float:
    return round(sum(marks) / len(marks), 4) if marks else 0.0
