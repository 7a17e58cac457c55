"""What a check printed, and the line that ran it, are read whatever they hold, in time that grows with their length."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_hooks.sessions.checks import find_checks
from engram_hooks.sessions.outcomes import FAILED, PASSED, UNKNOWN, judge
from engram_hooks.sessions.shellwords import split_commands
from engram_hooks.sessions.signatures import MAX_CHARS, headline, read_signature
from engram_hooks.sessions.stable import normalise
from tests.support.failing_checks import HERE, read_cases, render

LINES = sorted({line for case in read_cases() for line in render(case.template, HERE).split("\n")})
WORDS = (
    "pytest npm run test && || ; | & ( ) { } $( ` ' \" \\ < << > # bash -c docker exec -- env A=1 cd nx -t make"
    " find -exec xargs"
).split()
PIPED = ("test", "pytest", (), True)

output = st.lists(st.one_of(st.sampled_from(LINES), st.text(max_size=40)), max_size=25).map("\n".join)
command = st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=6)), max_size=25).map(" ".join)


@given(output)
def test_any_output_has_a_signature(text: str) -> None:
    signature = read_signature(text, HERE.root)
    assert len(signature[2]) == 16
    assert headline(signature)
    assert all(len(fault) == 4 for fault in signature[1])


@given(output)
def test_signature_is_the_same_when_read_again(text: str) -> None:
    assert read_signature(text, HERE.root) == read_signature(text, HERE.root)


@given(output, st.booleans())
def test_any_output_is_judged(text: str, is_failure: bool) -> None:
    assert judge(PIPED, text, is_failure=is_failure) in {PASSED, FAILED, UNKNOWN}


@given(st.one_of(command, st.text(max_size=200)))
def test_any_line_is_split_and_searched(line: str) -> None:
    assert all(words for words, _ in split_commands(line))
    assert all(len(check) == 4 and check[1] for check in find_checks(line))


@given(st.text())
def test_steady_text_stays_as_it_is(text: str) -> None:
    assert len(normalise(text)) <= 400


def spent(read: Callable[[str], object], text: str) -> float:
    start = process_time()
    read(text)
    return process_time() - start


@pytest.mark.parametrize(
    "piece",
    ["a" * 50, "a:1:", "E   x\n", "1) a\n  b\n", "(", "    at f (a.js:1:2)\n", "\x1b[1m", "0x1 ", " > "],
)
@pytest.mark.parametrize(
    "read",
    [
        pytest.param(read_signature, id="signature"),
        pytest.param(lambda text: judge(PIPED, text, is_failure=True), id="outcome"),
        pytest.param(find_checks, id="checks"),
    ],
)
def test_time_grows_with_the_length_at_most(read: Callable[[str], object], piece: str) -> None:
    short, long = (piece * (size // len(piece)) for size in (100_000, 1_000_000))
    least = min(spent(read, short) for _ in range(2))
    assert spent(read, long) < 20 * least + 0.25


def test_output_beyond_the_limit_is_read_at_its_ends() -> None:
    case = next(case for case in read_cases() if case.name == "python/pytest-quiet")
    text = "x\n" * MAX_CHARS + render(case.template, HERE)
    assert read_signature(text, HERE.root)[1] == case.faults
