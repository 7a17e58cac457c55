"""Grammars, where installed, give what the structural parser gives."""

from __future__ import annotations

import pytest

from engram_hooks.history.languages import language_of
from engram_hooks.history.symbols import parse
from engram_hooks.history.syntax.grammar_tables import GRAMMARS, NODES
from engram_hooks.history.syntax.grammars import GrammarReader
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
