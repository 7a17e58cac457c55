"""Whatever is said in whatever order: no cycles, nothing protected changes unasked, and all can be taken back."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from sqlite3 import Connection
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engram_hooks.curate.changes.judging import PEOPLE
from engram_hooks.curate.lineage import restore
from engram_hooks.curate.promote import promote_candidate
from engram_hooks.curate.protection import is_protected
from engram_hooks.store import lookup, records
from engram_hooks.store.create import ensure_store

NOW = 1_780_000_000_000
DAY = 86_400_000
SUBJECTS = "docs", "message broker", "session store", "login provider"
VALUES = "Sphinx", "MkDocs", "Redis", "Postgres"
FORMS = (
    "The {subject} is {value}.",
    "The {subject} is {value} now.",
    "{value} is the {subject}.",
    "We moved the {subject} from {other} to {value}.",
    "{value} replaces {other} as the {subject}.",
    "We looked at {value} as the {subject} and decided against it.",
    "Never use {value} as the {subject}.",
    "We no longer use {value}.",
    "Removed a leftover of {value}.",
)
texts = st.builds(
    lambda form, subject, value, other: form.format(subject=subject, value=value, other=other),
    st.sampled_from(FORMS),
    st.sampled_from(SUBJECTS),
    st.sampled_from(VALUES),
    st.sampled_from(VALUES),
)
steps = st.lists(
    st.tuples(
        texts,
        st.sampled_from(("person", "import", "miner", "consolidation", "brain")),
        st.sampled_from(("fact", "decision", "constraint", "procedure")),
        st.integers(0, 40),
    ),
    min_size=1,
    max_size=8,
)


@contextmanager
def fresh_store() -> Iterator[Connection]:
    """An empty store in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        db = ensure_store(folder, now_ms=NOW)
        try:
            yield db
        finally:
            db.close()


def say(db: Connection, text: str, *, actor: str, kind: str, at_ms: int) -> int:
    """Let somebody say something at a time, and decide about it."""
    row = {"kind": kind, "project_id": 1, "summary": text, "valid_from": at_ms, "status": "candidate"}
    record_id = records.insert(db, row, now_ms=NOW, actor=actor)
    promote_candidate(db, record_id, actor=actor, now_ms=NOW)
    return record_id


def read_all(db: Connection) -> dict[int, dict[str, Any]]:
    """All records by their ids."""
    return {row["id"]: row for row in lookup.list_records(db, project_ids=[1])}


def told(db: Connection) -> dict[int, tuple[object, ...]]:
    """What is told as true, and what it says."""
    rows = read_all(db).values()
    return {
        row["id"]: (row["summary"], row["detail"], row["superseded_by"], row["valid_to"])
        for row in rows
        if row["status"] in records.TOLD
    }


@settings(max_examples=25)
@given(steps)
def test_chains_end_and_times_are_in_order(said: list[tuple[str, str, str, int]]) -> None:
    with fresh_store() as db:
        for text, actor, kind, day in said:
            say(db, text, actor=actor, kind=kind, at_ms=NOW - day * DAY)
        rows = read_all(db)
        for row in rows.values():
            seen = {row["id"]}
            here = row
            while here["superseded_by"] is not None:
                here = rows[here["superseded_by"]]
                assert here["id"] not in seen
                seen.add(here["id"])
            assert row["valid_to"] is None or row["valid_to"] >= row["valid_from"]
            assert (row["status"] == "superseded") == (row["superseded_by"] is not None)


@settings(max_examples=25)
@given(steps)
def test_nothing_protected_changes_without_a_person(said: list[tuple[str, str, str, int]]) -> None:
    with fresh_store() as db:
        for text, actor, kind, day in said:
            before = read_all(db)
            say(db, text, actor=actor, kind=kind, at_ms=NOW - day * DAY)
            if actor in PEOPLE:
                continue
            after = read_all(db)
            for record_id, row in before.items():
                if is_protected(row):
                    same = {**after[record_id], "updated_at": 0, "status_reason": "", "evidence_count": 0}
                    assert same == {**row, "updated_at": 0, "status_reason": "", "evidence_count": 0}


@settings(max_examples=25)
@given(steps, texts)
def test_what_a_person_said_can_be_taken_back(said: list[tuple[str, str, str, int]], text: str) -> None:
    with fresh_store() as db:
        for one, actor, kind, day in said:
            say(db, one, actor=actor, kind=kind, at_ms=NOW - (day + 1) * DAY)
        before = told(db)
        new = say(db, text, actor="person", kind="fact", at_ms=NOW)
        row = records.read(db, new)
        if row["parent_id"] is not None:
            restore(db, new, now_ms=NOW)
        gone = lookup.read_replaced(db, new)
        records.set_status(db, new, "retracted", now_ms=NOW, actor="person")
        for old in gone:
            records.reinstate(db, old["id"], now_ms=NOW, actor="person")
        assert told(db) == before
