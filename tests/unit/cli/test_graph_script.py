"""What the script of a graph page shows: today, at a date, for a search and a click."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from engram_hooks.cli import graph_page
from engram_hooks.cli.graph_page import MAX_NODES, render_page
from tests.unit.cli.test_graph import HOSTILE, data_of, make_graph

SCRIPT = Path(graph_page.__file__).with_name("graph_page.js")
RUN = Path(__file__).parents[2] / "support" / "graph_page_run.js"

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node of Node.js is missing")


def run_page(page: str) -> dict[str, Any]:
    """Run the script of a page in Node.js and return what it shows."""
    done = subprocess.run(
        ["node", str(RUN), str(SCRIPT)],
        input=json.dumps(data_of(page)),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    value: dict[str, Any] = json.loads(done.stdout)
    return value


def test_slider_shows_what_held_when() -> None:
    # the notes begin on days 0, 1 and 2; the second ends on day 10
    graph = make_graph(["A", "B", "C"], [(0, "uses", 1), (1, "uses", 2), (2, "replaces", 0)])
    found = run_page(render_page(graph, name="shop"))
    assert found["today"]["edges"] == ["A uses B", "B uses C (past)", "C replaces A"]
    seen = [moment["edges"] for moment in found["moments"]]
    assert seen == [
        ["A uses B"],
        ["A uses B", "B uses C"],
        ["A uses B", "B uses C", "C replaces A"],
        ["A uses B", "B uses C (past)", "C replaces A"],
    ]
    assert [moment["nodes"] for moment in found["moments"]][:2] == [["A", "B"], ["A", "B", "C"]]


def test_click_lists_relations_and_notes() -> None:
    graph = make_graph(["A", "B", "C"], [(0, "uses", 1), (2, "replaces", 0)], summary=HOSTILE)
    panel = run_page(render_page(graph, name="shop"))["clicked"]["panel"]
    assert panel.startswith("AtoolHow it stands to others")
    assert "uses B k0" in panel
    assert "replaced by C k1" in panel
    assert "</script><script>alert(1)</script>" in panel


def test_search_lists_what_is_called_so() -> None:
    graph = make_graph(["A", "B", "Cab"], [(0, "uses", 1), (1, "uses", 2)])
    assert (
        run_page(render_page(graph, name="shop"))["search"]["panel"] == "FoundB tool, 2 notesCab tool, 1 note"
    )


def test_things_without_relations_stand_aside_where_they_are_many() -> None:
    names = [f"Thing{number}" for number in range(40)]
    found = run_page(render_page(make_graph(names, [(0, "uses", 1)]), name="shop"))
    assert found["today"]["nodes"] == ["Thing0", "Thing1"]


@pytest.mark.parametrize("names", [[], ["A"]])
def test_small_pages_are_drawn(names: list[str]) -> None:
    found = run_page(render_page(make_graph([*names, "Z"], []), name="shop"))
    assert found["today"]["edges"] == []


def test_large_page_is_drawn_soon() -> None:
    names = [f"Thing{number}" for number in range(MAX_NODES)]
    links = [(number, "uses", number * 7 % MAX_NODES) for number in range(1, MAX_NODES)] * 2
    found = run_page(render_page(make_graph(names, links), name="shop"))
    assert found["took_ms"] < 20_000
    assert len(found["today"]["nodes"]) == MAX_NODES - 1
