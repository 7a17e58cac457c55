"""What a check says of the code, and when it says nothing."""

from __future__ import annotations

import pytest

from engram_hooks.sessions.outcomes import FAILED, PASSED, UNKNOWN, judge
from tests.support.check_outcomes import Outcome, read_outcomes

PLAIN = ("test", "pytest", (), False)
PIPED = ("test", "pytest", (), True)

FAILURES = (
    "Exit code 1\nFAILED tests/a.py::t - assert 1 == 2\n1 failed, 3 passed in 0.1s",
    "Exit code 1\n--- FAIL: TestX (0.00s)\n    x_test.go:3: got 1\nFAIL",
    "Exit code 101\nerror[E0308]: mismatched types\n --> src/a.rs:1:2",
    "Exit code 2\nsrc/a.ts(1,2): error TS2345: no\nFound 1 error.",
    "Exit code 1",
    "Exit code 1\nFAILED tests/a.py::t - OSError: address already in use\n"
    "FAILED tests/a.py::u - assert 1 == 2\n2 failed",
)
NO_JUDGEMENT = (
    "Exit code 127\n/bin/bash: line 1: pytest: command not found",
    "Exit code 4\nERROR: usage: pytest [options]\npytest: error: unrecognized arguments: --fast",
    'Exit code 1\nnpm ERR! Missing script: "tset"',
    "Exit code 2\nflag provided but not defined: -runn\nusage: go test [build/test flags]",
    "Exit code 1\nError: listen EADDRINUSE: address already in use :::8071",
    "Exit code 101\nerror: failed to write target/debug/x.d: No space left on device (os error 28)",
    "Exit code 1\nERROR: Cannot connect to the Docker daemon at unix:///var/run/docker.sock.",
    "Exit code 5\nno tests ran in 0.01s",
    "Exit code 130\n^C",
    "Exit code 137\nKilled",
)
HIDDEN_RED = (
    "FAILED tests/a.py::t - assert 1 == 2\n1 failed, 3 passed in 0.1s",
    "Tests:       1 failed, 17 passed, 18 total",
    "8 examples, 1 failure",
    "src/a.c:3:5: error: unused variable",
    "✖ 2 problems (2 errors, 0 warnings)",
    "FAIL\tshop/price\t0.01s",
)
HIDDEN_GREEN = (
    "12 passed in 0.5s",
    "8 examples, 0 failures",
    "ok  \tshop\t0.2s",
    "Found 0 errors",
    "BUILD SUCCESSFUL in 3s",
)
HIDDEN_UNKNOWN = ("", "collecting", "see the log for what failed and why")


@pytest.mark.parametrize("text", FAILURES)
def test_failing_check_judges(text: str) -> None:
    assert judge(PLAIN, text, is_failure=True) == FAILED


@pytest.mark.parametrize("text", NO_JUDGEMENT)
def test_check_that_did_not_come_to_judge_says_nothing(text: str) -> None:
    assert judge(PLAIN, text, is_failure=True) == UNKNOWN


@pytest.mark.parametrize("text", HIDDEN_RED)
def test_failure_is_read_where_a_pipe_hides_the_code(text: str) -> None:
    assert judge(PIPED, text, is_failure=False) == FAILED


@pytest.mark.parametrize("text", HIDDEN_GREEN)
def test_success_is_read_where_a_pipe_hides_the_code(text: str) -> None:
    assert judge(PIPED, text, is_failure=False) == PASSED


@pytest.mark.parametrize("text", HIDDEN_UNKNOWN)
def test_nothing_is_made_of_output_that_says_nothing(text: str) -> None:
    assert judge(PIPED, text, is_failure=False) == UNKNOWN


def test_interrupt_is_no_judgement() -> None:
    assert judge(PLAIN, FAILURES[0], is_failure=True, is_interrupt=True) == UNKNOWN


def test_success_without_a_pipe_needs_no_words() -> None:
    assert judge(PLAIN, "", is_failure=False) == PASSED


def by_output(colour: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("run", [pytest.param(run, id=run.name) for run in read_outcomes(colour)])


@by_output("red")
def test_failing_tool_is_told_by_its_output(run: Outcome) -> None:
    piped = (run.kind, *PIPED[1:])
    assert judge(PLAIN, f"Exit code {run.code}\n{run.text}", is_failure=True) == FAILED
    assert judge(piped, run.text, is_failure=False) == FAILED


@by_output("green")
def test_passing_tool_is_told_by_its_output(run: Outcome) -> None:
    assert judge(PLAIN, run.text, is_failure=False) == PASSED
    assert judge(PIPED, run.text, is_failure=False) == PASSED


@by_output("neither")
def test_tool_that_did_not_come_to_judge_says_nothing(run: Outcome) -> None:
    assert judge(PLAIN, f"Exit code {run.code}\n{run.text}", is_failure=True) == UNKNOWN
    assert judge(PIPED, run.text, is_failure=False) == UNKNOWN
