"""What becomes of the branches on which records were made, and of these records when the mainline gets the work."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any

from engram_hooks.curate.record import Record, from_row
from engram_hooks.errors import EngramError, StoreBusy, StoreReadOnly
from engram_hooks.history import git
from engram_hooks.store import branches, lookup, meta, records, settings
from engram_hooks.store.branches import GONE, MERGED, OPEN, Branch
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from engram_hooks.curate.ground.mainline import Mainline
    from engram_hooks.history.merges import Line, Merged
    from engram_hooks.memory import Engram

_FACT = "followed:"
MAX_NOTES = 8  # of a branch, that a question lists
MARK = "branch:"  # before a branch's name where something else could stand
_HOW = {
    "merge": "merged",
    "forward": "merged",
    "squash": "merged as one commit",
    "rebase": "merged commit by commit",
    "message": "merged",
}


@dataclass(frozen=True, slots=True)
class BranchNotes:
    """A branch with how many records wait on it and, where it is asked about, the first of them.

    `branch` says what became of it.
    """

    branch: Branch
    count: int
    notes: tuple[Record, ...] = ()

    @property
    def is_asked(self) -> bool:
        """Whether a person is asked if its records hold for the project now."""
        return bool(self.branch.state == MERGED and self.count and not self.branch.is_kept)

    @property
    def fate(self) -> str:
        """What became of it in words."""
        known = self.branch
        if known.state == MERGED:
            return f"{_HOW.get(known.merged_how, 'merged')} in {known.merged_as[:8]}"
        return "gone without a merge" if known.state == GONE else "open"

    @property
    def ref(self) -> str:
        """What an answer names it by."""
        return MARK + self.branch.name

    def ask(self) -> tuple[str, ...]:
        """(what it is about, what is asked, the records)."""
        notes = "1 note was" if self.count == 1 else f"{self.count} notes were"
        it = "does it hold" if self.count == 1 else "do they hold"
        listed = [f"[{record.short_id}] {record.summary}" for record in self.notes]
        if len(listed) < self.count:
            listed.append(f"and {self.count - len(listed)} more")
        question = f"{notes} made on it: {it} for the project now?"
        return f"branch {self.branch.name} was {self.fate}", question, *listed

    def as_question(self) -> dict[str, Any]:
        """The branch as a question for JSON."""
        summary, asked, *_ = self.ask()
        told = {"id": self.ref, "kind": "branch", "question": "promote", "summary": summary, "reason": asked}
        return {**told, **self.as_dict()}

    def as_dict(self) -> dict[str, Any]:
        """The branch for JSON."""
        known = self.branch
        told = {
            name: getattr(known, name)
            for name in ("name", "state", "tip", "merged_as", "merged_how", "merged_at")
        }
        return {**told, "is_kept": known.is_kept, "notes": self.count, "is_asked": self.is_asked}


def follow(
    db: Connection, project_id: int, line: Mainline, *, environ: Mapping[str, str], now_ms: int
) -> list[Branch]:
    """See what became of the branches that records were made on; returns those that changed their state.

    A branch that git cannot tell about stays what it was.
    """
    from engram_hooks.history.departures import find_new_name

    known = branches.read_branches(db, project_id)
    counts = branches.count_records(db, project_id)
    seen = repr((line.tips, sorted((name, line.refs.tips_of(name)) for name in counts)))
    mark = hashlib.sha256(seen.encode("utf-8", "replace")).hexdigest()
    if meta.get_fact(db, f"{_FACT}{project_id}") == mark:
        return []  # neither the mainline nor one of them has moved
    changed: list[Branch] = []
    for name, (_, first_at) in counts.items():
        if not line.refs.tips_of(name) and (new_name := find_new_name(line.root, name)):
            _rename(db, project_id, name, new_name, now_ms=now_ms)
            continue
        old = known.get(name) or Branch(name, seen_at=now_ms)
        try:
            new = _look(old, line, environ=environ, since_ms=first_at, now_ms=now_ms)
        except git.GitError:
            mark = ""  # look again the next time
            continue
        if new.state != old.state:
            changed.append(new)
        if replace(new, seen_at=old.seen_at) != old or name not in known:
            with Transaction(db):
                branches.put_branch(db, project_id, new)
    with Transaction(db):
        meta.set_fact(db, f"{_FACT}{project_id}", mark)
    return changed


def promote(db: Connection, project_id: int, name: str, *, actor: str, reason: str, now_ms: int) -> int:
    """Let the records of a branch hold for the project; returns how many. Raises a `StoreError`.

    Each is judged as if it were said there now: it takes the place of what it contradicts, or goes into what says it.
    """
    from engram_hooks.curate.promote import promote_candidate

    waiting = branches.list_ids(db, project_id, name)
    for number in waiting:
        with Transaction(db):
            row = records.read(db, number)
            changes = {"branch": "", "scope": "project" if row["scope"] == "branch" else row["scope"]}
            records.update(db, number, changes, now_ms=now_ms, actor=actor, reason=reason, action="promote")
        if row["status"] == "active":
            promote_candidate(db, number, actor=actor, now_ms=now_ms)
    return len(waiting)


def promote_merged(db: Connection, project_id: int, environ: Mapping[str, str], *, now_ms: int) -> list[str]:
    """Promote what merged branches left where the setting says so without asking; sentences of what was done."""
    if settings.read(db, project_id, environ)["branch.promote"] != "auto":
        return []
    told = []
    for one in list_branches(db, project_id):
        if one.is_asked:
            reason = f"{one.branch.name} was {one.fate}"
            count = promote(db, project_id, one.branch.name, actor="engram", reason=reason, now_ms=now_ms)
            notes = "1 note" if count == 1 else f"{count} notes"
            told.append(f"promoted {notes} of branch {one.branch.name} to the project: it was {one.fate}")
    return told


def keep(db: Connection, project_id: int, name: str) -> None:
    """Let the records of a merged branch stay on it, and do not ask again."""
    with Transaction(db):
        known = branches.read_branches(db, project_id).get(name) or Branch(name)
        branches.put_branch(db, project_id, replace(known, is_kept=True))


def list_branches(db: Connection, project_id: int) -> list[BranchNotes]:
    """The branches with records that wait on them, those to ask about first, then by name."""
    known = branches.read_branches(db, project_id)
    counts = branches.count_records(db, project_id)
    found = [BranchNotes(known.get(name) or Branch(name), count) for name, (count, _) in counts.items()]
    return sorted(found, key=lambda one: (not one.is_asked, one.branch.name))


def count(db: Connection, project_id: int) -> int:
    """On how many branches records wait."""
    return len(branches.count_records(db, project_id))


def list_asked(db: Connection, project_id: int, environ: Mapping[str, str]) -> list[BranchNotes]:
    """The merged branches about whose records a person is asked; none where the setting is `off`."""
    if not project_id or settings.read(db, project_id, environ)["branch.promote"] == "off":
        return []
    asked = [one for one in list_branches(db, project_id) if one.is_asked]
    ids = {one.ref: branches.list_ids(db, project_id, one.branch.name)[:MAX_NOTES] for one in asked}
    return [
        replace(one, notes=tuple(from_row(row) for row in lookup.read_many(db, ids[one.ref])))
        for one in asked
    ]


def look_here(memory: Engram) -> list[BranchNotes]:
    """The branches of the project here, after a look at what became of them."""
    from engram_hooks.curate.ground.mainline import find_mainline

    if not memory.project_id:
        return []
    now_ms = time.time_ns() // 1_000_000
    line = find_mainline(memory.db, memory.project_id, memory.environ)
    if line is not None:
        with suppress(StoreBusy, StoreReadOnly):
            follow(memory.db, memory.project_id, line, environ=memory.environ, now_ms=now_ms)
    return list_branches(memory.db, memory.project_id)


def promote_here(memory: Engram, name: str) -> list[Record]:
    """Let the records of a branch hold for the project here, as a person asks for it; the records as they are now.

    Raises `EngramError` where none wait on it.
    """
    project_id = memory.project_id or 0
    waiting = branches.list_ids(memory.db, project_id, name) if name else []
    if not waiting:
        raise EngramError(f"no note waits on a branch {name[:80]!r}", hint="engram branches")
    now_ms = time.time_ns() // 1_000_000
    promote(memory.db, project_id, name, actor="person", reason="promoted by hand", now_ms=now_ms)
    return [from_row(row) for row in lookup.read_many(memory.db, waiting)]


def _rename(db: Connection, project_id: int, old: str, new: str, *, now_ms: int) -> None:
    """Let the records of a branch follow its new name; they are looked at by that the next time."""
    reason = f"branch {old} was renamed"
    with Transaction(db):
        for number in branches.list_ids(db, project_id, old):
            records.update(db, number, {"branch": new}, now_ms=now_ms, actor="engram", reason=reason)


def _look(old: Branch, line: Mainline, *, environ: Mapping[str, str], since_ms: int, now_ms: int) -> Branch:
    """A branch as it is now. Raises `GitError`."""
    from engram_hooks.history import merges
    from engram_hooks.history.departures import find_last_tip, has_own_commits

    standing = line.refs.tips_of(old.name)
    tip = standing[0] if standing else find_last_tip(line.root, old.name) or old.tip
    if old.state == MERGED and tip == old.tip:
        return old
    main = merges.Line(line.root, line.tips, environ)
    has_own = old.has_own or bool(standing and has_own_commits(line.root, old.name))
    found, has_own = _find_merge(
        main, old.name, tip, has_own=has_own, since_ms=since_ms, has_ref=bool(standing)
    )
    state = MERGED if found else OPEN if standing else GONE
    return replace(
        old,
        tip=tip,
        state=state,
        has_own=has_own,
        merged_as=found.commit if found else "",
        merged_how=found.how if found else "",
        merged_at=found.at_ms if found else None,
        is_kept=old.is_kept and state == MERGED,
        seen_at=now_ms,
    )


def _find_merge(
    main: Line, name: str, tip: str, *, has_own: bool, since_ms: int, has_ref: bool
) -> tuple[Merged | None, bool]:
    """(how the mainline got the branch, whether it had commits of its own)."""
    from engram_hooks.history import merges

    if tip and merges.has_commit(main, tip):
        if merges.is_contained(main, tip):
            found = merges.find_containing(main, tip, has_own=has_own)
            return found, has_own or found is not None
        found, has_own = merges.find_equal(main, tip), True
    else:
        found = None
    if found is None and not has_ref:  # one that is there goes on after a merge that names it
        found = merges.find_named(main, name, since_ms=since_ms)
    return found, has_own
