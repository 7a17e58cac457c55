"""The owners of lines carried through edits."""

from __future__ import annotations

from engram_hooks.history.edits import Edit
from engram_hooks.history.ownership import UNKNOWN, apply_edits


def test_edited_lines_have_a_new_owner_and_the_others_keep_theirs() -> None:
    edits: list[Edit] = [(1, 2, 1, 3), (4, 4, 5, 6)]
    assert apply_edits([1, 1, 2, 2, 3], edits, 9) == [1, 9, 9, 2, 2, 9, 3]
    assert apply_edits([1, 2], [], 9) == [1, 2]


def test_lines_that_are_older_than_what_is_known_have_no_owner() -> None:
    assert apply_edits([], [(3, 4, 3, 5)], 9) == [UNKNOWN] * 3 + [9, 9]
