"""How well an index answers why code is as it is, on a repository whose history is known."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engram_hooks.bench import scores
from engram_hooks.bench.answers import ask_cochange, ask_preflight, ask_why
from engram_hooks.bench.monorepo.story import write_monorepo
from engram_hooks.bench.monorepo.truth import Guarded, Question, Quiet, Truth
from engram_hooks.bench.monorepo.wording import Split
from engram_hooks.bench.plain_git import PlainGit
from engram_hooks.bench.scores import ENGRAM, PLAIN, CochangeRow, Partners, WarningRow, WhyRow
from engram_hooks.memory import Engram

# what is told while it works: the stage, how many are done, how many there are
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a repository gave; times in ms are of answers in a running process."""

    name: str
    head: str
    commits: int
    index_s: float
    why_p50_ms: float
    preflight_p95_ms: float
    why: tuple[WhyRow, ...]
    preflight: tuple[WarningRow, ...]
    cochange: tuple[CochangeRow, ...]


@dataclass(slots=True)
class Asked:
    """Two systems that answer the same questions, and how long ours took."""

    memory: Engram
    plain: PlainGit
    tell: Progress
    why_ms: list[float] = field(default_factory=list)
    preflight_ms: list[float] = field(default_factory=list)


def measure(
    split: Split, folder: Path, *, commits: int, seed: int | None = None, on_progress: Progress
) -> Outcome:
    """Write the repository of a split into `folder`, index it there and ask all that it has answers to.

    Raises `EngramError` where git is missing.
    """
    on_progress("repositories written", 0, 1)
    repo = folder / "repo"
    truth = write_monorepo(repo, split, commits=commits, seed=seed)
    with open_memory(folder, repo) as memory:
        seconds = memory.index(on_progress=on_progress).seconds
        asked = Asked(memory, PlainGit(repo), on_progress)
        why = ask_questions(asked, truth.questions)
        preflight = _ask_warnings(asked, truth)
        cochange = ask_partners(
            asked,
            tuple(truth.partners.items()),
            hidden_pairs=[(pair.first, pair.second) for pair in truth.pairs],
            linked_pairs=truth.linked,
        )
    return Outcome(
        name=f"{split.name}, seed {split.seed if seed is None else seed}",
        head=truth.head,
        commits=truth.commits,
        index_s=seconds,
        why_p50_ms=quantile(asked.why_ms, 0.5),
        preflight_p95_ms=quantile(asked.preflight_ms, 0.95),
        why=why,
        preflight=preflight,
        cochange=cochange,
    )


def open_memory(folder: Path, repo: Path) -> Engram:
    """A new memory under `folder`, seen from a repository."""
    environ = {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(folder)}
    return Engram(home=folder / "home", cwd=repo, environ=environ)


def ask_questions(asked: Asked, questions: Sequence[Question]) -> tuple[WhyRow, ...]:
    """Rows of both systems for each kind of question."""
    marks: dict[str, dict[str, list[list[float]]]] = {ENGRAM: {}, PLAIN: {}}
    for number, question in enumerate(questions, 1):
        began = time.perf_counter()
        ours = ask_why(asked.memory, question.text)
        asked.why_ms.append((time.perf_counter() - began) * 1000)
        for system, (commits, files) in ((ENGRAM, ours), (PLAIN, asked.plain.why(question.text))):
            row = scores.rate_ranking(commits, files, right=question.commits, right_files=question.files)
            marks[system].setdefault(question.kind, []).append(row)
        asked.tell("questions", number, len(questions))
    return tuple(row for system, rows in marks.items() for row in scores.average_why(system, rows))


def ask_partners(
    asked: Asked,
    right: Sequence[tuple[str, frozenset[str]]],
    *,
    hidden_pairs: Sequence[tuple[str, str]] = (),
    linked_pairs: Sequence[tuple[str, str]] = (),
) -> tuple[CochangeRow, ...]:
    """A row for each system; `right` are files to ask for, with their partners."""
    answers: dict[str, dict[str, Partners]] = {ENGRAM: {}, PLAIN: {}}
    files = dict.fromkeys(file for file, _ in right)
    for number, file in enumerate(files, 1):
        answers[ENGRAM][file] = ask_cochange(asked.memory, file)
        rows = asked.plain.cochange(file)
        ranked, spoken = [path for path, _ in rows], [path for path, speaks in rows if speaks]
        # git alone cannot say what is hidden: let every guess count
        answers[PLAIN][file] = Partners(ranked, spoken[:5], frozenset(ranked))
        asked.tell("files", number, len(files))
    return tuple(
        scores.average_cochange(system, found, right, hidden_pairs=hidden_pairs, linked_pairs=linked_pairs)
        for system, found in answers.items()
    )


def quantile(times_ms: Sequence[float], share: float) -> float:
    """The time that this share of the answers did not exceed; 0 without answers."""
    ordered = sorted(times_ms)
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 2) if ordered else 0.0


def _ask_warnings(asked: Asked, truth: Truth) -> tuple[WarningRow, ...]:
    marks: dict[str, dict[str, list[tuple[bool, bool]]]] = {ENGRAM: {}, PLAIN: {}}
    functions: list[Guarded | Quiet] = [*truth.guarded, *truth.quiet]
    for number, one in enumerate(functions, 1):
        began = time.perf_counter()
        ours = ask_preflight(asked.memory, one.path, one.symbol)
        asked.preflight_ms.append((time.perf_counter() - began) * 1000)
        right = one.commits if isinstance(one, Guarded) else ()
        for system, named in ((ENGRAM, ours), (PLAIN, asked.plain.preflight(one.path, one.span))):
            mark = any(name in right for name in named[:5]), bool(named)
            marks[system].setdefault(one.kind, []).append(mark)
        asked.tell("functions", number, len(functions))
    return tuple(row for system, rows in marks.items() for row in scores.average_warnings(system, rows))
