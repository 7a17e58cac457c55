"""Lines carried through changes: as git's own rule says, line by line."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from engram_hooks.history.edits import (
    Edit,
    carry_back,
    pack_edits,
    pack_sides,
    unpack_edits,
    unpack_sides,
)

steps = st.tuples(st.integers(1, 300), st.integers(0, 3), st.integers(0, 300)).filter(
    lambda step: any(step[1:])
)


@st.composite
def edit_lists(draw: st.DrawFn) -> list[Edit]:
    edits: list[Edit] = []
    old = new = 0
    for gap, gone, added in draw(st.lists(steps, max_size=8)):
        old, new = old + gap, new + gap
        edits.append((old, old + gone, new, new + added))
        old, new = old + gone, new + added
    return edits


@given(edit_lists())
def test_packed_edits_come_back(edits: list[Edit]) -> None:
    assert unpack_edits(pack_edits(edits)) == edits
    sides = [(b"12345678", edits), (None, edits[:1])]
    assert unpack_sides(pack_sides(sides)) == sides


@given(edit_lists(), st.integers(0, 500), st.integers(1, 300))
def test_carrying_lines_back_is_what_git_does_for_each_line(edits: list[Edit], start: int, size: int) -> None:
    end = start + size
    met = [edit for edit in edits if edit[2] < end and start < edit[3]]
    expected: set[int] = set()
    for line in range(start, end):
        if not any(edit[2] <= line < edit[3] for edit in met):
            before = [edit for edit in edits if edit[3] <= line]
            expected.add(line + (before[-1][1] - before[-1][3] if before else 0))
    for edit in met:
        expected |= set(range(edit[0], edit[1]))
    found, added, removed = carry_back((start, end), edits)
    assert {line for first, last in found for line in range(first, last)} == expected
    assert added == sum(min(edit[3], end) - max(edit[2], start) for edit in met)
    assert removed == sum(edit[1] - edit[0] for edit in met)
    assert all(before[1] < after[0] for before, after in itertools.pairwise(found))
