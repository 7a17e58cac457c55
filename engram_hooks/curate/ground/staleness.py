"""Records held against the code: what speaks of files, symbols, lines or commits that are gone is put aside."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from sqlite3 import Connection
from typing import TYPE_CHECKING

from engram_hooks.curate import branches
from engram_hooks.curate.ground.anchor_checks import find_fault, list_blobs, look_again
from engram_hooks.curate.ground.anchoring import ACTOR, BATCH, WRITE_BATCH, anchor_unread, take_back
from engram_hooks.curate.protection import is_protected
from engram_hooks.curate.record import short_id
from engram_hooks.errors import EngramError, StoreBusy, StoreError, StoreReadOnly
from engram_hooks.jsontext import dumps, loads
from engram_hooks.store import anchors, meta, records
from engram_hooks.store.anchors import GONE, THERE, Anchor, Anchored
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from engram_hooks.curate.ground.sighting import Repository
    from engram_hooks.memory import Engram

MAX_REASONS = 2
MAX_HERE_S = 3.0
_FACT = "staleness:"


def refresh_staleness(
    db: Connection,
    data: str,
    environ: Mapping[str, str],
    *,
    project_id: int,
    now_ms: int,
    until: float,
    is_dry: bool = False,
) -> list[str]:
    """Hold a project's records against its repository; returns in sentences what changed, or would with `is_dry`.

    New records get anchors, branches are followed, and where a line of development has moved every record with
    anchors is looked at. Stops when the monotonic clock reaches `until` and goes on from there the next time. Without a
    repository, or where git cannot say, nothing changes. Raises a `StoreError`.
    """
    from engram_hooks.curate.ground.mainline import find_mainline
    from engram_hooks.curate.ground.sighting import open_repository

    if not project_id:
        return []
    told: list[str] = []
    try:
        line = find_mainline(db, project_id, environ)
        if line is None:
            return []
        if not is_dry:
            branches.follow(db, project_id, line, environ=environ, now_ms=now_ms)
            told += branches.promote_merged(db, project_id, environ, now_ms=now_ms)
        past = _Past.read(db, project_id)
        with open_repository(db, data, project_id, line, environ=environ, since=past.ends) as repository:
            check = _Check(db, repository, now_ms=now_ms, is_dry=is_dry)
            return told + check.bring_up(past, until=until)
    except StoreError:
        raise
    except EngramError:  # git cannot say: nothing is put aside for that
        return told


def refresh_here(memory: Engram, *, max_s: float = MAX_HERE_S) -> list[str]:
    """The same for the project here, for at most `max_s` seconds; nothing in a store that cannot be written."""
    project_id = memory.project_id
    if not project_id or not (
        anchors.has_any(memory.db, project_id) or branches.count(memory.db, project_id)
    ):
        return []
    with suppress(StoreBusy, StoreReadOnly):
        return refresh_staleness(
            *(memory.db, memory.data, memory.environ),
            project_id=project_id,
            now_ms=time.time_ns() // 1_000_000,
            until=time.monotonic() + max_s,
        )
    return []


def _list_ends(db: Connection, project_id: int, repository: Repository) -> dict[str, list[str]]:
    """What has to move before records are looked at again: the lines they are held against, all refs for commits."""
    ends = {name: list(own.tips) for name, own in repository.own.items()}
    ends[""] = list(repository.line.tips)
    if anchors.list_commits(db, project_id):
        refs = repository.line.refs
        ends["*"] = [
            hashlib.sha256(repr(sorted([*refs.heads.items(), *refs.remotes.items()])).encode()).hexdigest()
        ]
    return ends


class _Past:
    """What a project's last refresh saw: the ends of its lines, and how far one that was broken off came."""

    def __init__(self, ends: dict[str, list[str]], aim: dict[str, list[str]], after: int) -> None:
        self.ends, self.aim, self.after = ends, aim, after

    @classmethod
    def read(cls, db: Connection, project_id: int) -> _Past:
        try:
            found = loads(meta.get_fact(db, f"{_FACT}{project_id}") or "")
        except ValueError:
            found = None
        if not isinstance(found, dict):
            return cls({}, {}, 0)
        ends, aim, after = found.get("ends"), found.get("aim"), found.get("after")
        return cls(
            ends if isinstance(ends, dict) else {},
            aim if isinstance(aim, dict) else {},
            after if isinstance(after, int) else 0,
        )

    def write(
        self, db: Connection, project_id: int, *, ends: dict[str, list[str]], after: int | None
    ) -> None:
        """Note that all is checked (`after` None), or up to which record."""
        seen = {"ends": ends} if after is None else {"ends": self.ends, "aim": ends, "after": after}
        with Transaction(db):
            meta.set_fact(db, f"{_FACT}{project_id}", dumps(seen))


