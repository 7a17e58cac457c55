"""How answers about a history are rated: rankings, warnings, files that are told."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from engram_hooks.bench.recall import rate

ENGRAM, PLAIN = "engram", "git alone"
ALL = "all"


@dataclass(frozen=True, slots=True)
class WhyRow:
    """Means over the questions of a kind, from 0 to 1: commits, and files."""

    system: str
    kind: str
    questions: int
    hit_at_1: float
    hit_at_5: float
    mrr: float
    file_hit_at_5: float


@dataclass(frozen=True, slots=True)
class WarningRow:
    """Functions of a kind: for how many a right commit is named, and for how many any is."""

    system: str
    kind: str
    functions: int
    named: float
    warned: float


@dataclass(frozen=True, slots=True)
class CochangeRow:
    """Partners of files: found among five; of those told unasked how many are right, and for how many files.

    `hidden_found` are hidden pairs told as such among five, `linked_hidden` pairs with an import told as hidden.
    """

    system: str
    questions: int
    recall_at_5: float
    precision: float
    coverage: float
    hidden_pairs: int
    hidden_found: float
    linked_hidden: float


def rate_ranking(
    commits: Sequence[str], files: Sequence[str], *, right: Collection[str], right_files: Collection[str]
) -> list[float]:
    """[hit at 1, hit at 5, reciprocal rank, file hit at 5] of one answer."""
    marks = rate(commits, right)
    return [
        float(any(name in right for name in commits[:1])),
        marks[2],
        marks[4],
        float(any(path in right_files for path in files[:5])),
    ]


def average_why(system: str, marks: Mapping[str, Sequence[Sequence[float]]]) -> list[WhyRow]:
    """A row for each kind of question, then one for all; `marks` by kind as `rate_ranking` gives them."""
    groups = dict(marks)
    if len(marks) > 1:
        groups[ALL] = [row for rows in marks.values() for row in rows]
    return [WhyRow(system, kind, len(rows), *_means(rows, 4)) for kind, rows in groups.items()]


def average_warnings(system: str, marks: Mapping[str, Sequence[tuple[bool, bool]]]) -> list[WarningRow]:
    """A row for each kind of function; `marks` are (a right commit is named, anything is)."""
    return [WarningRow(system, kind, len(rows), *_means(rows, 2)) for kind, rows in marks.items()]


@dataclass(frozen=True, slots=True)
class Partners:
    """What was told about a file's partners: paths best first, those told unasked, those marked as hidden."""

    ranked: Sequence[str]
    spoken: Collection[str]
    hidden: Collection[str]


def average_cochange(
    system: str,
    answers: Mapping[str, Partners],
    right: Sequence[tuple[str, Collection[str]]],
    *,
    hidden_pairs: Collection[tuple[str, str]] = (),
    linked_pairs: Collection[tuple[str, str]] = (),
) -> CochangeRow:
    """One row; `right` are files with their partners, a hidden pair counts as found from either side."""
    recalls = [
        sum(path in others for path in answers[file].ranked[:5]) / len(others) for file, others in right
    ]
    told = [path in others for file, others in right for path in answers[file].spoken]
    speaks = [bool(answers[file].spoken) for file, _ in right]
    found = [
        any(
            other in answers[file].hidden and other in answers[file].ranked[:5]
            for file, other in (pair, pair[::-1])
            if file in answers
        )
        for pair in hidden_pairs
    ]
    linked = [
        other in answers[file].hidden
        for file, other in linked_pairs
        if file in answers and other in answers[file].ranked
    ]
    shares = _mean(recalls), _mean(told), _mean(speaks)
    return CochangeRow(system, len(right), *shares, len(found), _mean(found), _mean(linked))


def _means(rows: Sequence[Sequence[float]], width: int) -> list[float]:
    return [_mean(row[at] for row in rows) for at in range(width)]


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return round(sum(numbers) / len(numbers), 4) if numbers else 0.0
