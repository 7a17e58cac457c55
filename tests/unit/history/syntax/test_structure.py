"""The structural parser finds what is there, whatever stands in literals and comments."""

from __future__ import annotations

import pytest

from engram_hooks.history.languages import language_of
from engram_hooks.history.syntax.structure import parse_structure
from tests.support.source_fixtures import FIXTURES


def listed(path: str, text: str) -> list[str]:
    symbols = parse_structure(language_of(path), text)
    return [f"{one.qualified} {one.kind} {one.line}-{one.end}" for one in symbols]


@pytest.mark.parametrize("path", FIXTURES)
def test_symbols_are_found(path: str) -> None:
    text, expected = FIXTURES[path]
    assert listed(path, text) == expected.splitlines()


@pytest.mark.parametrize("path", FIXTURES)
def test_line_ends_of_windows_change_nothing(path: str) -> None:
    text, expected = FIXTURES[path]
    assert listed(path, text.replace("\n", "\r\n")) == expected.splitlines()
