"""Consolidation of any memory: a dry run writes nothing, a second run changes nothing, all of it comes back."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from sqlite3 import Connection
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engram_hooks.curate.consolidate import Report, consolidate
from engram_hooks.curate.consolidation.work import ACTOR
from engram_hooks.curate.lineage import restore, undo_entries
from engram_hooks.curate.protection import is_protected
from engram_hooks.recall.fields import KINDS
from engram_hooks.store import records
from engram_hooks.store.create import ensure_store
from tests.conftest import NOW_MS

DAY_MS = 86_400_000
STEPS = ["promote", "merge", "rivals", "expire", "decay", "compact", "reflect"]
OFF = {"ENGRAM_EMBED": "off"}
WORDS = st.sampled_from("the cache needs a local Redis api/orders.py is slow until 3 May not 5 tests".split())
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "kind": st.sampled_from(KINDS),
            "summary": st.lists(WORDS, min_size=1, max_size=5).map(" ".join),
            "status": st.sampled_from(
                ["active", "active", "active", "candidate", "stale", "archived", "superseded"]
            ),
            "tags": st.sampled_from(["", "orders", "security"]),
            "importance": st.sampled_from([0.05, 0.5, 1.0]),
            "is_pinned": st.sampled_from([0, 0, 0, 1]),
            "use_count": st.integers(0, 5),
            "project_id": st.sampled_from([0, 1]),
            "days": st.integers(0, 900),
        }
    ),
    max_size=14,
)


@contextmanager
def open_filled(rows: list[dict[str, Any]]) -> Iterator[tuple[Connection, str]]:
    """A store in a folder of its own that holds these records."""
    with tempfile.TemporaryDirectory() as data:
        db = ensure_store(data, now_ms=NOW_MS)
        try:
            for given_row in rows:
                row = dict(given_row)
                at = NOW_MS - row.pop("days") * DAY_MS
                records.insert(db, row | {"created_at": at, "valid_from": at}, now_ms=at, actor="miner")
            yield db, data
        finally:
            db.close()


def run(db: Connection, data: str, *, is_dry: bool = False) -> Report:
    return consolidate(db, data, OFF, now_ms=NOW_MS, steps=STEPS, is_dry=is_dry)


def read_all(db: Connection) -> dict[int, dict[str, Any]]:
    """Every record but for the moment of its last change."""
    ids = [row[0] for row in db.execute("SELECT id FROM records").fetchall()]
    rows = {record_id: records.read(db, record_id) for record_id in ids}
    return {record_id: {k: v for k, v in row.items() if k != "updated_at"} for record_id, row in rows.items()}


@settings(max_examples=25)
@given(ROWS)
def test_dry_run_writes_nothing_and_foretells_the_real_one(rows: list[dict[str, Any]]) -> None:
    with open_filled(rows) as (db, data):
        before = list(db.iterdump())
        dry = run(db, data, is_dry=True)
        assert list(db.iterdump()) == before
        assert dry.changes == run(db, data).changes


@settings(max_examples=25)
@given(ROWS)
def test_second_run_changes_nothing(rows: list[dict[str, Any]]) -> None:
    with open_filled(rows) as (db, data):
        run(db, data)
        before = read_all(db)
        run(db, data)
        assert read_all(db) == before


@settings(max_examples=25)
@given(ROWS)
def test_protected_and_untold_records_stay_as_they_are(rows: list[dict[str, Any]]) -> None:
    with open_filled(rows) as (db, data):
        before = read_all(db)
        run(db, data)
        after = read_all(db)
        for record_id, row in before.items():
            if is_protected(row) or row["status"] in ("stale", "archived", "superseded"):
                assert after[record_id] == row


@settings(max_examples=25)
@given(ROWS)
def test_run_is_taken_back_as_a_whole_and_not_repeated(rows: list[dict[str, Any]]) -> None:
    with open_filled(rows) as (db, data):
        before = read_all(db)
        report = run(db, data)
        bounds = {"first_id": report.first_audit, "last_id": report.last_audit}
        _, kept = undo_entries(db, **bounds, actor=ACTOR, now_ms=NOW_MS)
        assert kept == []
        after = read_all(db)
        assert {record_id: after[record_id] for record_id in before} == before
        assert {after[record_id]["status"] for record_id in after.keys() - before.keys()} <= {"retracted"}
        run(db, data)
        again = read_all(db)
        assert {record_id: again[record_id] for record_id in before} == before


@settings(max_examples=25)
@given(ROWS)
def test_every_record_that_was_put_away_comes_back_as_it_was(rows: list[dict[str, Any]]) -> None:
    with open_filled(rows) as (db, data):
        before = read_all(db)
        run(db, data)
        for record_id, row in before.items():
            if records.read(db, record_id)["status"] != row["status"] and row["status"] == "active":
                assert restore(db, record_id, now_ms=NOW_MS + 1)
                assert read_all(db)[record_id] == row
