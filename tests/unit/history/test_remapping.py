"""Where lines stand in another version."""

from __future__ import annotations

from engram_hooks.history.remapping import join_lines, map_lines


def test_lines_are_found_where_they_went() -> None:
    assert map_lines(["a", "b", "c", "d"], ["x", "a", "b", "y", "d "]) == {1: 2, 2: 3, 4: 5}
    assert map_lines(["a", "b"], ["a", "b"]) == {1: 1, 2: 2}
    assert map_lines(["a", "b\r"], ["b", "c"]) == {2: 1}


def test_nothing_is_found_where_nothing_is() -> None:
    assert map_lines([], ["a"]) == map_lines(["a"], []) == map_lines(["a"], ["b"]) == {}


def test_lines_become_ranges() -> None:
    assert join_lines([1, 2, 3, 7, 9, 10]) == [(1, 3), (7, 7), (9, 10)]
    assert join_lines([]) == []
