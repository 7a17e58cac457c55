"""`engram graph`: a tree in a terminal, JSON, Graphviz, and a page that record texts cannot break."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from engram_hooks.cli.graph_dot import quote, render_dot
from engram_hooks.cli.graph_page import MAX_NODES, render_page
from engram_hooks.cli.graph_text import WORDINGS, draw, tell
from engram_hooks.curate.relations.graph import Edge, Graph, Node, Note
from engram_hooks.curate.relations.patterns import PATTERNS
from tests.support.command_runs import Run, read

HOSTILE = "</script><script>alert(1)</script><!--\"'\\\x1b[31m\u202e&\u2028\n]]>"
DAY = 86_400_000


def make_graph(names: list[str], links: list[tuple[int, str, int]], *, summary: str = "a note") -> Graph:
    """A graph of these names: relations by number, of which every second no longer holds."""
    notes = {
        number: Note(
            *(f"k{number}", number, summary, "superseded" if number % 2 else "active"),
            valid_from=DAY * number,
            valid_to=DAY * (number + 9) if number % 2 else None,
            created_at=DAY * number,
            expired_at=None,
            is_live=not number % 2,
        )
        for number in range(max(1, len(links)))
    }
    said: dict[int, list[int]] = {at: [] for at in range(len(names))}
    for number, (source, _, target) in enumerate(links):
        for end in {source, target}:
            said[end].append(number)
    nodes = {f"n{at}": Node(f"n{at}", name, "tool", tuple(said[at])) for at, name in enumerate(names)}
    edges = tuple(Edge(f"n{s}", kind, f"n{t}", number) for number, (s, kind, t) in enumerate(links))
    return Graph(nodes, edges, notes)


def data_of(page: str) -> dict[str, Any]:
    """What the script of a page is given."""
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    value: dict[str, Any] = json.loads(found[1])
    return value


@pytest.fixture
def shop(run: Run) -> Run:
    """A repository in which the orders service moved from MySQL to Postgres."""
    run("add", "-s", "The orders service uses MySQL")
    run("add", "-s", "The orders service uses Postgres", "--supersedes", "d1")
    run("add", "-s", "Postgres runs on Nomad", "-t", "fact")
    run("add", "-s", "Ask Ingrid about the orders service", "-t", "fact")
    return run


def test_tree_tells_what_stands_around_a_thing(shop: Run) -> None:
    code, out, _ = shop("graph", "orders", "service", "--hops", "2")
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == "orders service  service, 3 notes"
    assert [re.split(r"(?<=\w)  ", line)[0] for line in lines[1:6]] == [
        "├─ owned by Ingrid",
        "├─ uses Postgres",
        "│  └─ runs on Nomad",
        "└─ uses MySQL",
        "",
    ]
    assert " to " in lines[4]
    assert {line.split()[0] for line in lines[6:]} == {"d1", "d2", "k4"}


def test_relation_reads_from_both_ends(shop: Run) -> None:
    assert "└─ owns orders service" in shop("graph", "ingrid")[1]
    assert "└─ used by orders service" in shop("graph", "MySQL")[1]


def test_without_a_thing_all_are_listed(shop: Run) -> None:
    code, out, _ = shop("graph")
    assert code == 0
    assert out.splitlines()[0].split() == ["orders", "service", "service", "3", "notes", "3", "relations"]
    assert {"Postgres", "Nomad", "Ingrid", "MySQL"} <= set(out.split())


def test_date_leaves_what_held_then(shop: Run) -> None:
    code, out, _ = shop("graph", "--as-of", "2001-01-01")
    assert (code, out) == (0, "No note speaks of a thing that engram knows by its name yet.\n")


def test_json_is_the_contract(shop: Run) -> None:
    found = read(shop, "graph", "mysql")
    assert set(found) == {"entity", "as_of", "nodes", "edges"}
    (edge,) = found["edges"]
    assert (edge["source"], edge["kind"], edge["target"]) == ("orders service", "uses", "mysql")
    assert (edge["record"], edge["live"], edge["status"]) == ("d1", False, "superseded")
    assert json.loads(shop("graph", "mysql", "--format", "json")[1]) == found


@pytest.mark.parametrize(
    ("arguments", "told", "code"),
    [
        pytest.param(["nothing-so"], "no note speaks of 'nothing-so'", 1, id="unknown thing"),
        pytest.param(["--as-of", "soon"], "is no date", 2, id="no date"),
        pytest.param(["--format", "png"], "png", 2, id="no such form"),
        pytest.param(["--hops", "99"], "99", 2, id="too far"),
        pytest.param(["--json", "--format", "dot"], "different things", 2, id="two forms"),
        pytest.param(["--out", "missing/x.html"], "cannot be written", 1, id="no such folder"),
    ],
)
def test_wrong_use_is_said(shop: Run, arguments: list[str], told: str, code: int) -> None:
    found, _, err = shop("graph", *arguments)
    assert (found, told in err) == (code, True), err


@pytest.mark.parametrize("form", ["text", "json", "dot", "html"])
def test_file_holds_what_would_be_printed(shop: Run, tmp_path: Path, form: str) -> None:
    path = tmp_path / "graph.out"
    printed = shop("graph", "postgres", "--format", form)[1]
    assert shop("graph", "postgres", "--format", form, "--out", str(path))[0] == 0
    assert path.read_text(encoding="utf-8") == printed


def test_every_relation_has_words_for_both_ends() -> None:
    assert {pattern.kind for pattern in PATTERNS} == set(WORDINGS)
    assert tell("lies_near", is_forward=True) == "lies near"


def test_circle_of_relations_ends() -> None:
    graph = make_graph(["A", "B", "C"], [(0, "uses", 1), (1, "uses", 2), (2, "uses", 0)])
    lines = draw(Graph(graph.nodes, graph.edges, graph.notes, centre="n0"))
    assert len(lines) < 12


def test_names_cannot_steer_a_terminal() -> None:
    graph = make_graph([HOSTILE, "B"], [(0, "uses", 1)], summary=HOSTILE)
    for centre in ("", "n1"):
        text = "\n".join(draw(Graph(graph.nodes, graph.edges, graph.notes, centre=centre)))
        assert "\x1b[31m" not in text
        assert "\u202e" not in text


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        pytest.param('say "yes"', '"say \\"yes\\""', id="quotes"),
        pytest.param("a\\b\\", '"a\\\\b\\\\"', id="backslashes"),
        pytest.param("a\nb", '"a b"', id="line break"),
        pytest.param("", '""', id="empty"),
    ],
)
def test_graphviz_text_is_quoted(text: str, quoted: str) -> None:
    assert quote(text) == quoted


def test_graphviz_lines_are_whole() -> None:
    graph = make_graph(
        [HOSTILE, 'B"];', "C"], [(0, "uses", 1), (1, "uses", 2), (0, "uses", 1)], summary=HOSTILE
    )
    lines = render_dot(graph).splitlines()
    string = r'"(?:[^"\\]|\\.)*"'
    assert lines[0] == "digraph engram {"
    assert lines[-1] == "}"
    for line in lines[4:-1]:
        assert re.fullmatch(rf"  n\d+( -> n\d+)? \[\w+=({string}|\w+)(, \w+=({string}|\w+))*\];", line), line
    assert sum(" -> " in line for line in lines) == 2
    assert [line for line in lines if "dashed" in line] == [line for line in lines if "n2 -> n3" in line]


@pytest.mark.skipif(shutil.which("dot") is None, reason="dot of Graphviz is missing")
def test_graphviz_reads_it(tmp_path: Path) -> None:
    graph = make_graph([HOSTILE, "B"], [(0, "uses", 1)], summary=HOSTILE)
    done = subprocess.run(
        ["dot", "-Tsvg"], input=render_dot(graph), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_page_holds_texts_as_data_only() -> None:
    page = render_page(make_graph([HOSTILE, "B"], [(0, "uses", 1)], summary=HOSTILE), name=HOSTILE)
    assert page.count("<script") == 2
    assert page.count("</script>") == 2
    assert "alert(1)</script>" not in page.replace("&lt;/script&gt;", "")
    found = data_of(page)
    assert found["nodes"][0]["n"].startswith("</script><script>alert(1)</script>")
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u202e\u2028]", page)


def test_page_needs_nothing_from_elsewhere() -> None:
    page = render_page(make_graph(["A"], []), name="shop")
    script = page.rpartition("<script>")[2].partition("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    assert f'content="{policy}"' in page
    assert not re.search(
        r'\b(?:src|href)="|url\((?!#)|@import|fetch\(|XMLHttpRequest|innerHTML|insertAdjacent', page
    )
    assert "http" not in re.sub(r'"http://www\.w3\.org/2000/svg"|http-equiv', "", page)
    assert "prefers-color-scheme: dark" in page


def test_page_gives_the_script_all_it_draws() -> None:
    graph = make_graph(["A", "B"], [(0, "uses", 1), (1, "replaces", 0), (0, "uses", 1)])
    found = data_of(render_page(Graph(graph.nodes, graph.edges, graph.notes, centre="n1"), name="shop"))
    assert found["centre"] == 1
    assert found["edges"] == [
        {"s": 0, "k": "uses", "t": 1, "r": [0, 2]},
        {"s": 1, "k": "replaces", "t": 0, "r": [1]},
    ]
    assert [note["to"] for note in found["notes"]] == [None, DAY * 10, None]
    assert found["wordings"]["uses"] == ["uses", "used by"]


def test_large_graph_is_cut_to_what_is_mentioned_most() -> None:
    names = [f"Thing{number}" for number in range(MAX_NODES + 30)]
    page = render_page(make_graph(names, [(0, "uses", MAX_NODES + 5), (0, "uses", 1)]), name="shop")
    found = data_of(page)
    assert (len(found["nodes"]), len(found["edges"])) == (MAX_NODES, 1)
    assert f"{MAX_NODES:,} of {len(names):,} things" in page
