"""What an index tells of a file before it is changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_hooks.store.index_briefs import (
    line_key,
    pack_keys,
    pack_lines,
    unpack_keys,
    unpack_lines,
)

KEYS = st.integers(0, 2**32 - 1)


@given(st.dictionaries(st.integers(1, 2**21), KEYS))
def test_lines_come_back_as_they_were_packed(lines: dict[int, int]) -> None:
    pairs = sorted(lines.items())
    assert unpack_lines(pack_lines(pairs)) == pairs


@given(st.lists(KEYS))
def test_keys_come_back_as_they_were_packed(keys: list[int]) -> None:
    assert unpack_keys(pack_keys(keys)) == keys


@pytest.mark.parametrize("text", ["    return 1", "return 1\r", "\treturn  1 "])
def test_a_line_keeps_its_key_when_only_space_changes(text: str) -> None:
    assert line_key(text) == line_key("return 1")


@pytest.mark.parametrize("text", ["return1", "return 2", "Return 1", ""])
def test_another_line_has_another_key(text: str) -> None:
    assert line_key(text) != line_key("return 1")


def test_a_line_that_is_no_valid_text_has_a_key() -> None:
    assert line_key("name = '\udce9'") != line_key("name = ''")
