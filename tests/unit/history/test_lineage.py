"""Lines carried back through the versions of a file: branches, merges, circles, what is known already."""

from __future__ import annotations

from engram_hooks.history.edits import Edit
from engram_hooks.history.lineage import Link, Version, trace_file, trace_lines


def version(name: str) -> Version:
    return 1, name.encode()


def link(commit_id: int, before: str | None, *edits: Edit) -> Link:
    return Link(commit_id, version(before) if before else None, list(edits), [edit[3] for edit in edits])


# a file of ten lines; 2 changes line 3, 3 changes line 8, 4 merges both, 5 takes back what 2 did
LINKS = {
    "first": [link(1, None, (0, 0, 0, 10)), link(5, "left", (3, 4, 3, 4))],
    "left": [link(2, "first", (3, 4, 3, 4))],
    "right": [link(3, "first", (8, 9, 8, 9))],
    "both": [link(0, "left", (8, 9, 8, 9)), link(0, "right", (3, 4, 3, 4))],
}


def links_to(asked: Version) -> list[Link]:
    return LINKS.get(asked[1].decode(), [])


def test_each_line_has_the_commits_of_the_branch_that_wrote_it() -> None:
    lines = {0: (3, 4), 1: (8, 9), 2: (5, 6), 3: (0, 10)}
    found = trace_lines(version("both"), lines, links_to)
    assert {key: set(commits) for key, commits in found.items()} == {
        0: {1, 2, 5},
        1: {1, 3},
        2: {1},
        3: {1, 2, 3, 5},
    }


def test_lines_that_come_on_two_ways_count_once() -> None:
    assert trace_lines(version("both"), {0: (0, 10)}, links_to)[0][1] == (10, 0)


def test_what_is_known_of_the_same_lines_is_not_traced_again() -> None:
    known = {version("left"): {(3, 4): {9: (7, 7)}}}
    found = trace_lines(version("both"), {0: (3, 4)}, links_to, known_of=lambda asked: known.get(asked, {}))
    assert found[0][9] == (7, 7)
    other = {version("left"): {(2, 4): {9: (7, 7)}}}
    assert (
        9
        not in trace_lines(
            version("both"), {0: (3, 4)}, links_to, known_of=lambda asked: other.get(asked, {})
        )[0]
    )


def test_the_commits_of_a_file_are_those_of_all_its_versions() -> None:
    assert sorted(trace_file(version("both"), links_to)) == [1, 2, 3, 5]
    assert trace_file(version("unknown"), links_to) == []


def test_where_there_are_no_lines_nothing_is_carried() -> None:
    binary = [Link(7, version("first"), None, [])]
    assert trace_lines(version("x"), {0: (0, 1)}, lambda asked: binary if asked == version("x") else []) == {
        0: {}
    }
