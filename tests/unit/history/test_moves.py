"""Lines that a commit wrote anew without changing them, and those that it did change."""

from __future__ import annotations

import pytest

from engram_hooks.history.changes import FileChange, Hunk
from engram_hooks.history.edits import Run, pack_runs, unpack_runs
from engram_hooks.history.moves import find_moves

BLOCK = (
    "def charge_with_retry(order):",
    "    key = make_key(order.id)",
    "    return gateway.charge(order, key)",
)


def hunk(old_line: int, removed: tuple[str, ...], new_line: int, added: tuple[str, ...]) -> Hunk:
    old_start, new_start = old_line - (not removed), new_line - (not added)
    return Hunk(old_start, len(removed), new_start, len(added), removed, added)


def change(path: str, *hunks: Hunk, is_cut: bool = False) -> FileChange:
    return FileChange("M", path, path, hunks, False, is_cut, old_blob=f"old {path}", blob=f"new {path}")


def find(
    *changes: FileChange, is_bulk: bool = False, is_fix: bool = False
) -> dict[tuple[str, str], list[Run]]:
    found = find_moves(changes, is_bulk=is_bulk, is_fix=is_fix)
    assert all(moved.source_blob == f"old {moved.source}" for moved in found)
    return {(moved.path, moved.source): moved.runs for moved in found}


@pytest.mark.parametrize(
    ("removed", "added", "runs"),
    [
        pytest.param(("a = 1", "b = 2"), ("  a = 1", "  b=2"), [(9, 9, 2)], id="indented"),
        pytest.param(("a = 1",), ("if x:", "    a = 1", "    go()"), [(10, 9, 1)], id="indented within more"),
        pytest.param(("call(a,", "     b)"), ("call(", "    a,", "    b,", ")"), None, id="rewrapped"),
        pytest.param(("say('hello')",), ('say("hello")',), [(9, 9, 1)], id="other quotes"),
        pytest.param(("a = 1  # once",), ("a = 1  # always",), [(9, 9, 1)], id="another remark"),
        pytest.param(("go();",), ("go() // now",), [(9, 9, 1)], id="a remark and no semicolon"),
    ],
)
def test_lines_of_another_layout_are_the_old_ones(
    removed: tuple[str, ...], added: tuple[str, ...], runs: list[Run] | None
) -> None:
    found = find(change("a.py", hunk(10, removed, 10, added)))[("a.py", "a.py")]
    assert found == runs if runs else {new for new, _, _ in found} == {9, 10, 11, 12}


@pytest.mark.parametrize(
    ("removed", "added"),
    [
        pytest.param(("a = 1",), ("a = 2",), id="another value"),
        pytest.param(("url = 'http://a'",), ("url = 'http://b'",), id="no remark within a string"),
        pytest.param(("call(a, b)",), ("call(", "    a,", "    c,", ")"), id="rewrapped and changed"),
        pytest.param(("old_name(value)",), ("new_name(value)",), id="another name"),
        pytest.param((), ("a = 1",), id="only new"),
        pytest.param(("a = 1",), (), id="only gone"),
        pytest.param(("}",), ("}", "  }"), id="braces"),
    ],
)
def test_lines_that_changed_are_new(removed: tuple[str, ...], added: tuple[str, ...]) -> None:
    found = find(change("a.py", hunk(10, removed, 10, added)))
    assert not found or set(removed) <= {"}"}


def test_a_sweep_leaves_lines_to_their_authors_where_most_words_stay() -> None:
    hunks = hunk(1, ("var total = count(items, rate)",), 1, ("const total = count(items, rate)",))
    assert find(change("a.js", hunks), is_bulk=True) == {("a.js", "a.js"): [(0, 0, 1)]}
    assert find(change("a.js", hunks)) == {}
    other = hunk(1, ("var total = count(items)",), 1, ("throw new Error(message)",))
    assert find(change("a.js", other), is_bulk=True) == {}


def test_a_block_that_moves_is_found_within_its_file_and_in_another() -> None:
    taken = hunk(10, BLOCK, 10, ())
    indented = tuple("    " + line for line in BLOCK)
    assert find(change("a.py", taken, hunk(40, (), 37, indented))) == {("a.py", "a.py"): [(36, 9, 3)]}
    assert find(change("a.py", taken), change("b.py", hunk(1, (), 1, BLOCK))) == {
        ("b.py", "a.py"): [(0, 9, 3)]
    }


def test_short_lines_and_single_common_ones_have_not_moved() -> None:
    assert (
        find(change("a.py", hunk(1, ("return x",), 1, ())), change("b.py", hunk(1, (), 1, ("return x",))))
        == {}
    )
    line = ("return self.value()",)
    assert find(change("a.py", hunk(1, line, 1, ())), change("b.py", hunk(1, (), 1, line))) == {}


def test_what_a_fix_moves_is_its_own_unless_it_is_much() -> None:
    moved = hunk(10, BLOCK, 10, ()), hunk(40, (), 37, BLOCK)
    assert find(change("a.py", *moved), is_fix=True) == {}
    much = tuple(f"total_{number} = read_total({number})" for number in range(9))
    assert find(change("a.py", hunk(10, much, 10, ()), hunk(40, (), 31, much)), is_fix=True) == {
        ("a.py", "a.py"): [(30, 9, 9)]
    }


def test_files_without_texts_documents_and_lock_files_are_left_alone() -> None:
    hunks = hunk(1, ("a = 1",), 1, ("  a = 1",))
    for path in ("yarn.lock", "README.md", "dist/a.js"):
        assert find(change(path, hunks)) == {}
    assert find(change("a.py", hunks, is_cut=True)) == {}


def test_packed_runs_come_back() -> None:
    runs = [(0, 900, 3), (3, 2, 1), (700, 5, 128)]
    assert unpack_runs(pack_runs(runs)) == runs
    assert unpack_runs(pack_runs([])) == []
