"""Which lines of a text a commit left there, which a change takes out, and which come back."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_hooks.recall.carried import (
    find_carried,
    find_removed,
    find_returned,
    is_filler,
    is_telling,
    join_ranges,
)
from engram_hooks.store.index_briefs import line_key
from tests.support.bare_start import bare_start_s

HEAD = [
    "def charge(order):",
    "    if order.paid:",
    "        return None",
    "    key = order.key",
    "    for attempt in range(5):",
    "        send(order, key)",
    "        return None",
    "    log(order)",
    "    return None",
]
FIX = (2, 3, 4)
OTHER = (6, 7)


def own(lines: Sequence[int], head: Sequence[str] = HEAD) -> list[tuple[int, int]]:
    """Return what a guard keeps of lines (from 1) of a head."""
    return [(line, line_key(head[line - 1])) for line in lines]


def carried(texts: Sequence[str], *owned: Sequence[tuple[int, int]], first_line: int = 0) -> list[list[int]]:
    """Return the positions of the guards' lines in a text."""
    return find_carried(texts, [line_key(text) for text in texts], owned, first_line=first_line)


def test_owned_lines_are_found_where_they_stand() -> None:
    assert carried(HEAD, own(FIX), own(OTHER)) == [[1, 2, 3], [5, 6]]


def test_owned_lines_are_found_where_they_moved_to() -> None:
    texts = ["import os", "", *(f"    {line}" for line in HEAD)]
    assert carried(texts, own(FIX), own(OTHER)) == [[3, 4, 5], [7, 8]]


def test_part_of_the_text_finds_its_part() -> None:
    assert carried(HEAD[3:6], own(FIX), own(OTHER)) == [[0], [2]]


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param([], id="nothing"),
        pytest.param(["", "}", "        return None", "else:"], id="fillers"),
        pytest.param(["    return None"], id="an owned filler alone"),
        pytest.param(["    key = other.key", "def send(order):"], id="lines of others"),
    ],
)
def test_text_without_owned_lines_finds_none(texts: list[str]) -> None:
    assert carried(texts, own(FIX), own(OTHER)) == [[], []]


def test_filler_counts_next_to_a_telling_line_only() -> None:
    texts = [
        "        return None",
        "    if order.paid:",
        "        return None",
        "    x()",
        "        return None",
    ]
    assert carried(texts, own((2, 3))) == [[1, 2]]


def test_filler_of_another_commit_is_not_taken_along() -> None:
    assert carried(HEAD, own((2,)), own((3,))) == [[1], []]


def test_of_equal_lines_the_one_at_its_distance_is_taken() -> None:
    head = ["    self.close()", "    open_door(7)", "    self.close()", "    leave()", "    self.close()"]
    texts = ["import os", *head]
    assert carried(texts, own((2, 5), head)) == [[2, 5]]
    assert carried(texts, own((2, 3), head)) == [[2, 3]]


def test_line_numbers_tell_equal_lines_apart_where_nothing_else_does() -> None:
    texts = ["self.close()", "a = b + 1", "self.close()", "c = d + 1"]
    assert carried(texts, own((3,), texts), first_line=1) == [[2]]
    assert carried(texts[1:], own((3,), texts), first_line=2) == [[1]]


def test_as_many_equal_lines_as_are_owned_are_all_found() -> None:
    texts = ["self.close()", "a = b + 1", "self.close()"]
    assert carried(texts, own((1, 3), texts)) == [[0, 2]]


def test_text_that_stands_everywhere_is_known_by_its_neighbours_only() -> None:
    texts = ["self.close()"] * 30
    assert carried(texts, own(range(1, 31), texts)) == [[]]
    assert carried([*texts, "open_door(7)"], own((30, 31), [*texts, "open_door(7)"])) == [[29, 30]]


def test_long_texts_take_little_time() -> None:
    texts = [f"call_{number % 50}(order)" for number in range(20_000)]
    started = time.process_time()
    carried(texts, *(own(range(first, 20_000, 40), texts) for first in range(1, 20)), first_line=1)
    assert time.process_time() - started < 60 * bare_start_s()


TEXTS = st.lists(st.sampled_from([*HEAD, "", "}", "other()"]), max_size=30)


@given(TEXTS, st.lists(st.sets(st.integers(1, 40), max_size=9), max_size=4), st.integers(0, 50))
def test_every_position_belongs_to_one_guard_and_its_own_text(
    texts: list[str], guards: list[set[int]], first_line: int
) -> None:
    owned = [[(line, line_key(HEAD[line % len(HEAD)])) for line in sorted(lines)] for lines in guards]
    found = carried(texts, *owned, first_line=first_line)
    assert [len(found), [sorted(one) for one in found]] == [len(guards), found]
    positions = [at for one in found for at in one]
    assert len(set(positions)) == len(positions)
    for lines, one in zip(owned, found, strict=True):
        assert {line_key(texts[at]) for at in one} <= {key for _, key in lines}
        assert not one or any(not is_filler(texts[at]) for at in one)


