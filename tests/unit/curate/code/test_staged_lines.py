"""Lines that go and come: those that only move, change their spaces or were meant to are no news."""

from __future__ import annotations

import pytest

from engram_hooks.curate.code.staged_lines import Line, read_lines
from engram_hooks.history.changes import FileChange, Hunk


def hunk(removed: list[str], added: list[str], *, old: int = 1, new: int = 1) -> Hunk:
    return Hunk(old, len(removed), new, len(added), tuple(removed), tuple(added))


def change(*hunks: Hunk, path: str = "a.py") -> FileChange:
    return FileChange("M", path, path, hunks, False)


def news(*changes: FileChange, intended: tuple[FileChange, ...] = ()) -> list[tuple[list[str], list[str]]]:
    """Return for each file the texts that go and that come."""
    files = read_lines(changes, intended)
    return [([line.text for line in file.removed], [line.text for line in file.added]) for file in files]


def test_lines_are_numbered_and_say_whether_others_stand_in_their_place() -> None:
    (file,) = read_lines([change(hunk(["a", "b"], ["c"], old=3, new=7), hunk(["d"], [], old=9))])
    assert file.removed == (Line(3, "a", True), Line(4, "b", True), Line(9, "d", False))
    assert file.added == (Line(7, "c", True),)


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param([change(hunk(["x = f(1)"], ["    x = f( 1 )"]))], id="spaces"),
        pytest.param([change(hunk(["f(a, b)"], ["f(", "  a,", "  b)"]))], id="wrapped"),
        pytest.param([change(hunk(["x = 1"], []), hunk([], ["x = 1"]))], id="moved within a file"),
        pytest.param(
            [change(hunk(["x = 1"], [])), change(hunk([], ["\tx=1"]), path="b.py")], id="moved elsewhere"
        ),
        pytest.param([change(hunk(["", "  "], []), hunk([], [""]))], id="blank"),
        pytest.param([change()], id="no lines"),
    ],
)
def test_no_news(changes: list[FileChange]) -> None:
    assert news(*changes) == [([], [])] * len(changes)


def test_line_moves_as_often_as_it_comes_again() -> None:
    found = news(change(hunk(["x = 1", "x = 1", "y"], [])), change(hunk([], ["x = 1", "z"]), path="b.py"))
    assert found == [(["x = 1", "y"], []), ([], ["z"])]


def test_line_that_only_changed_its_spaces_is_no_place_for_another() -> None:
    assert news(change(hunk(["  x = 1"], ["x = 1"]), hunk(["x = 1"], []))) == [(["x = 1"], [])]


def test_what_was_intended_is_no_news() -> None:
    meant = change(hunk(["gone"], ["come"]), path="other.py")
    assert news(change(hunk(["gone", "lost"], ["come", "new"])), intended=(meant,)) == [(["lost"], ["new"])]
