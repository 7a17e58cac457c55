"""Which of several commits gave a file the content in which another one found it."""

from __future__ import annotations

from engram_hooks.history.topology import Ancestry, read_ancestry

ONE, TWO = b"1", b"2"


def test_the_newest_maker_before_a_commit_counts() -> None:
    # 4 brings back what 2 had: the head found it as 4 made it, 3 as 2 did
    line = Ancestry({5: [4], 4: [3], 3: [2], 2: [1], 1: []}, head=5)
    made = {4: ONE, 3: TWO, 2: ONE}
    assert line.find_maker(0, made, ONE) == 4
    assert line.find_maker(3, made, ONE) == 2
    assert line.find_maker(2, made, ONE) == 0


def test_of_the_sides_of_a_merge_the_first_that_has_the_content_counts() -> None:
    # 4 merges 2 and 3, which both made the same
    both = Ancestry({4: [2, 3], 3: [1], 2: [1], 1: []}, head=4)
    assert both.find_maker(0, {2: ONE, 3: ONE}, ONE) == 2
    assert both.find_maker(0, {2: TWO, 3: ONE}, ONE) == 3
    assert both.find_maker(0, {2: TWO, 3: TWO}, ONE) == 0


def test_the_graph_is_read_from_names() -> None:
    rows = [(7, b"aa", b"bbcc"), (8, b"bb", b"dd"), (9, b"cc", b"")]
    assert read_ancestry(rows) == Ancestry({7: [8, 9], 8: [], 9: []}, head=7)
    assert read_ancestry([]) == Ancestry({}, head=0)