class _Check:
    """One pass over the records of a project; `told` says what changed."""

    def __init__(self, db: Connection, repository: Repository, *, now_ms: int, is_dry: bool) -> None:
        self.told: list[str] = []
        self._db, self._repository = db, repository
        self._now_ms, self._is_dry = now_ms, is_dry
        self._lost: dict[str, str] | None = None

    def bring_up(self, past: _Past, *, until: float) -> list[str]:
        """Anchor what is new, look at all where a line has moved; sentences of what changed."""
        db, repository = self._db, self._repository
        project_id = repository.project_id
        if not self._is_dry:
            has_moved = _list_ends(db, project_id, repository) != past.ends
            new = anchor_unread(db, repository, now_ms=self._now_ms, until=until, has_moved=has_moved)
            self.look_at(new)
        ends = _list_ends(db, project_id, repository)
        if ends != past.ends:
            done = self.run(project_id, after=past.after if past.aim == ends else 0, until=until)
            if not self._is_dry:
                past.write(db, project_id, ends=ends, after=done)
        return self.told

    def run(self, project_id: int, *, after: int, until: float) -> int | None:
        """Look at all records behind `after`; None where all are done, else the last one that is."""
        self._lost = self._repository.find_lost(anchors.list_commits(self._db, project_id))
        while found := anchors.list_anchored(self._db, project_id, after=after, limit=BATCH):
            if time.monotonic() >= until:
                return after
            self._look(found)
            after = found[-1].id
        return None

    def look_at(self, record_ids: Sequence[int]) -> None:
        """Look at some records alone."""
        for start in range(0, len(record_ids), BATCH):
            self._look(anchors.read_records(self._db, record_ids[start : start + BATCH]))

    def _look(self, found: Sequence[Anchored]) -> None:
        repository = self._repository
        found = [record for record in found if record.branch not in repository.unseen]
        held = anchors.read_anchors(self._db, [record.id for record in found])
        sights = {branch: repository.sight_of(branch) for branch in {record.branch for record in found}}
        wanted = {
            blob
            for one in found
            for anchor in held[one.id]
            for blob in list_blobs(anchor, sights[one.branch])
        }
        texts = repository.read(wanted)
        lost = self._lost
        if lost is None:
            lost = repository.find_lost(anchor for own in held.values() for anchor in own)
        for branch, sight in sights.items():
            sights[branch] = replace(sight, texts=texts, lost=lost)
        news = {
            record.id: [look_again(anchor, sights[record.branch]) for anchor in held[record.id]]
            for record in found
        }
        changed = [record for record in found if news[record.id] != held[record.id]]
        self._explain(changed, held, news)
        for start in range(0, len(changed), WRITE_BATCH):
            self._write(changed[start : start + WRITE_BATCH], held, news)

    def _explain(
        self,
        changed: Sequence[Anchored],
        held: Mapping[int, Sequence[Anchor]],
        news: dict[int, list[Anchor]],
    ) -> None:
        """Say of each anchor that has just gone since when."""
        from engram_hooks.curate.ground.reasons import explain

        gone = {
            (record.id, at): new
            for record in changed
            for at, (old, new) in enumerate(zip(held[record.id], news[record.id], strict=True))
            if new.state == GONE and old.state != GONE
        }
        reasons = explain(self._repository, list(gone.values()), now_ms=self._now_ms)
        for (record_id, at), reason in zip(gone, reasons, strict=True):
            news[record_id][at] = replace(news[record_id][at], reason=reason)

    def _write(
        self,
        changed: Sequence[Anchored],
        held: Mapping[int, Sequence[Anchor]],
        news: Mapping[int, Sequence[Anchor]],
    ) -> None:
        if self._is_dry:
            for record in changed:
                self._settle(record, held[record.id], news[record.id])
            return
        with Transaction(self._db):
            for record in changed:
                for old, new in zip(held[record.id], news[record.id], strict=True):
                    if new != old:
                        anchors.move_anchor(self._db, record.id, new, now_ms=self._now_ms)
                self._settle(record, held[record.id], news[record.id])

    def _settle(self, record: Anchored, old: Sequence[Anchor], new: Sequence[Anchor]) -> None:
        """Put a record aside that has lost its ground, or take one back. One that a person took back stays."""
        before, fault = find_fault(old), find_fault(new)
        label = short_id(record.kind, record.id)
        if fault and not before and record.status == "active":
            reason = "; ".join([one.reason for one in fault if one.reason][:MAX_REASONS])
            row = {"kind": record.kind, "is_pinned": record.is_pinned, "tags": record.tags}
            if is_protected(row):
                self.told.append(f"{label} is in doubt: {reason} (engram review)")
                return
            self.told.append(f"{label} is stale: {reason}")
            if not self._is_dry:
                records.set_status(
                    self._db, record.id, "stale", now_ms=self._now_ms, actor=ACTOR, reason=reason
                )
        elif before and not fault and record.status == "stale":
            back = [
                one.ref for one, was in zip(new, old, strict=True) if one.state == THERE and was.state == GONE
            ]
            reason = f"{', '.join(back[:MAX_REASONS])} is back" if back else "what it speaks of is back"
            self.told.append(f"{label} holds again: {reason}")
            if not self._is_dry:
                take_back(self._db, record.id, reason=reason, now_ms=self._now_ms)
