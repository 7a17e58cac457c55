"""Where the lines of one version of a file stand in another."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

MAX_LINES = 20_000  # of what differs; beyond, only the ends are matched


def map_lines(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """Line of `old` -> line of `new`, from 1, for the lines that both have; white space at the end says nothing."""
    before, after = [line.rstrip() for line in old], [line.rstrip() for line in new]
    size = min(len(before), len(after))
    start = next((at for at in range(size) if before[at] != after[at]), size)
    end = next((at for at in range(size - start) if before[-1 - at] != after[-1 - at]), size - start)
    found = {at: at for at in range(1, start + 1)}
    found.update((len(before) - at, len(after) - at) for at in range(end))
    middle = before[start : len(before) - end], after[start : len(after) - end]
    if all(middle) and max(map(len, middle)) <= MAX_LINES:
        for a, b, count in SequenceMatcher(None, *middle).get_matching_blocks():
            found.update((start + a + at + 1, start + b + at + 1) for at in range(count))
    return found


def join_lines(lines: Sequence[int]) -> list[tuple[int, int]]:
    """Ascending lines as (first, last) ranges."""
    ranges: list[tuple[int, int]] = []
    for line in lines:
        if ranges and line == ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], line)
        else:
            ranges.append((line, line))
    return ranges