@given(st.integers(1, len(HEAD)), st.integers(1, len(HEAD)))
def test_whole_head_finds_exactly_what_is_owned(first: int, last: int) -> None:
    lines = range(min(first, last), max(first, last) + 1)
    found = carried(HEAD, own(lines), first_line=1)[0]
    if any(not is_filler(HEAD[line - 1]) for line in lines):
        assert found == [line - 1 for line in lines]
    else:
        assert found == []


@pytest.mark.parametrize(
    "text", ["", "  ", "}", "});", "return", "else:", "} else {", "return None;", "x)", "end", "pass"]
)
def test_lines_that_say_little_are_fillers(text: str) -> None:
    assert is_filler(text)


@pytest.mark.parametrize(
    "text", ["return key", "raise ValueError", "x = 1234", "key = order.key", "名前 = 読む(鍵)"]
)
def test_lines_that_say_something_are_no_fillers(text: str) -> None:
    assert not is_filler(text)


@pytest.mark.parametrize(
    ("old", "new", "removed"),
    [
        pytest.param("a\nb\nc", "a\nc", [1], id="one goes"),
        pytest.param("a\nb\nc", "a\nB\nc", [1], id="one changes"),
        pytest.param("a\nb", "", [0, 1], id="all go"),
        pytest.param("a\nb\na\nc", "b\na\nc", [0], id="the first of equal ones goes"),
        pytest.param("x\na\nb\nc\ny", "x\nb\nd\ny", [1, 3], id="two of three"),
        pytest.param('a(" # b")', 'a(" # c")', [0], id="what only looks like a comment"),
    ],
)
def test_lines_that_go_are_found(old: str, new: str, removed: list[int]) -> None:
    assert find_removed(old.split("\n"), new.split("\n")) == removed


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("a\nb", "a\nb", id="nothing changes"),
        pytest.param("a\nb", "a\nx\nb", id="a line comes"),
        pytest.param("a\nb", "if x:\n    a\n    b", id="lines are indented"),
        pytest.param("a\nb\nc", "c\na\nb", id="lines move"),
        pytest.param("a\n\nb", "a\nb", id="a blank line goes"),
        pytest.param("a  =  1\r", "a = 1", id="space changes"),
        pytest.param("", "a", id="there was nothing"),
        pytest.param("a(b)", "a(b)  # type: ignore[x]", id="a comment comes behind it"),
        pytest.param("a(b); // old", "a(b); // new", id="a comment behind it changes"),
    ],
)
def test_lines_that_stay_are_not_removed(old: str, new: str) -> None:
    assert find_removed(old.split("\n"), new.split("\n")) == []


GONE = ["cache = {}", "if key in cache:", "    return cache[key]"]


@pytest.mark.parametrize(
    ("added", "gone", "found"),
    [
        pytest.param(GONE, GONE, [0, 1, 2], id="all comes back"),
        pytest.param(["cache = {}", "x = 1 + y", "    if key in cache:"], GONE, [0, 2], id="two come back"),
        pytest.param(["if key in cache:"], GONE[1:2], [0], id="the only line comes back"),
    ],
)
def test_lines_that_come_back_are_found(added: list[str], gone: list[str], found: list[int]) -> None:
    assert (
        find_returned(added, [line_key(text) for text in added], {line_key(text) for text in gone}) == found
    )


@pytest.mark.parametrize(
    "added",
    [
        pytest.param([], id="nothing"),
        pytest.param(["if key in cache:"], id="one of three"),
        pytest.param(["if key in cache:", "if key in cache:"], id="one, twice"),
        pytest.param(["return", "}", ""], id="fillers"),
        pytest.param(["store = {}", "if key in store:"], id="other lines"),
    ],
)
def test_lines_that_are_new_do_not_come_back(added: list[str]) -> None:
    gone = {line_key(text) for text in [*GONE, "return", "}", ""]}
    assert find_returned(added, [line_key(text) for text in added], gone) == []


@pytest.mark.parametrize(
    ("positions", "ranges"),
    [
        pytest.param([], [], id="none"),
        pytest.param([0, 1, 2, 5], [(1, 3), (6, 6)], id="two"),
        pytest.param([3, 5, 8], [(4, 6), (9, 9)], id="a blank line between"),
    ],
)
def test_positions_make_ranges(positions: list[int], ranges: list[tuple[int, int]]) -> None:
    texts = ["a", "b", "c", "d", " ", "e", "f", "g", "h"]
    assert join_ranges(positions, texts, first=1) == ranges


@pytest.mark.parametrize(
    "texts", [["}", "return"], ["import a", "a()"], ["*p = 1;"], ["# a", "a(b)"], ["--x;"]]
)
def test_code_tells_something(texts: list[str]) -> None:
    assert is_telling(texts)


@pytest.mark.parametrize(
    "texts",
    [
        [],
        ["", "  }", ");"],
        ["  # a word"],
        ["// a", " * b", "/* c */"],
        ["<!-- d -->"],
        ["import os"],
        ["#include <a.h>"],
    ],
)
def test_layout_comments_and_imports_tell_nothing(texts: list[str]) -> None:
    assert not is_telling(texts)
