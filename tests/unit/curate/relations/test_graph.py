"""The graph of a project: what holds, what held at a date, what stands around one thing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engram_hooks import Engram
from engram_hooks.curate.asking.around import graph_here
from engram_hooks.curate.relations.graph import find_node, narrow, to_json
from engram_hooks.errors import EngramError, UsageError


@pytest.fixture
def memory(tmp_path: Path, home: Path) -> Iterator[Engram]:
    """A memory in which the orders service moved from MySQL to Postgres in June 2025."""
    with Engram(home=tmp_path / "data", project="shop", environ={"HOME": str(home)}) as memory:
        old = memory.add("The orders service uses MySQL", valid_from="2025-01-05")
        memory.add("The orders service uses Postgres", valid_from="2025-06-05", supersedes=old.short_id)
        memory.add("Grafana needs Prometheus", kind="fact", valid_from="2025-02-01")
        memory.add("Postgres runs on Nomad", kind="fact", valid_from="2025-02-01")
        yield memory


def told(memory: Engram, entity: str = "", **options: object) -> list[tuple[str, str, bool]]:
    """(relation, record, whether it holds) of a graph."""
    graph = graph_here(memory, entity, **options)  # type: ignore[arg-type]
    return [
        (
            f"{edge.source} {edge.kind} {edge.target}",
            graph.notes[edge.note].id,
            graph.notes[edge.note].is_live,
        )
        for edge in graph.edges
    ]


def test_whole_graph_marks_what_no_longer_holds(memory: Engram) -> None:
    assert sorted(told(memory)) == [
        ("grafana depends_on prometheus", "k3", True),
        ("orders service uses mysql", "d1", False),
        ("orders service uses postgres", "d2", True),
        ("postgres runs_on nomad", "k4", True),
    ]


@pytest.mark.parametrize(
    ("as_of", "links"),
    [
        pytest.param("2024-12-31", [], id="before"),
        pytest.param("2025-01-05", ["orders service uses mysql"], id="first day"),
        pytest.param("2025-06-04", ["orders service uses mysql"], id="last day"),
        pytest.param("2025-06-05", ["orders service uses postgres"], id="after the change"),
    ],
)
def test_date_shows_what_held_then(memory: Engram, as_of: str, links: list[str]) -> None:
    found = [one for one in told(memory, as_of=as_of) if one[0].startswith("orders")]
    assert [one[0] for one in found] == links
    assert all(one[2] for one in found)


def test_no_date_is_refused(memory: Engram) -> None:
    with pytest.raises(UsageError, match="is no date"):
        graph_here(memory, as_of="soon")


@pytest.mark.parametrize(
    ("hops", "names"),
    [
        pytest.param(0, {"nomad"}, id="itself"),
        pytest.param(1, {"nomad", "postgres"}, id="one"),
        pytest.param(2, {"nomad", "postgres", "orders service"}, id="two"),
        pytest.param(3, {"nomad", "postgres", "orders service", "mysql"}, id="three"),
        pytest.param(9, {"nomad", "postgres", "orders service", "mysql"}, id="all that can be reached"),
    ],
)
def test_hops_widen_what_is_seen(memory: Engram, hops: int, names: set[str]) -> None:
    graph = graph_here(memory, "nomad", hops=hops)
    assert set(graph.nodes) == names
    assert graph.centre == "nomad"
    assert {edge.note for edge in graph.edges} <= set(graph.notes)


@pytest.mark.parametrize("text", ["Postgres", " postgresql ", "`POSTGRES`", "postg"])
def test_thing_is_found_by_what_people_write(memory: Engram, text: str) -> None:
    assert find_node(graph_here(memory), text).norm == "postgres"


def test_file_is_found_by_the_end_of_its_path(memory: Engram) -> None:
    memory.add("Mind the lock", kind="fact", paths=["backend/payments/retry.py"])
    assert find_node(graph_here(memory), "retry.py").norm == "backend/payments/retry.py"


def test_near_names_are_offered(memory: Engram) -> None:
    with pytest.raises(EngramError) as raised:
        graph_here(memory, "Postgrse")
    assert "Postgres" in raised.value.hint
    with pytest.raises(EngramError, match="nothing is called 'p'") as raised:
        graph_here(memory, "p")
    assert raised.value.hint == "near to it: Postgres, Prometheus"
    with pytest.raises(EngramError, match="no note speaks of 'zzzz'"):
        graph_here(memory, "zzzz")


def test_retracted_record_says_nothing_until_it_is_reinstated(memory: Engram) -> None:
    memory.retract("k4")
    assert "nomad" not in graph_here(memory).nodes
    memory.reinstate("k4")
    assert ("postgres runs_on nomad", "k4", True) in told(memory)


def test_record_of_another_branch_is_left_out(memory: Engram) -> None:
    from engram_hooks.memory import now
    from engram_hooks.store import records

    fields = {
        "kind": "fact",
        "project_id": memory.project_id,
        "summary": "Loki needs Minio",
        "scope": "branch",
    }
    records.insert(memory.db, {**fields, "branch": "feature"}, now_ms=now(), actor="person")
    assert "loki" not in graph_here(memory).nodes


def test_record_made_on_another_branch_says_so(memory: Engram) -> None:
    from engram_hooks.memory import now
    from engram_hooks.store import records

    fields = {
        "kind": "fact",
        "project_id": memory.project_id,
        "summary": "Loki needs Minio",
        "branch": "feature",
    }
    number = records.insert(memory.db, fields, now_ms=now(), actor="person")
    graph = graph_here(memory)
    assert graph.notes[number].branch == "feature"
    assert {note.branch for other, note in graph.notes.items() if other != number} == {""}


def test_things_are_named_and_classed_as_most_records_do(memory: Engram) -> None:
    memory.add("Moved the cache from postgresql to Valkey", kind="fact")
    node = graph_here(memory).nodes["postgres"]
    assert (node.name, node.kind, len(node.notes)) == ("Postgres", "tool", 3)


def test_most_mentioned_things_come_first(memory: Engram) -> None:
    assert next(iter(graph_here(memory).nodes)) in ("postgres", "orders service")


def test_narrowing_to_a_thing_without_relations_keeps_its_notes(memory: Engram) -> None:
    memory.add("Mind the lock", kind="fact", paths=["lib/lock.py"])
    graph = narrow(graph_here(memory), "lib/lock.py")
    assert (len(graph.nodes), graph.edges, len(graph.notes)) == (1, (), 1)


def test_json_names_the_records_and_their_validity(memory: Engram) -> None:
    found = to_json(graph_here(memory, "mysql"))
    (edge,) = found["edges"]
    assert found["entity"] == "mysql"
    assert edge["record"] == "d1"
    assert (edge["status"], edge["live"]) == ("superseded", False)
    assert edge["valid_from"] < edge["valid_to"] < edge["expired_at"]
    assert {"id": "mysql", "name": "MySQL", "kind": "tool", "records": ["d1"]} in found["nodes"]
