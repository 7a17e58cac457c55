"""Giving records their anchors: what their words name is looked for in the repository, in batches."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from sqlite3 import Connection
from typing import TYPE_CHECKING

from engram_hooks.curate.anchor_checks import find_fault
from engram_hooks.curate.anchors import find_anchors, has_unknown, list_words
from engram_hooks.curate.checks_named import link_runs
from engram_hooks.curate.mentions import list_mentions
from engram_hooks.store import anchors, records
from engram_hooks.store.anchors import Anchored
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from engram_hooks.curate.sighting import Repository

ACTOR = "engram"
BATCH = 200
WRITE_BATCH = 50


def anchor_records(
    db: Connection, repository: Repository, found: Sequence[Anchored], *, now_ms: int
) -> list[int]:
    """Give records the anchors that their own words make; returns those that speak of something that went since.

    Raises `GitError`, a `StoreError`.
    """
    mentions = {record.id: list_mentions(record) for record in found}
    named = [item.name for pairs in mentions.values() for _, item in pairs if item.kind == anchors.COMMIT]
    full, marks = repository.name_commits(named)
    sights = {branch: repository.sight_of(branch) for branch in {record.branch for record in found}}
    blobs = {blob for one in found for blob in list_words(mentions[one.id], sights[one.branch])}
    texts = repository.read(blobs)
    for branch, sight in sights.items():
        sights[branch] = replace(sight, texts=texts, commits=full, marks=marks)
    unknown = [one for one in found if has_unknown(mentions[one.id], sights[one.branch])]
    if unknown:
        went = repository.list_departures(min(one.created_at for one in unknown))
        sights = {branch: replace(sight, departures=went) for branch, sight in sights.items()}
    made = [
        (one.id, find_anchors(mentions[one.id], sights[one.branch], made_at=one.created_at)) for one in found
    ]
    aside = anchors.read_anchors(db, [one.id for one in found if one.status == "stale"])
    for start in range(0, len(made), WRITE_BATCH):
        with Transaction(db):
            for record_id, own in made[start : start + WRITE_BATCH]:
                anchors.put_anchors(db, record_id, own, now_ms=now_ms)
                if find_fault(aside.get(record_id, ())) and not find_fault(own):
                    take_back(db, record_id, reason="it speaks of other things now", now_ms=now_ms)
    link_runs(db, repository.project_id, found, now_ms=now_ms)
    return [one.id for one in unknown]


def anchor_unread(
    db: Connection, repository: Repository, project_id: int, *, now_ms: int, until: float
) -> list[int]:
    doubtful: list[int] = []
    while time.monotonic() < until:
        found = anchors.list_unread(db, project_id, limit=BATCH)
        if not found:
            break
        doubtful += anchor_records(db, repository, found, now_ms=now_ms)
    return doubtful


def take_back(db: Connection, record_id: int, *, reason: str, now_ms: int) -> None:
    """Tell a record again that was put aside; its status keeps no reason, the book of changes does."""
    changes = {"status": "active", "status_reason": "", "expired_at": None}
    records.update(db, record_id, changes, now_ms=now_ms, actor=ACTOR, reason=reason, action="status active")
