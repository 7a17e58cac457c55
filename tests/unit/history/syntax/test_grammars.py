"""Grammars, where installed, give what the structural parser gives."""

from __future__ import annotations

import time

import pytest

from engram_hooks.history.languages import language_of
from engram_hooks.history.symbols import parse
from engram_hooks.history.syntax.grammar_tables import GRAMMARS, NODES
from engram_hooks.history.syntax.grammars import MAX_DEPTH, MAX_LINE_CHARS, GrammarReader
from engram_hooks.history.syntax.structure import PARSED, parse_structure
from tests.support.source_fixtures import FIXTURES

# Half of a conditional, and a primary constructor on a line of its own: the grammars meet errors there, and the
# structural parser is asked instead.
UNREAD = {"a.c", "a.kt"}


@pytest.mark.parametrize("path", FIXTURES)
def test_both_readers_agree(path: str) -> None:
    pytest.importorskip("tree_sitter", reason="tree-sitter is not installed")
    pytest.importorskip(GRAMMARS[language_of(path)][0], reason="the grammar is not installed")
    text = FIXTURES[path][0]
    found = GrammarReader().parse(language_of(path), text)
    expected = parse_structure(language_of(path), text)
    assert found == expected or (path in UNREAD and found is None)


def test_every_language_has_both_readers() -> None:
    assert set(GRAMMARS) == set(NODES) == PARSED


def test_without_a_grammar_there_is_nothing() -> None:
    assert GrammarReader().parse("cobol", "x") is None


@pytest.mark.parametrize("path", FIXTURES)
def test_parse_gives_the_same_with_and_without(path: str) -> None:
    text = FIXTURES[path][0]
    assert parse(path, text) == parse_structure(language_of(path), text)


def test_a_grammar_that_takes_too_long_is_left() -> None:
    pytest.importorskip("tree_sitter_go", reason="the grammar is not installed")
    ticks = iter(range(0, 10**9, 3600))
    assert GrammarReader(lambda: float(next(ticks))).parse("go", "func a() {}\n" * 20_000) is None


@pytest.mark.parametrize("language", sorted(GRAMMARS))
@pytest.mark.parametrize(
    "piece", ["(", "{", "[", "a<", "%q(", "{a(", "/[", "`", "(a) => {", "template<", "a<\n", "{\n"]
)
def test_grammars_keep_to_their_budget_on_hostile_text(language: str, piece: str) -> None:
    pytest.importorskip("tree_sitter", reason="tree-sitter is not installed")
    pytest.importorskip(GRAMMARS[language][0], reason="the grammar is not installed")
    text = piece * (30_000 // len(piece)) + "\nx" * 100
    reader = GrammarReader()
    reader.parse(language, "x")
    started = time.process_time()
    reader.parse(language, text)
    # what the budget allows, and as much again for the step at its end
    assert time.process_time() - started < 2 * (0.3 + len(text) / 250_000)


@pytest.mark.parametrize(
    ("body", "is_read"),
    [
        pytest.param("{" * (MAX_DEPTH - 1) + "}" * (MAX_DEPTH - 1), True, id="deep"),
        pytest.param("{" * (MAX_DEPTH + 1) + "}" * (MAX_DEPTH + 1), False, id="too deep"),
        pytest.param("a < b;\n" * 1_000, True, id="comparisons"),
        pytest.param("f(a < b);\n" * 1_000, True, id="comparisons in calls"),
        pytest.param("a" + " + a" * (MAX_LINE_CHARS // 4 - 40) + ";", True, id="long line"),
        pytest.param("a" + " + a" * (MAX_LINE_CHARS // 4) + ";", False, id="too long line"),
    ],
)
def test_what_is_nested_too_deep_is_left_to_the_structural_parser(body: str, is_read: bool) -> None:
    pytest.importorskip("tree_sitter_javascript", reason="the grammar is not installed")
    assert (GrammarReader().parse("javascript", f"function f() {{ {body} }}\n") is not None) == is_read
