"""Sealing that is cut off at any moment, and two processes that seal: no vector is lost, none is told twice."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks.curate import backfill
from engram_hooks.embed.nearest import find_nearest
from engram_hooks.store import sealing, segments, vectors
from engram_hooks.store.check import check_store
from engram_hooks.store.create import ensure_store
from tests.conftest import NOW_MS
from tests.support.repo_files import ROOT
from tests.unit.curate.test_backfill import ANSWER, QUESTION, add, add_many

# a process that dies without a word just before, or just after, one step of sealing
DYING = f"""
import os, sys
sys.path.insert(0, sys.argv[1])
from engram_hooks.curate import backfill
from engram_hooks.store import sealing
from engram_hooks.store.create import ensure_store
data, where, when = sys.argv[2:]
owner = sealing if hasattr(sealing, where) else backfill
step = getattr(owner, where)
def die(*args, **named):
    if when == "after":
        step(*args, **named)
    os._exit(9)
setattr(owner, where, die)
db = ensure_store(data, now_ms={NOW_MS})
backfill.embed_missing(db, data, {{}}, now_ms={NOW_MS})
"""


def find(db: Connection, data: str) -> dict[int, float]:
    scan = vectors.open_scan(db, data, (1, 0))
    assert scan is not None
    found = find_nearest(QUESTION, scan, data, limit=3)
    scan.close()
    return found


def fill(db: Connection, data: str) -> int:
    """Records with vectors that are about to be sealed, with a segment to be merged; returns the answer's id."""
    db.execute("INSERT INTO projects VALUES (1, ?, 'p', 0, 1)", ("1" * 32,))
    add_many(db, 300)
    answer = add(db, ANSWER)
    backfill.embed_missing(db, data, {}, now_ms=NOW_MS)
    add_many(db, 280, seed=8)
    backfill.embed_missing(db, data, {}, now_ms=NOW_MS, limit=300)
    assert len(sealing.read_tail(db, 1, 1)) == 280
    return answer


def run(*args: str) -> int:
    return subprocess.run([sys.executable, "-c", DYING, str(ROOT), *args], check=False, timeout=60).returncode


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("where", ["begin_segment", "write_segment", "finish_segment"])
def test_sealing_that_is_cut_off_loses_nothing(store: Connection, data: str, where: str, when: str) -> None:
    answer = fill(store, data)
    before = find(store, data)
    assert next(iter(before)) == answer
    store.close()
    assert run(data, where, when) == 9
    db = ensure_store(data, now_ms=NOW_MS)
    assert find(db, data) == before
    later = NOW_MS + 2 * sealing.BUILD_MS
    backfill.embed_missing(db, data, {}, now_ms=later)
    assert find(db, data) == before
    assert [row[2] for row in sealing.list_segments(db, 1, 1)] == [581]
    assert sealing.read_tail(db, 1, 1) == []
    sealing.sweep(db, data, now_ms=time.time_ns() // 10**6 + 2 * sealing.BUILD_MS)
    (file,) = os.listdir(Path(data) / "vectors")
    assert file == f"{sealing.list_segments(db, 1, 1)[0][1]}.seg"
    assert check_store(db) == []
    db.close()


def test_second_process_leaves_a_segment_under_way_alone(store: Connection, data: str) -> None:
    fill(store, data)
    begun = sealing.begin_segment(store, 1, 1, now_ms=NOW_MS)
    assert begun is not None
    assert sealing.begin_segment(store, 1, 1, now_ms=NOW_MS + 1000) is None
    assert sealing.begin_segment(store, 1, 2, now_ms=NOW_MS) is not None  # another project
    backfill.embed_missing(store, data, {}, now_ms=NOW_MS)
    assert len(sealing.read_tail(store, 1, 1)) == 280


def test_segment_that_was_taken_for_dead_does_not_count(store: Connection, data: str) -> None:
    fill(store, data)
    begun = sealing.begin_segment(store, 1, 1, now_ms=NOW_MS)
    assert begun is not None
    backfill.embed_missing(store, data, {}, now_ms=NOW_MS + 2 * sealing.BUILD_MS)
    assert [row[2] for row in sealing.list_segments(store, 1, 1)] == [581]
    assert not sealing.finish_segment(store, begun[0], row_count=280, tail_ids=[], merged_ids=[])
    assert [row[2] for row in sealing.list_segments(store, 1, 1)] == [581]


def test_record_changed_while_a_segment_is_written_is_not_told_from_it(
    store: Connection, data: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engram_hooks.store import records

    answer = fill(store, data)
    write = segments.write_segment

    def write_slowly(path: str, parts: list[bytes]) -> None:
        write(path, parts)
        records.update(store, answer, {"summary": "Dark mode, please"}, now_ms=NOW_MS, actor="person")

    monkeypatch.setattr(backfill, "write_segment", write_slowly)
    backfill.embed_missing(store, data, {}, now_ms=NOW_MS)
    monkeypatch.undo()
    assert answer not in find(store, data)
    backfill.embed_missing(store, data, {}, now_ms=NOW_MS)
    assert find(store, data).get(answer, 0.0) < 0.3


def test_disk_that_refuses_changes_nothing(
    store: Connection, data: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, data)
    before = find(store, data)

    def refuse(path: str, parts: list[bytes]) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backfill, "write_segment", refuse)
    with pytest.raises(OSError, match="No space"):
        backfill.embed_missing(store, data, {}, now_ms=NOW_MS)
    monkeypatch.undo()
    assert find(store, data) == before
    backfill.embed_missing(store, data, {}, now_ms=NOW_MS)
    assert [row[2] for row in sealing.list_segments(store, 1, 1)] == [581]
