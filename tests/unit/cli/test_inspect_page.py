"""The page of `engram inspect`: whole, self-contained, safe, and the same for the same index."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import combinations
from math import hypot

import pytest

from engram_hooks.cli.coupling_graph import (
    HEIGHT,
    LETTER_WIDTH,
    MAX_NODES,
    WIDTH,
    choose,
    draw,
    place,
    place_labels,
)
from engram_hooks.cli.inspect_page import render
from engram_hooks.history.inspection import Inspection
from engram_hooks.store.index_figures import Bearing, Churn, Pair

EMPTY = frozenset(("meta", "line", "circle"))
HOSTILE = "</title><script>alert(1)</script>\"'\x1b[31m\u202e&.py"


class Page(HTMLParser):
    """The elements of a page, all of which must be closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in EMPTY or tag == "line":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def pair(path: str, other: str, score: float = 0.5, *, is_hidden: bool = False) -> Pair:
    return Pair(path, other, score, 5, 7, is_hidden, True)


def inspection(pairs: list[Pair]) -> Inspection:
    return Inspection(
        head="a" * 40,
        is_shallow=False,
        indexed_at=1,
        age_s=5,
        size_bytes=1000,
        commits=9,
        files=3,
        symbols=2,
        hidden=tuple(one for one in pairs if one.is_hidden),
        pairs=tuple(pairs),
        load_bearing=(Bearing(HOSTILE, 12, 2),),
        churn=(Churn("a.py", 1200, 5, 4, 0),),
    )


def test_the_page_is_well_formed_and_tells_all() -> None:
    text = render(inspection([pair("x/a.py", "b.ts", is_hidden=True)]), name="shop", facts="9 commits")
    page = Page(text)
    assert page.open == []
    for wanted in ("shop", "9 commits", "x/a.py", "b.ts", "5 of 7", "1,200", "no import between them"):
        assert wanted in page.text


def test_the_page_needs_nothing_from_elsewhere() -> None:
    text = render(inspection([pair("a.py", "b.py")]), name="shop", facts="")
    page = Page(text)
    assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name in ("src", "href") or name.startswith("on")]
    assert "url(" not in text
    assert "@import" not in text
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in page.attributes
    assert "prefers-color-scheme: dark" in text


def test_names_cannot_become_markup() -> None:
    text = render(inspection([pair(HOSTILE, "b.py", is_hidden=True)]), name=HOSTILE, facts=HOSTILE)
    page = Page(text)
    assert page.open == []
    assert "script" not in page.tags
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u202e]", text)


def test_nothing_known_is_a_page_without_tables() -> None:
    page = Page(render(inspection([]), name="shop", facts=""))
    assert "svg" not in page.tags


def test_equal_graphs_look_the_same() -> None:
    pairs = [pair(f"f{n}.py", f"f{n * 3 % 11}.py", 0.1 * (n % 9 + 1)) for n in range(1, 11)]
    assert draw(pairs) == draw(list(pairs))


def test_nodes_stay_inside_and_apart() -> None:
    nodes = [f"f{n}.py" for n in range(30)]
    weights = {(nodes[n], nodes[n // 2]): 0.4 for n in range(1, 30)}
    at = place(nodes, weights)
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in at.values())
    apart = [
        hypot((at[a][0] - at[b][0]) * WIDTH, (at[a][1] - at[b][1]) * HEIGHT)
        for a, b in combinations(nodes, 2)
    ]
    assert min(apart) > 12
    tied = [hypot(at[a][0] - at[b][0], at[a][1] - at[b][1]) for a, b in weights]
    every = [hypot(at[a][0] - at[b][0], at[a][1] - at[b][1]) for a, b in combinations(nodes, 2)]
    assert sum(tied) / len(tied) < 0.6 * sum(every) / len(every)


def test_names_of_close_dots_do_not_lie_on_each_other() -> None:
    at = {f"folder/name{n}.py": (400.0 + 12 * (n % 2), 300.0 + 6 * n) for n in range(8)}
    boxes = []
    for node, (x, y, anchor) in place_labels(at).items():
        width = LETTER_WIDTH * len(node.rsplit("/", 1)[-1])
        left = x if anchor == "start" else x - width
        boxes.append((left, y, left + width))
    for one, other in combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or abs(one[1] - other[1]) > 10


@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_nodes_are_placed(count: int) -> None:
    assert len(place([str(n) for n in range(count)], {})) == count


def test_only_as_many_files_as_can_be_read_are_drawn() -> None:
    chosen = choose([pair(f"a{n}.py", f"b{n}.py") for n in range(200)])
    assert len({end for one in chosen for end in (one.path, one.other)}) <= MAX_NODES
    assert draw([]) == ""
