"""What recurs becomes a memory: a thing said in three sessions or more is judged as if it had been reviewed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engram_hooks.curate.brain.rulings import open_adviser
from engram_hooks.curate.consolidation.work import ACTOR, Change, StepReport
from engram_hooks.curate.lineage import put_under
from engram_hooks.curate.promote import judge, promote_candidate
from engram_hooks.curate.sameness import Sense, WordIndex, is_heard_again
from engram_hooks.sessions.statements import split_statements
from engram_hooks.store import meta, records, upkeep
from engram_hooks.store.log import unpack_uuid
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engram_hooks.curate.consolidation.work import Work

NAME = "promote"
MIN_SESSIONS = 3
HEARD_FACT = "consolidate:heard_log_id"
MAX_LINES = 1_000
_WAITING = ("candidate",)
_HEARD = "candidate", "active", "compacted"
_MIN_WORDS, _MAX_WORDS = 3, 40


def run(work: Work) -> StepReport:
    """Note what users said again, then promote the candidates that at least three sessions speak for."""
    heard, is_heard = _listen(work)
    kept = upkeep.restored_ids(work.db)
    rows = upkeep.list_rows(work.db, _WAITING, project_id=work.project_id)
    waiting = [row for row in rows if row["id"] not in kept]
    spoken = upkeep.sessions_of_evidence(work.db, [row["id"] for row in waiting])
    for record_id, _, session_id in heard:
        spoken.setdefault(record_id, set()).add(session_id)
    promoted: list[Change] = []
    is_complete = is_heard
    for leader, followers, count in _find_recurring(work, waiting, spoken):
        if not work.may_go_on() or len(promoted) >= work.max_changes:
            is_complete = False
            break
        promoted += _promote(work, leader, followers, count=count)
    counts = {"promoted": len(promoted), "heard again": len(heard)}
    return StepReport(NAME, counts, tuple(promoted), is_complete=is_complete)


def _listen(work: Work) -> tuple[list[tuple[int, str, int]], bool]:
    """(record, uuid, session) of what users repeated since the last run; written down as evidence."""
    since = int(meta.get_fact(work.db, HEARD_FACT) or 0)
    lines = upkeep.said_after(work.db, since, limit=MAX_LINES)
    listener = _Listener(work) if lines else None
    found: list[tuple[int, str, int]] = []
    last_id = since
    for log_id, uuid, session_id, project_id, text, _ in lines:
        if not work.may_go_on():
            break
        last_id = log_id
        if listener and work.project_id in (None, project_id):
            name = unpack_uuid(uuid)
            matched = listener.match(text, project_id)
            again = [record_id for record_id in matched if not upkeep.rests_on(work.db, record_id, name)]
            found += [(record_id, name, session_id) for record_id in again]
    if not work.is_dry and last_id != since:
        with Transaction(work.db):
            for record_id, uuid_text, _ in found:
                records.add_evidence(work.db, record_id, "log", uuid_text, now_ms=work.now_ms)
            if work.project_id is None:
                meta.set_fact(work.db, HEARD_FACT, str(last_id))
    return found, len(lines) < MAX_LINES and (not lines or last_id == lines[-1][0])


class _Listener:
    """Knows what is kept or waits, and which of it a message repeats."""

    def __init__(self, work: Work) -> None:
        self._reader = work.reader
        self._index = WordIndex()
        self._senses: dict[int, Sense] = {}
        for row in upkeep.list_rows(work.db, _HEARD):
            sense = self._senses[row["id"]] = work.reader.read(row["summary"])
            self._index.add(row["project_id"], row["id"], sense)

    def match(self, text: str, project_id: int) -> list[int]:
        """The records that a message of the user repeats."""
        found: dict[int, None] = {}
        for sentence in split_statements(text):
            if not _MIN_WORDS <= len(sentence.split()) <= _MAX_WORDS:
                continue
            sense = self._reader.read(sentence)
            for group in dict.fromkeys((project_id, 0)):
                for record_id in self._index.find(group, sense):
                    if is_heard_again(sense, self._senses[record_id]):
                        found[record_id] = None
        return list(found)


def _find_recurring(
    work: Work, waiting: Sequence[Mapping[str, Any]], spoken: Mapping[int, set[int]]
) -> list[tuple[int, list[int], int]]:
    """(candidate, candidates that say the same, sessions that speak for them) for all with enough sessions."""
    senses = {row["id"]: work.reader.read(row["summary"]) for row in waiting}
    index = WordIndex()
    for row in waiting:
        index.add(row["project_id"], row["id"], senses[row["id"]])
    out: list[tuple[int, list[int], int]] = []
    taken: set[int] = set()
    for row in sorted(waiting, key=lambda one: (-one["confidence"], one["id"])):
        own = row["id"]
        if own in taken:
            continue
        same = [
            other
            for other in index.find(row["project_id"], senses[own])
            if other != own and other not in taken and is_heard_again(senses[own], senses[other])
        ]
        sessions = set().union(*(spoken.get(record_id, set()) for record_id in (own, *same)))
        if len(sessions) >= MIN_SESSIONS:
            taken.update((own, *same))
            out.append((own, same, len(sessions)))
    return sorted(out)


def _promote(work: Work, record_id: int, followers: Sequence[int], *, count: int) -> list[Change]:
    """Judge one candidate, with the evidence of those that say the same, which go into it."""
    reason = f"said in {count} sessions"
    if work.is_dry:
        row = records.read(work.db, record_id)
        projects = list(dict.fromkeys((row["project_id"], 0)))
        verdict = judge(
            work.db,
            row,
            actor=ACTOR,
            now_ms=work.now_ms,
            project_ids=projects,
            data=work.data,
            environ=work.environ,
        )
        if work.on_question:
            brain = open_adviser(
                work.db, work.environ, now_ms=work.now_ms, data=work.data, rehearse=work.on_question
            )
            verdict = brain(row, verdict) if brain else verdict
    else:
        _gather(work, record_id, followers)
        verdict = promote_candidate(
            work.db,
            record_id,
            actor=ACTOR,
            now_ms=work.now_ms,
            data=work.data,
            environ=work.environ,
            advise=open_adviser(work.db, work.environ, now_ms=work.now_ms, data=work.data),
        )
    work.touched.update((record_id, *followers))
    gone = [
        Change(other, "archived", f"says the same as {record_id}", target_id=record_id) for other in followers
    ]
    return [Change(record_id, verdict.action, reason, target_id=verdict.target_id), *gone]


def _gather(work: Work, record_id: int, followers: Sequence[int]) -> None:
    with Transaction(work.db):
        for other in followers:
            put_under(
                work.db,
                other,
                record_id,
                reason=f"says the same as {record_id}",
                now_ms=work.now_ms,
                actor=ACTOR,
            )
