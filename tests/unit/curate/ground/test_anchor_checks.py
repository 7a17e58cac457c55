"""Which things that are gone make a note doubtful, and which do not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engram_hooks.curate.ground.anchor_checks import find_fault, look_again, path_of, span_of
from engram_hooks.curate.ground.anchors import Sight
from engram_hooks.history.lines import find_lines, name_lines
from engram_hooks.history.snapshot import Snapshot
from engram_hooks.store.anchors import (
    COMMIT,
    DETAIL,
    FILE,
    GIVEN,
    GLOB,
    GONE,
    LINES,
    NEW,
    PATHS,
    SUMMARY,
    SYMBOL,
    THERE,
    WAIVED,
    Anchor,
)

BLOB, OTHER = "1" * 40, "2" * 40
TEXT = "def charge():\n    pay()\n\n    return 1\n"


def anchor(kind: str = FILE, state: str = GONE, source: str = SUMMARY, ref: str = "a.py") -> Anchor:
    return Anchor(kind, ref, ref, source, state=state)


@pytest.mark.parametrize(
    "anchors",
    [
        pytest.param([anchor()], id="the only file"),
        pytest.param([anchor(), anchor(ref="b.py")], id="all files"),
        pytest.param([anchor(SYMBOL), anchor(state=THERE)], id="a symbol"),
        pytest.param([anchor(LINES), anchor(state=THERE)], id="lines"),
        pytest.param([anchor(COMMIT), anchor(state=THERE)], id="a commit"),
        pytest.param([anchor(source=GIVEN), anchor(state=THERE, source=GIVEN)], id="one of what was given"),
        pytest.param([anchor(GLOB, source=PATHS), anchor(state=THERE)], id="all of its paths"),
        pytest.param([anchor(source=DETAIL)], id="all that the detail names alone"),
    ],
)
def test_note_without_its_ground_is_doubtful(anchors: list[Anchor]) -> None:
    assert find_fault(anchors)


@pytest.mark.parametrize(
    "anchors",
    [
        pytest.param([], id="nothing"),
        pytest.param([anchor(state=THERE)], id="all is there"),
        pytest.param([anchor(), anchor(state=THERE, ref="b.py")], id="one file is left"),
        pytest.param([anchor(SYMBOL, source=DETAIL), anchor(state=THERE)], id="detail beside the summary"),
        pytest.param([anchor(state=WAIVED)], id="a person keeps it"),
        pytest.param([anchor(state=NEW, source=GIVEN)], id="not committed yet"),
        pytest.param([anchor(source=PATHS), anchor(GLOB, THERE, PATHS, "b/")], id="a folder is left"),
    ],
)
def test_note_with_some_ground_holds(anchors: list[Anchor]) -> None:
    assert find_fault(anchors) == []


def sight(files: dict[str, str], texts: dict[str, str] | None = None) -> Sight:
    view = Snapshot("/nowhere", ())
    view.hold(files)
    return Sight((view,), texts=texts or {})


LINE = Anchor(LINES, "a.py:1-2", "a.py:1-2", SUMMARY, BLOB, name_lines(TEXT, 1, 2))
PLACE = Anchor(SYMBOL, "a.py#charge", "a.py#charge", SUMMARY, BLOB)


@pytest.mark.parametrize(
    ("before", "text", "place"),
    [
        pytest.param(LINE, "\n# more\n" + TEXT, "a.py:3-4", id="lines moved"),
        pytest.param(LINE, "\tdef  charge():\n\n\n\t\tpay()\n", "a.py:1-4", id="lines spread"),
        pytest.param(PLACE, "# more\n" + TEXT, "a.py#charge", id="symbol moved"),
        pytest.param(
            PLACE, "class Till:\n    def charge(self):\n        pass\n", "a.py#charge", id="a method now"
        ),
    ],
)
def test_what_moved_is_there(before: Anchor, text: str, place: str) -> None:
    now = look_again(before, sight({"a.py": OTHER}, {OTHER: text}))
    assert now == replace(before, place=place, blob=OTHER)
    assert look_again(now, sight({"a.py": OTHER}, {OTHER: text})) == now


@pytest.mark.parametrize("before", [LINE, PLACE], ids=["lines", "symbol"])
def test_what_is_gone_is_gone_and_comes_back(before: Anchor) -> None:
    gone = look_again(before, sight({"a.py": OTHER}, {OTHER: "nothing\n"}))
    assert gone == replace(before, state=GONE)
    assert look_again(gone, sight({"a.py": BLOB}, {BLOB: TEXT})) == before
    assert look_again(before, sight({})) == gone


@pytest.mark.parametrize("state", [THERE, GONE, WAIVED])
@pytest.mark.parametrize("before", [LINE, PLACE], ids=["lines", "symbol"])
def test_what_nobody_can_read_stays_what_it_was(before: Anchor, state: str) -> None:
    known = replace(before, state=state)
    assert look_again(known, sight({"a.py": OTHER})) == known


def test_what_was_never_there_waits() -> None:
    new = Anchor(FILE, "new.py", "new.py", GIVEN, state=NEW)
    assert look_again(new, sight({"a.py": BLOB})) == new
    assert look_again(new, sight({"new.py": BLOB})).state == THERE


def test_parts_of_places_are_read() -> None:
    assert (path_of(LINE), span_of(LINE), path_of(PLACE)) == ("a.py", (1, 2), "a.py")


@pytest.mark.parametrize("text", ["", "\n\n", "   \n\t\n"])
def test_blank_lines_have_no_name(text: str) -> None:
    assert name_lines(text, 1, 2) == ""


def test_equal_lines_are_found_next_to_where_they_were() -> None:
    text = "x\n" * 3 + "call()\n" + "x\n" * 9 + "call()\n"
    name = name_lines(text, 14, 14)
    assert [find_lines(text, name, near=near) for near in (1, 12)] == [(4, 4), (14, 14)]
    assert find_lines("x\n", name) is None
