"""How the years go by: which commit follows which, who makes it and when."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

from engram_hooks.bench.monorepo import repairs, steps
from engram_hooks.bench.monorepo.project import Attempt, Document, Project
from engram_hooks.bench.monorepo.steps import Step
from engram_hooks.bench.monorepo.stream import MAIN, CommitStream, Draft
from engram_hooks.bench.monorepo.truth import Truth, read_truth
from engram_hooks.bench.monorepo.units import Unit
from engram_hooks.bench.monorepo.wording import Split
from engram_hooks.bench.monorepo.wording_dev import DEVELOPMENT
from engram_hooks.bench.monorepo.wording_unseen import UNSEEN

SPLITS = {split.name: split for split in (DEVELOPMENT, UNSEEN)}
MIN_COMMITS = 60
MAX_UNITS, FIRST_UNITS = 70, 12
FIX_SHARE, TYPO_SHARE, TRIAL_SHARE, MERGE_SHARE = 0.1, 0.02, 0.015, 0.015
STARTED_AT_S = 1_551_430_800  # 1 March 2019, 09:00 UTC
YEARS_S = 6 * 365 * 86_400
TOPIC = "refs/heads/topic"
_PEOPLE = tuple(
    (f"{name} <{name.split()[0].lower()}@example.com>", zone)
    for name, zone in (
        *(("Mara Lind", "+0100"), ("Tomas Reyes", "-0500"), ("Ayumi Kato", "+0900"), ("Ben Okoro", "+0000")),
        *(("Lena Vogt", "+0200"), ("Priya Nair", "+0530"), ("Jon Hale", "-0800"), ("Sara Costa", "-0300")),
    )
)


def write_monorepo(folder: Path, split: Split, *, commits: int, seed: int | None = None) -> Truth:
    """Write a repository of about that many commits into a new folder; returns what is true of it.

    The same split, count and seed give the same commits. Raises `EngramError` where git is missing.
    """
    story = _Story(folder, split, commits=max(commits, MIN_COMMITS), seed=seed)
    with story.stream:
        story.tell()
        hashes = story.stream.finish()
    return read_truth(story.project, hashes, head=hashes[story.tip])


def write_project(folder: Path, split: Split, *, commits: int, seed: int) -> Project:
    """The same repository, and its files and functions as they are at the head."""
    story = _Story(folder, split, commits=max(commits, MIN_COMMITS), seed=seed)
    with story.stream:
        story.tell()
        story.stream.finish()
    return story.project


class _Story:
    """Goes from commit to commit; holds the tip of the main line."""

    def __init__(self, folder: Path, split: Split, *, commits: int, seed: int | None) -> None:
        self.rng = random.Random(split.seed if seed is None else seed)  # noqa: S311 (data for a benchmark)
        self.commits = commits
        self.project = Project(split, self.rng, unit_count=min(MAX_UNITS, max(FIRST_UNITS, commits // 15)))
        self.stream = CommitStream(folder)
        self.mark = self.tip = 0
        self.at_s = STARTED_AT_S
        self._due: list[tuple[int, Attempt, bool]] = []

    def tell(self) -> None:
        """All commits, from the first files to the last repair."""
        project = self.project
        first: list[Document] = [
            *project.documents.values(),
            *project.scaffold,
            project.manifest,
            project.lock,
        ]
        self._commit(lambda _mark: Step("Start the repository", first))
        for _ in range(FIRST_UNITS):
            self._commit(self._make_unit)
        dated = [(int(share * self.commits), step) for share, step in steps.DATED_STEPS]
        plan = self._plan(self.commits - self.mark - len(dated) - len(project.to_make))
        while plan:
            if dated and self.mark >= dated[0][0]:
                self._commit_plain(dated.pop(0)[1])
            if project.to_make and self.rng.random() < len(project.to_make) / len(plan) * 2:
                self._commit(self._make_unit)
            self._settle()
            plan.pop()()
        self._settle(is_end=True)

    def _plan(self, count: int) -> list[Callable[[], None]]:
        """What will happen, in an order of its own."""
        chosen: list[Callable[[], None]] = []
        fixes = min(int(count * FIX_SHARE), len(self.project.faults))
        chosen += [partial(self._commit_plain, repairs.fix)] * fixes
        chosen += [partial(self._commit_plain, repairs.fix_typo)] * int(count * TYPO_SHARE)
        trials = max(1, min(int(count * TRIAL_SHARE), len(self.project.trials)))
        merges = max(1, int(count * MERGE_SHARE))
        chosen += [self._attempt] * trials + [self._branch] * merges
        for step, share in steps.ROUTINE_STEPS:
            chosen += [partial(self._commit_plain, step)] * int(count * share)
        # an attempt is two commits or three, a branch four
        features = max(0, count - len(chosen) - 3 * merges - trials)
        chosen += [partial(self._commit_plain, steps.add_feature)] * features
        self.rng.shuffle(chosen)
        return chosen

    def _attempt(self) -> None:
        count = len(self.project.attempts)
        self._commit_plain(repairs.attempt)
        for made in self.project.attempts[count:]:
            self._due.append((self.mark + self.rng.randint(2, 25), made, self.rng.random() < 0.35))

    def _settle(self, *, is_end: bool = False) -> None:
        """Take back what is due, and bring some of it again later."""
        for entry in list(self._due):
            at, made, is_again = entry
            if self.mark < at and not is_end:
                continue
            self._due.remove(entry)
            is_first = not made.reverted
            act = repairs.take_back if is_first else repairs.bring_again
            self._commit(partial(act, made, name_of=self.stream.name_of))
            if is_first and is_again and not is_end:
                self._due.append((self.mark + self.rng.randint(2, 25), made, True))
            else:
                made.unit.is_locked = False

    def _branch(self) -> None:
        """Two features on a branch beside one on the main line, then a merge."""
        unit = self.project.pick_unit()
        start = self.tip
        for _ in range(2):
            self._commit(lambda mark: steps.grow(self.project, mark, unit, is_wide=False), ref=TOPIC)
        topic, self.tip = self.tip, start
        unit.is_locked = True
        self._commit_plain(steps.change_documents)
        unit.is_locked = False
        message = f"Merge branch '{unit.entity.noun}-{unit.part}'"
        self._commit(lambda _mark: Step(message, [unit, unit.test]), merged=topic)

    def _make_unit(self, mark: int) -> Step:
        unit: Unit = self.project.make_unit(mark)
        touched: list[Document] = [unit, unit.test]
        touched += [
            one.first for one in self.project.couplings if one.second is unit and one.kind != "client"
        ]
        return Step(f"Add the {unit.entity.noun} {unit.part}", touched)

    def _commit_plain(self, act: Callable[[Project, int], Step]) -> None:
        self._commit(lambda mark: act(self.project, mark))

    def _commit(self, act: Callable[[int], Step], *, ref: str = MAIN, merged: int = 0) -> None:
        """Make one commit on top of the tip."""
        self.mark += 1
        step = act(self.mark)
        author, zone = self.rng.choice(_PEOPLE)
        self.at_s += int(self.rng.expovariate(self.commits / YEARS_S)) + 60
        files: dict[str, str | None] = dict.fromkeys(step.deleted)
        files |= {document.path: document.text() for document in step.touched}
        parents = [mark for mark in (self.tip, merged) if mark]
        self.stream.add(
            Draft(self.mark, step.message, author, self.at_s, files, parents=parents, ref=ref, zone=zone)
        )
        self.tip = self.mark
