"""How well the search of the conversation finds what questions ask for, on a labelled set of conversations.

A set is a folder with `META.json` (name), `records.jsonl` (id, corpus, session, seq, ts, role, speaker, text)
and `queries.jsonl` (corpus, type, question, gold: record ids, gold_sessions; `answerable` false is left out).
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engram_hooks.errors import UsageError
from engram_hooks.memory import Engram

DEPTH = 50
ALL = "all"
_FILES = "META.json", "records.jsonl", "queries.jsonl"
_FIELDS = "id", "session", "ts", "role", "speaker", "text"

Row = dict[str, Any]  # Any: values of one JSON line


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over the questions of one type; `unit` is turn or session. All but the count are from 0 to 1."""

    unit: str
    type: str
    questions: int
    recall_at_5: float
    recall_at_10: float
    hit_at_5: float
    hit_at_10: float
    mrr: float
    ndcg_at_10: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a set gave: figures by unit and type, and the median time of a question in ms."""

    name: str
    query_ms: float
    figures: tuple[Figures, ...]


def measure(data: Path, home: Path, *, tick: Callable[[], None] = lambda: None) -> Outcome:
    """Bring the set in `data` into a new store under `home` and ask all its questions.

    `tick` is called after each question. Raises `UsageError` for a folder that holds no set.
    """
    name, records, queries = read_set(data)
    session_of = {str(row["id"]): str(row["session"]) for row in records}
    scores: dict[tuple[str, str], list[list[float]]] = {}
    times: list[float] = []
    with Engram(home=home, cwd=home, environ={}) as memory:
        memory.import_records(_as_turns(records))
        for query in queries:
            begun = time.perf_counter()
            hits = memory.recall(query["question"], k=DEPTH, mode="search", project=query["corpus"])
            times.append((time.perf_counter() - begun) * 1000)
            found = [hit.id for hit in hits]
            sessions = list(dict.fromkeys(session_of[hit] for hit in found if hit in session_of))
            for unit, ranked, gold in (
                ("turn", found, query.get("gold")),
                ("session", sessions, query.get("gold_sessions")),
            ):
                if gold:
                    for group in (str(query.get("type", "")), ALL):
                        scores.setdefault((unit, group), []).append(rate(ranked, frozenset(gold)))
            tick()
    figures = [_average(unit, group, rows) for (unit, group), rows in scores.items()]
    figures.sort(key=lambda row: (row.unit != "turn", row.type == ALL, row.type))
    middle = sorted(times)[len(times) // 2] if times else 0.0
    return Outcome(name, middle, tuple(figures))


def read_set(data: Path) -> tuple[str, list[Row], list[Row]]:
    """(name, records in time order, questions with an answer) of a set. Raises `UsageError` where it is none."""
    missing = [name for name in _FILES if not (data / name).is_file()]
    if missing:
        raise UsageError(f"{data} is no labelled set: no {', '.join(missing)}")
    try:
        name = str(json.loads((data / _FILES[0]).read_text("utf-8")).get("name") or data.name)
        records = list(_read_lines(data / _FILES[1]))
        queries = [row for row in _read_lines(data / _FILES[2]) if row.get("answerable") is not False]
        records.sort(key=lambda row: (row["corpus"], row["ts"], row["session"], row["seq"]))
    except (ValueError, AttributeError, KeyError, TypeError) as error:
        raise UsageError(f"{data} cannot be read: {error!r}") from error
    return name, records, queries


def rate(ranked: Sequence[str], gold: Collection[str]) -> list[float]:
    """[recall at 5, at 10, hit at 5, at 10, reciprocal rank, nDCG at 10] of one ranking."""
    found = [item in gold for item in ranked]
    first = next((place for place, is_hit in enumerate(found, 1) if is_hit), 0)
    gain = sum(1 / math.log2(place + 2) for place, is_hit in enumerate(found[:10]) if is_hit)
    best = sum(1 / math.log2(place + 2) for place in range(min(10, len(gold))))
    return [
        sum(found[:5]) / len(gold),
        sum(found[:10]) / len(gold),
        float(any(found[:5])),
        float(any(found[:10])),
        1 / first if first else 0.0,
        gain / best,
    ]


def _as_turns(records: Sequence[Row]) -> Iterator[Row]:
    for row in records:
        fields = {name: row[name] for name in _FIELDS if row.get(name) not in (None, "")}
        yield {**fields, "project": row["corpus"], "kind": "turn"}


def _average(unit: str, group: str, rows: Sequence[Sequence[float]]) -> Figures:
    means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    return Figures(unit, group, len(rows), *means)


def _read_lines(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            if line.strip():
                yield json.loads(line)
