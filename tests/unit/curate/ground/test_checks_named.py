"""Records rest on the last run of a test that they name."""

from __future__ import annotations

from sqlite3 import Connection

import pytest

from engram_hooks.curate.ground.checks_named import Run, find_runs, link_runs
from engram_hooks.store import anchors, lookup, records, trials
from tests.conftest import NOW_MS

RUNS = [
    Run(
        "pytest",
        frozenset(("tests/test_pay.py::test_charge", "tests/test_pay.py", "test_charge")),
        "failed",
        3,
    ),
    Run("pytest", frozenset(("tests/test_pay.py",)), "passed", 2),
    Run("go test", frozenset(("./pay/...",)), "passed", 1),
]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("tests/test_pay.py::test_charge needs a clock", [("tests/test_pay.py::test_charge", "failed")]),
        ("`test_charge` needs a clock.", [("test_charge", "failed")]),
        ("test_charge() fails at night", [("test_charge", "failed")]),
        ("all of tests/test_pay.py needs a clock", [("tests/test_pay.py", "failed")]),
    ],
)
def test_named_test_is_found_with_its_last_run(text: str, found: list[tuple[str, str]]) -> None:
    assert [(name, run.outcome) for name, run in find_runs(text, RUNS)] == found


@pytest.mark.parametrize("text", ["Tests pass", "test_charges is slow", "tests/test_pay.pyc", ""])
def test_other_words_name_no_test(text: str) -> None:
    assert find_runs(text, RUNS) == []


def test_link_is_kept_once_as_evidence(store: Connection) -> None:
    verdict = ("test", "pytest", ["tests/test_pay.py"], "failed", [["test_charge", "E", "m", ""]], "f")
    trials.add_run(store, (1, 1, "", "/shop", "main"), verdict, use_id="u", now_ms=NOW_MS)
    row = {"kind": "fact", "project_id": 1, "summary": "test_charge needs a clock"}
    number = records.insert(store, row, now_ms=NOW_MS, actor="person")
    found = anchors.read_records(store, [number])
    assert [link_runs(store, project, found, now_ms=NOW_MS) for project in (1, 1, 2)] == [1, 0, 0]
    (proof,) = lookup.list_evidence(store, number)
    assert (proof["kind"], proof["ref"], proof["detail"].split(",")[0]) == (
        "test",
        "pytest test_charge",
        "failed",
    )
