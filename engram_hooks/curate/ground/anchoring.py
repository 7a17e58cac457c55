"""Giving records their anchors: what their words name is looked for in the repository, in batches."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from sqlite3 import Connection
from typing import TYPE_CHECKING, NamedTuple

from engram_hooks.curate.ground.anchor_checks import find_fault
from engram_hooks.curate.ground.anchors import find_anchors, has_unknown, list_words
from engram_hooks.curate.ground.checks_named import link_runs
from engram_hooks.curate.ground.mentions import list_mentions
from engram_hooks.store import anchors, records
from engram_hooks.store.anchors import Anchor, Anchored
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from engram_hooks.curate.ground.sighting import Repository

ACTOR = "engram"
BATCH = 200
WRITE_BATCH = 50
MAX_WAIT_MS = 14 * 86_400_000  # a note may name a file that is written and not committed yet


class _Read(NamedTuple):
    """What was found for one record; `is_unknown`: it names a file that is not there, `is_waiting`: nor ever was."""

    record: Anchored
    anchors: list[Anchor]
    is_unknown: bool
    is_waiting: bool


def anchor_records(
    db: Connection, repository: Repository, found: Sequence[Anchored], *, now_ms: int
) -> list[int]:
    """Give records the anchors that their own words make; returns those that may speak of what went since.

    One that names a file which is not there yet is read again later. Raises `GitError`, a `StoreError`.
    """
    reads = _read_all(repository, found, now_ms=now_ms)
    aside = anchors.read_anchors(db, [one.id for one in found if one.status == "stale"])
    waiting = anchors.list_waiting(db, [one.id for one in found])
    for start in range(0, len(reads), WRITE_BATCH):
        with Transaction(db):
            for read in reads[start : start + WRITE_BATCH]:
                number = read.record.id
                put = anchors.add_anchors if number in waiting else anchors.put_anchors
                put(db, number, read.anchors, now_ms=now_ms)
                anchors.note_read(db, number, is_waiting=read.is_waiting)
                if find_fault(aside.get(number, ())) and not find_fault(read.anchors):
                    take_back(db, number, reason="it speaks of other things now", now_ms=now_ms)
    link_runs(db, repository.project_id, found, now_ms=now_ms)
    return [read.record.id for read in reads if read.is_unknown]


def anchor_unread(
    db: Connection,
    repository: Repository,
    *,
    now_ms: int,
    until: float,
    has_moved: bool,
) -> list[int]:
    """Anchor the records that are still to be read, with `has_moved` also those that wait for a file.

    Returns those that may speak of what went since they were made.
    """
    doubtful: list[int] = []
    after = 0
    while time.monotonic() < until:
        found = anchors.list_unread(
            db, repository.project_id, after=after, limit=BATCH, with_waiting=has_moved
        )
        if not found:
            break
        doubtful += anchor_records(db, repository, found, now_ms=now_ms)
        after = found[-1].id
    return doubtful


def _read_all(repository: Repository, found: Sequence[Anchored], *, now_ms: int) -> list[_Read]:
    mentions = {record.id: list_mentions(record) for record in found}
    named = [item.name for pairs in mentions.values() for _, item in pairs if item.kind == anchors.COMMIT]
    full, marks = repository.name_commits(named)
    sights = {branch: repository.sight_of(branch) for branch in {record.branch for record in found}}
    blobs = {blob for one in found for blob in list_words(mentions[one.id], sights[one.branch])}
    texts = repository.read(blobs)
    for branch, sight in sights.items():
        sights[branch] = replace(sight, texts=texts, commits=full, marks=marks)
    unknown = {one.id for one in found if has_unknown(mentions[one.id], sights[one.branch])}
    if unknown:
        went = repository.list_departures(min(one.created_at for one in found if one.id in unknown))
        sights = {branch: replace(sight, departures=went) for branch, sight in sights.items()}
    reads = []
    for one in found:
        sight, made_at = sights[one.branch], one.created_at
        own = find_anchors(mentions[one.id], sight, made_at=made_at)
        is_young = made_at > now_ms - MAX_WAIT_MS
        waits = is_young and one.id in unknown and has_unknown(mentions[one.id], sight, made_at=made_at)
        reads.append(_Read(one, own, one.id in unknown, waits))
    return reads


def take_back(db: Connection, record_id: int, *, reason: str, now_ms: int) -> None:
    """Tell a record again that was put aside; its status keeps no reason, the book of changes does."""
    changes = {"status": "active", "status_reason": "", "expired_at": None}
    records.update(db, record_id, changes, now_ms=now_ms, actor=ACTOR, reason=reason, action="status active")
