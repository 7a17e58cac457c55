"""A fault has one signature on every machine and day, and another fault has another."""

from __future__ import annotations

from time import process_time

import pytest

from engram_hooks.sessions import signatures
from engram_hooks.sessions.signatures import headline, read_signature
from tests.support.failing_checks import (
    ELSEWHERE,
    HERE,
    THERE,
    FailingCheck,
    read_cases,
    render,
    render_in_a_terminal,
    render_with_returns,
)

CASES = {case.name: case for case in read_cases()}
CHANGES = [
    pytest.param(case, number, id=f"{case.name}-{number}")
    for case in CASES.values()
    for number in range(len(case.changes))
]
by_case = pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in CASES.items()])


def read(text: str, root: str = HERE.root) -> str:
    return read_signature(text, root)[2]


def test_tools_are_many() -> None:
    assert len(CASES) >= 200
    assert all(case.changes for case in CASES.values())


@by_case
def test_fault_is_read_as_the_tool_tells_it(case: FailingCheck) -> None:
    assert read_signature(render(case.template, HERE), HERE.root)[1] == case.faults


@by_case
def test_fault_is_the_same_on_another_machine_and_day(case: FailingCheck) -> None:
    assert read(render(case.template, THERE), THERE.root) == read(render(case.template, HERE))


@by_case
def test_fault_is_the_same_in_colours_and_in_a_longer_log(case: FailingCheck) -> None:
    printed = render_in_a_terminal(case.template, ELSEWHERE)
    assert read(printed, ELSEWHERE.root) == read(render(case.template, HERE))


@by_case
def test_fault_is_the_same_with_other_line_ends(case: FailingCheck) -> None:
    assert read(render_with_returns(case.template, HERE)) == read(render(case.template, HERE))


@pytest.mark.parametrize(("case", "number"), CHANGES)
def test_other_fault_of_the_tool_has_another_signature(case: FailingCheck, number: int) -> None:
    changed = case.change(number)
    assert read(render(changed, HERE)) != read(render(case.template, HERE))
    assert read(render(changed, THERE), THERE.root) != read(render(case.template, HERE))


@by_case
def test_end_of_the_output_is_enough_where_it_holds_the_fault(case: FailingCheck) -> None:
    whole = "\n".join(f"line {number} of a log" for number in range(60)) + "\n" + render(case.template, HERE)
    cut = whole.split("\n")[-31 - case.template.count("\n") :]
    assert read("\n".join(cut)) == read(render(case.template, HERE))


def test_faults_of_one_output_are_told_apart_by_their_tests() -> None:
    signature = read_signature(render(CASES["python/pytest-parametrised"].template, HERE), HERE.root)
    assert signatures.tests_of(signature) == {
        "tests/test_rate.py::test_rate[de-19]",
        "tests/test_rate.py::test_rate[fr-20]",
    }


def test_headline_names_test_error_and_how_many_more() -> None:
    signature = read_signature(render(CASES["python/unittest-two"].template, HERE), HERE.root)
    assert (
        headline(signature)
        == "test_map.MapTest.test_one failed with AssertionError: False is not true (and 1 more)"
    )


def test_every_reader_reads_a_case() -> None:
    formats = {read_signature(render(case.template, HERE), HERE.root)[0] for case in CASES.values()}
    assert formats == {name for name, *_ in signatures._READERS}


@pytest.mark.parametrize("text", ["", "Exit code 1", "\n\n", "\x1b[0m"])
def test_output_without_a_word_has_a_signature_without_faults(text: str) -> None:
    assert read_signature(text)[1] == ()


def test_long_output_is_read_in_some_milliseconds() -> None:
    noise = "".join(f"2024-05-09 12:00:01 INFO served /a/{n}/b.py:12 in {n}ms\n" for n in range(700))
    text = noise + render(CASES["python/pytest-quiet"].template, HERE)
    assert len(text) > 30_000
    start = process_time()
    for _ in range(5):
        read_signature(text, HERE.root)
    assert (process_time() - start) / 5 < 0.05
