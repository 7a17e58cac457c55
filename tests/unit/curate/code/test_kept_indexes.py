"""Indexes that stay open: asked again at once, opened anew where the file is another one or was written."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from engram_hooks.curate.code.kept_indexes import MAX_KEPT, SETTLED_NS, KeptIndexes
from engram_hooks.errors import StoreMissing, StoreNewer
from engram_hooks.store import index_commits
from engram_hooks.store.connect import connect_file
from engram_hooks.store.index_create import delete_index, ensure_index
from engram_hooks.store.index_files import INDEX_VERSION, index_path
from engram_hooks.store.transactions import Transaction


def write_head(data: str, uid: str, head: str) -> None:
    db = ensure_index(data, uid)
    with Transaction(db):
        index_commits.set_facts(db, {"head": head})
    db.close()


def read_head(kept: KeptIndexes, data: str, uid: str) -> str:
    return index_commits.read_fact(kept.open(data, uid), "head")


@pytest.fixture
def data(tmp_path: Path) -> str:
    return str(tmp_path / "data")


def test_an_index_stays_open_while_nobody_writes(data: str) -> None:
    write_head(data, "p1", "one")
    kept = KeptIndexes()
    db = kept.open(data, "p1")
    assert kept.open(data, "p1") is db
    assert kept.open(data, "p1") is db
    kept.close()


def test_what_was_written_meanwhile_is_read(data: str) -> None:
    write_head(data, "p1", "one")
    kept = KeptIndexes()
    assert read_head(kept, data, "p1") == "one"
    writer = ensure_index(data, "p1")
    with Transaction(writer):
        index_commits.set_facts(writer, {"head": "two"})
    assert read_head(kept, data, "p1") == "two"  # it stands in the log alone
    writer.close()
    assert read_head(kept, data, "p1") == "two"
    kept.close()


def test_a_file_in_its_place_is_opened(data: str) -> None:
    write_head(data, "p1", "one")
    write_head(data, "p2", "two")
    kept = KeptIndexes()
    assert read_head(kept, data, "p1") == "one"
    os.replace(index_path(data, "p2"), index_path(data, "p1"))
    assert read_head(kept, data, "p1") == "two"
    kept.close()


def test_an_index_that_is_gone_or_newer_is_not_answered_from_memory(data: str) -> None:
    write_head(data, "p1", "one")
    kept = KeptIndexes()
    kept.open(data, "p1")
    writer = connect_file(index_path(data, "p1"), "mode=rw")
    writer.execute(f"PRAGMA user_version = {INDEX_VERSION + 1}")
    with pytest.raises(StoreNewer):
        kept.open(data, "p1")
    writer.close()
    delete_index(data, "p1")
    with pytest.raises(StoreMissing):
        kept.open(data, "p1")
    kept.close()


def test_few_stay_open_and_all_open_again_after_closing(data: str) -> None:
    for number in range(MAX_KEPT + 2):
        write_head(data, f"p{number}", str(number))
    kept = KeptIndexes()
    assert [read_head(kept, data, f"p{number}") for number in range(MAX_KEPT + 2)] == [
        str(number) for number in range(MAX_KEPT + 2)
    ]
    kept.close()
    kept.close()
    assert read_head(kept, data, "p0") == "0"
    kept.close()


def test_a_file_is_compared_again_where_it_changed(tmp_path: Path) -> None:
    place, asked = tmp_path / "app.py", []
    kept = KeptIndexes()

    def compare() -> None:
        asked.append(place.read_text())

    place.write_text("one\n")
    kept.compare(str(place), b"1", compare)
    kept.compare(str(place), b"1", compare)
    assert asked == ["one\n"] * 2  # it was written just now, and may be written again at the same moment
    late = time.time_ns() + SETTLED_NS
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "time_ns", lambda: late + SETTLED_NS)
        kept.compare(str(place), b"1", compare)
        kept.compare(str(place), b"1", compare)
        assert len(asked) == 3
        kept.compare(str(place), b"2", compare)
        assert len(asked) == 4
        place.write_text("two\n")
        kept.compare(str(place), b"1", compare)
        place.unlink()
        with pytest.raises(FileNotFoundError):
            kept.compare(str(place), b"1", compare)
    assert asked[4:] == ["two\n"]


def test_what_was_compared_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engram_hooks.curate.code.kept_indexes.MAX_COMPARED", 2)
    kept, asked = KeptIndexes(), []
    for name in ("a", "b", "c", "c", "a"):
        kept.compare(str(tmp_path / name), b"1", lambda name=name: asked.append(name))  # type: ignore[misc]
    assert asked == ["a", "b", "c", "a"]
