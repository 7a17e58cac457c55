"""Test runs that a record speaks of: what was run under a name that its words hold, and how that ended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from sqlite3 import Connection
from typing import TYPE_CHECKING, NamedTuple

from engram_hooks.recall.fields import format_clock, format_day, local_year
from engram_hooks.store import records, trials

if TYPE_CHECKING:
    from engram_hooks.store.anchors import Anchored

MIN_NAME_CHARS = 6
_JOINTS = "._/:"


class Run(NamedTuple):
    """One check: its tool, the names that it was pointed at or failed in, how it ended, when (ms UTC)."""

    tool: str
    names: frozenset[str]
    outcome: str
    at_ms: int


def link_runs(db: Connection, project_id: int, found: Sequence[Anchored], *, now_ms: int) -> int:
    """Let records rest on the last run of each test that they name; returns how many links are new."""
    runs = read_runs(db, project_id) if found else []
    links = 0
    for record in found if runs else ():
        for name, run in find_runs(f"{record.summary}\n{record.detail}", runs):
            said = f"{run.outcome}, {format_day(run.at_ms, local_year(now_ms))}, {format_clock(run.at_ms)}"
            links += records.add_evidence(
                db, record.id, "test", f"{run.tool} {name}", now_ms=run.at_ms, detail=said
            )
    return links


def read_runs(db: Connection, project_id: int) -> list[Run]:
    """The runs of a project's tests, newest first."""
    return [
        Run(
            tool, frozenset(_list_names([*targets, *(fault[0] for fault in faults if fault)])), outcome, at_ms
        )
        for tool, targets, outcome, faults, at_ms in trials.list_tests(db, project_id)
    ]


def find_runs(text: str, runs: Iterable[Run]) -> list[tuple[str, Run]]:
    """(name, the first of the runs that has it) of each test that a text names; the longest name of a run. Pure."""
    words = set(_split(text))
    found: dict[str, Run] = {}
    for run in runs:
        named = [name for name in run.names if name in words]
        if named and (name := max(named, key=len)) not in found:
            found[name] = run
    return list(found.items())


def _list_names(places: Iterable[str]) -> Iterable[str]:
    """Each place whole, its file, and the name of its test, where these tell one test from words."""
    for place in places:
        path, _, test = place.rpartition("::")
        for name in (place, path, test.partition("[")[0]):
            if len(name) >= MIN_NAME_CHARS and any(joint in name for joint in _JOINTS) and " " not in name:
                yield name


def _split(text: str) -> Iterable[str]:
    for word in text.split():
        bare = word.strip("`'\"()[]{}<>,;!?").removesuffix("()").rstrip(".:")
        yield bare
        yield bare.rpartition("::")[2]
