"""One step on from an answer: what shares a rare thing with it, or what stands to it by a relation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engram_hooks import Engram
from engram_hooks.curate.asking.recollect import recall_facts
from engram_hooks.curate.relations.near import MAX_DEGREE, name_things, recall_related, spread


@pytest.fixture
def memory(tmp_path: Path, home: Path) -> Iterator[Engram]:
    """A memory in which the orders service leads to Postgres, and Postgres to Nomad."""
    with Engram(home=tmp_path / "data", project="shop", environ={"HOME": str(home)}) as memory:
        memory.add("The orders service uses Postgres")
        memory.add("Postgres runs on Nomad", kind="fact")
        memory.add("Nomad needs a quorum of three", kind="fact")
        memory.add("Tests must not sleep", kind="feedback")
        yield memory


def related(memory: Engram, text: str, **options: object) -> list[tuple[str, object]]:
    """(id, what leads there) of what lies beside the answers to a question."""
    question = memory.question(text, **options)  # type: ignore[arg-type]
    hits = recall_facts(memory.db, question)[:1]
    return [(hit.id, hit.why["via"]) for hit in recall_related(memory.db, question, hits)]


def test_relation_of_what_is_named_leads_on(memory: Engram) -> None:
    assert related(memory, "orders service") == [("k2", "Postgres")]


def test_thing_of_the_best_answer_leads_on(memory: Engram) -> None:
    assert ("k3", "Nomad") in related(memory, "where does postgres run")


def test_question_without_a_thing_leads_by_its_answer_only(memory: Engram) -> None:
    assert related(memory, "may tests sleep?") == []


def test_what_many_records_speak_of_leads_nowhere(memory: Engram) -> None:
    for number in range(MAX_DEGREE):
        memory.add(f"Postgres has setting number {number} raised", kind="fact")
    assert "k2" not in dict(related(memory, "orders service"))


def test_only_what_holds_is_beside_an_answer(memory: Engram) -> None:
    memory.retract("k2")
    assert related(memory, "orders service") == []


def test_date_asks_for_what_held_then(memory: Engram) -> None:
    memory.add("Postgres runs on bare metal", kind="fact", valid_from="2024-01-01")
    memory.add("The orders service uses Postgres since the start", kind="fact", valid_from="2024-01-01")
    found = related(memory, "orders service", as_of="2024-06-01")
    assert {name for name, _ in found} <= {"k5", "k6"}
    assert found


def test_at_most_so_many_are_given(memory: Engram) -> None:
    for number in range(4):
        memory.add(f"The orders service has limit {number}", kind="fact")
    assert len(related(memory, "orders service", k=2)) == 2


def test_other_projects_and_branches_stay_out(memory: Engram) -> None:
    from engram_hooks.memory import now
    from engram_hooks.store import records

    fields = {"kind": "fact", "summary": "Postgres is on SecretHost"}
    records.insert(memory.db, {**fields, "project_id": 99}, now_ms=now(), actor="person")
    branch = {**fields, "project_id": memory.project_id, "scope": "branch", "branch": "feature"}
    records.insert(memory.db, branch, now_ms=now(), actor="person")
    assert related(memory, "orders service") == [("k2", "Postgres")]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        pytest.param(
            "what does the ORDERS SERVICE need?", ["orders", "orders service"], id="words as they are known"
        ),
        pytest.param("is nomad up", ["nomad"], id="small letters"),
        pytest.param("does Zookeeper run", ["zookeeper"], id="by its shape, known or not"),
        pytest.param("how are you today", [], id="none"),
        pytest.param("", [], id="empty"),
    ],
)
def test_question_names_things(memory: Engram, text: str, names: list[str]) -> None:
    memory.graph()
    assert name_things(memory.db, text) == names


def test_nearest_thing_names_the_way() -> None:
    sharers = {"a": [(1, "A"), (2, "A")], "b": [(2, "B"), (3, "B")]}
    assert spread(["b", "a", "c"], sharers, without=[1]) == {3: "B", 2: "B"}
    assert spread([], sharers, without=[]) == {}
