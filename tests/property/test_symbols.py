"""Any text has symbols that lie within it and in one another, or none; reading it takes linear time."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram_hooks.history.symbols import Symbol, enclosing, parse
from engram_hooks.history.syntax.structure import parse_structure
from tests.support.bare_start import bare_start_s
from tests.support.source_fixtures import FIXTURES

PATHS = [*FIXTURES, "a.py", "a.tsx", "a.js"]
PIECES = st.sampled_from(
    [
        *"(){}[]<>;:,=.#'\"`/\\|&!?@$%~*+- \n\t\r\f",
        *"def class function fn func if else end do begin => -> == // /* */".split(),
        *'${ #{ <<A A <<~B B R"x( )x" \'\'\' """'.split(),
        *"struct impl for type interface enum namespace template operator return new public static async".split(),
        *"module trait object val var let const union record where extends case while #if #else #endif".split(),
        *"name Name é ﬁ 0 \ufeff \x00 \udc80 \u2028 \\\n \n\n    ".split(" "),
    ]
)
SOUP = st.lists(PIECES, max_size=120).map("".join)
BROKEN = st.tuples(st.sampled_from([text for text, _ in FIXTURES.values()]), st.integers(0, 900), SOUP).map(
    lambda parts: parts[0][: parts[1]] + parts[2] + parts[0][parts[1] + 3 :]
)
HOSTILE = [
    "{", "}", "(", "[", '"', "'", "`", "`${", "/", "/*", "<", "a<", "def a\n", "class A\n", "fn a ", "function a(",
    "type A = ", "const a = () => ", "#if x\n", "#{", "<<A\n", "%q(", '"#{', "'\\'", '"\\"', "=>", "a:", "template<",
    "operator ", "A::", "$(", '"$(', "${", "if a then ", "x = a ? ", "@A(", "impl a for ", "a(b) ", "fun a() = ",
    "def a = ", "public a ", 'R"(', "r#\"", "'a", "(a) => {", "{a(", "/[", "a.b.", "int a(b) c(", "union ",
]  # fmt: skip


def check(symbols: list[Symbol], text: str) -> None:
    """Assert that lines lie within the file and in the symbols around."""
    lines = text.count("\n") + 1
    assert [one.start for one in symbols] == sorted(one.start for one in symbols)
    for one in symbols:
        assert 1 <= one.start <= one.line <= one.end <= lines
        assert one.name
        assert one.qualified.endswith(one.name)


@given(path=st.sampled_from(PATHS), text=st.text(max_size=300) | SOUP | BROKEN)
@settings(max_examples=400, deadline=None)
def test_any_text_is_read(path: str, text: str) -> None:
    symbols = parse(path, text)
    check(symbols, text)
    for number in range(1, text.count("\n") + 2):
        found = enclosing(symbols, number)
        assert found is None or found.start <= number <= found.end


@pytest.mark.parametrize("path", FIXTURES)
def test_symbols_lie_in_one_another(path: str) -> None:
    symbols = parse(path, FIXTURES[path][0])
    check(symbols, FIXTURES[path][0])
    for number, inner in enumerate(symbols):
        around = [one for one in symbols[:number] if one.end >= inner.start]
        assert all(one.end >= inner.end for one in around)


@pytest.mark.parametrize(
    "language", ["typescript", "go", "rust", "java", "c", "csharp", "ruby", "php", "kotlin", "scala", "shell"]
)
@pytest.mark.parametrize("piece", HOSTILE)
def test_time_is_linear_in_hostile_text(language: str, piece: str) -> None:
    parse_structure(language, "x")
    started = time.process_time()
    parse_structure(language, ("x\n" + piece * 40) * 120)
    parse_structure(language, piece * (30_000 // len(piece)) + "\nx" * 100)
    assert time.process_time() - started < 300 * bare_start_s()
