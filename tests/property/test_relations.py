"""Relations hold exactly as long as the records that say them, whatever becomes of these."""

from __future__ import annotations

import time
from sqlite3 import Connection, connect

from hypothesis import given, settings
from hypothesis import strategies as st

from engram_hooks.curate.relations.deriving import derive_relations
from engram_hooks.curate.relations.graph import Graph, holds_at, read_graph
from engram_hooks.curate.relations.reading import read_record
from engram_hooks.errors import EngramError
from engram_hooks.store import record_search, records
from engram_hooks.store.migrate import migrate
from engram_hooks.store.schema import STEPS

DAY = 86_400_000
NAMES = "Postgres", "Redis", "Kafka", "Nomad"
STATUSES = "active", "archived", "stale", "retracted", "candidate", "needs_review", "compacted", "expired"
TEXTS = st.text(st.sampled_from("aAzZ09 _-./:`@#*()<>\"'\\\n,;?éß漏😀\u202e\ue001\x00"), max_size=80)
STEPS_OF = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.sampled_from(NAMES), st.integers(0, 30)),
        st.tuples(st.just("supersede"), st.integers(1, 8), st.integers(1, 8)),
        st.tuples(st.just("status"), st.integers(1, 8), st.sampled_from(STATUSES)),
        st.tuples(st.just("reinstate"), st.integers(1, 8), st.just(0)),
        st.tuples(st.just("edit"), st.integers(1, 8), st.sampled_from(NAMES)),
        st.tuples(st.just("derive"), st.just(0), st.just(0)),
    ),
    max_size=14,
)


def _store() -> Connection:
    db = connect(":memory:", isolation_level=None)
    migrate(db, STEPS)
    return db


def _say(name: str) -> str:
    return f"The orders service uses {name}"


def _play(db: Connection, step: tuple[str, object, object], now_ms: int) -> None:
    what, one, two = step
    if what == "add":
        fields = {
            "kind": "fact",
            "project_id": 1,
            "summary": _say(str(one)),
            "valid_from": int(str(two)) * DAY,
        }
        records.insert(db, fields, now_ms=now_ms, actor="person")
    elif what == "derive":
        derive_relations(db, now_ms=now_ms, until=time.monotonic() + 30)
    elif what == "supersede":
        old, new = int(str(one)), int(str(two))
        at_ms = max(records.read(db, new)["valid_from"], records.read(db, old)["valid_from"])
        records.supersede(db, old, new, at_ms=at_ms, now_ms=now_ms, actor="person")
    elif what == "status":
        records.set_status(db, int(str(one)), str(two), now_ms=now_ms, actor="person")
    elif what == "reinstate":
        records.reinstate(db, int(str(one)), now_ms=now_ms, actor="person")
    else:
        records.update(db, int(str(one)), {"summary": _say(str(two))}, now_ms=now_ms, actor="person")


def _links(graph: Graph) -> set[tuple[str, int]]:
    return {(edge.target, edge.note) for edge in graph.edges}


@settings(max_examples=40)
@given(steps=STEPS_OF, at_day=st.integers(0, 60))
def test_relation_holds_as_long_as_its_record(steps: list[tuple[str, object, object]], at_day: int) -> None:
    db = _store()
    for number, step in enumerate(steps):
        try:
            _play(db, step, (40 + number) * DAY)
        except EngramError:
            continue  # no such record, or its own successor
    derive_relations(db, now_ms=100 * DAY, until=time.monotonic() + 30)
    rows = [records.read(db, row[0]) for row in db.execute("SELECT id FROM records").fetchall()]
    known = [row for row in rows if row["status"] in record_search.ONCE]
    target = {row["id"]: row["summary"].rpartition(" ")[2].lower() for row in rows}
    graph = read_graph(db, [1], now_ms=100 * DAY)
    assert _links(graph) == {(target[row["id"]], row["id"]) for row in known}
    for row in known:
        note = graph.notes[row["id"]]
        assert (note.valid_from, note.valid_to) == (row["valid_from"], row["valid_to"])
        assert (note.created_at, note.expired_at) == (row["created_at"], row["expired_at"])
        is_told = row["status"] in records.TOLD and row["valid_to"] is None
        assert note.is_live == is_told
    at_ms = at_day * DAY
    then = {
        row["id"]
        for row in known
        if row["valid_from"] <= at_ms and (row["valid_to"] is None or row["valid_to"] > at_ms)
    }
    past = read_graph(db, [1], now_ms=100 * DAY, as_of_ms=at_ms)
    assert _links(past) == {(target[number], number) for number in then}
    assert all(holds_at(note, at_ms) for note in past.notes.values())
    db.close()


@given(summary=TEXTS, detail=TEXTS, paths=st.lists(TEXTS, max_size=3))
def test_any_text_can_be_read(summary: str, detail: str, paths: list[str]) -> None:
    reading = read_record(summary, detail, paths)
    norms = {thing.norm for thing in reading.things}
    assert len(norms) == len(reading.things)
    assert {end for source, _, target in reading.relations for end in (source, target)} <= norms
    assert all(source != target for source, _, target in reading.relations)
    assert reading == read_record(summary, detail, paths)


@given(
    pieces=st.lists(
        st.sampled_from([*NAMES, "uses", "over", "from", "to", "the", "moved", ",", "and", "not"]),
        max_size=60,
    )
)
def test_jumbled_words_are_read_in_bounds(pieces: list[str]) -> None:
    started = time.perf_counter()
    read_record(" ".join(pieces))
    assert time.perf_counter() - started < 2
