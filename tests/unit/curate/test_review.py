"""Candidates: proposed once, accepted, or never heard of again."""

from __future__ import annotations

from sqlite3 import Connection
from typing import Any

import pytest

from engram_hooks.curate import review
from engram_hooks.errors import EngramError, UsageError
from engram_hooks.store import log, lookup, records, sessions, tombstones

NOW = 1_780_000_000_000
UUID = "00000000-0000-4000-8000-000000000001"


def propose(store: Connection, summary: str, **fields: Any) -> int:
    """Insert a candidate of project 1 and return its id."""
    row = {"kind": "decision", "project_id": 1, "summary": summary, "status": "candidate", **fields}
    return records.insert(store, row, now_ms=NOW, actor="miner")


def open_ids(store: Connection) -> list[int]:
    """The ids of what is proposed."""
    return [item.record.id for item in review.list_proposals(store, 1)]


def test_candidates_come_newest_first_each_text_once(store: Connection) -> None:
    first = propose(store, "cap retries at five")
    second = propose(store, "use quartz for queues")
    third = propose(store, "Cap retries at five.")
    assert open_ids(store) == [third, second]
    assert first not in open_ids(store)


def test_candidate_that_an_active_record_says_is_settled(store: Connection) -> None:
    active = records.insert(
        store, {"kind": "decision", "project_id": 1, "summary": "Use quartz"}, now_ms=NOW, actor="person"
    )
    candidate = propose(store, "use quartz.")
    records.add_evidence(store, candidate, "log", UUID, now_ms=NOW)
    assert open_ids(store) == []
    assert review.settle_duplicates(store, 1, now_ms=NOW) == 1
    assert records.read(store, candidate)["status"] == "archived"
    assert [item["ref"] for item in lookup.list_evidence(store, active)] == [UUID]


def test_settling_leaves_different_candidates_alone(store: Connection) -> None:
    propose(store, "use quartz for queues")
    propose(store, "use quartz for caches")
    assert review.settle_duplicates(store, 1, now_ms=NOW) == 0
    assert len(open_ids(store)) == 2


def test_candidates_of_another_project_are_not_proposed(store: Connection) -> None:
    propose(store, "use quartz", project_id=2)
    assert open_ids(store) == []


def test_accepted_candidate_is_told_as_true(store: Connection) -> None:
    record = review.accept(store, propose(store, "use quartz"), now_ms=NOW)
    assert (record.status, record.confidence) == ("active", 1.0)
    assert open_ids(store) == []


def test_accepting_may_reword_and_replace(store: Connection) -> None:
    old = records.insert(
        store,
        {"kind": "fact", "project_id": 1, "summary": "Package manager is npm", "valid_from": NOW - 9},
        now_ms=NOW,
        actor="person",
    )
    candidate = propose(store, "use pnpm here", valid_from=NOW - 5)
    record = review.accept(
        store, candidate, now_ms=NOW, summary="Package manager is pnpm", kind="preference", supersedes=old
    )
    assert (record.summary, record.kind) == ("Package manager is pnpm", "feedback")
    row = records.read(store, old)
    assert (row["status"], row["superseded_by"], row["valid_to"]) == ("superseded", candidate, NOW - 5)


def test_refused_text_is_buried(store: Connection) -> None:
    candidate = propose(store, "use quartz")
    review.refuse(store, [candidate], now_ms=NOW)
    assert open_ids(store) == []
    assert tombstones.is_buried(store, "Use quartz!", project_id=1)


def test_only_candidates_are_accepted_or_refused(store: Connection) -> None:
    candidate = propose(store, "use quartz")
    review.accept(store, candidate, now_ms=NOW)
    with pytest.raises(EngramError, match="is active"):
        review.accept(store, candidate, now_ms=NOW)
    with pytest.raises(EngramError, match="is active"):
        review.refuse(store, [candidate], now_ms=NOW)
    assert not tombstones.is_buried(store, "use quartz", project_id=1)


def test_empty_rewording_changes_nothing(store: Connection) -> None:
    candidate = propose(store, "use quartz")
    with pytest.raises(UsageError):
        review.accept(store, candidate, now_ms=NOW, summary=" ")
    assert open_ids(store) == [candidate]


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_proposal_says_who_said_it(store: Connection, role: str) -> None:
    session = sessions.add_session(
        store, "s", project_id=1, root="", branch="", transcript_path="", now_ms=NOW
    )
    log.append_rows(store, session[0], [(UUID, role, "", "let us use quartz", NOW)])
    candidate = propose(store, "use quartz", detail="let us use quartz")
    records.add_evidence(store, candidate, "log", UUID, now_ms=NOW)
    (item,) = review.list_proposals(store, 1)
    assert (item.speaker, item.quote) == (role, "let us use quartz")


@pytest.mark.parametrize("quote", ["Please use quartz.", "From now on, use Quartz!", "Use quartz"])
def test_quote_that_says_no_more_is_not_kept_beside_the_summary(store: Connection, quote: str) -> None:
    kept = review.accept(store, propose(store, "Use quartz.", detail=quote), now_ms=NOW)
    assert (kept.summary, kept.detail) == ("Use quartz.", "")


@pytest.mark.parametrize(
    "quote",
    ["Use quartz, since opal leaks.", "Opal leaks in every release that we have tried so far: use quartz."],
)
def test_quote_that_says_more_stays_as_detail(store: Connection, quote: str) -> None:
    kept = review.accept(store, propose(store, "Use quartz.", detail=quote), now_ms=NOW)
    assert kept.detail == quote


def test_own_words_keep_the_quote(store: Connection) -> None:
    kept = review.accept(
        store, propose(store, "Use quartz.", detail="Opal leaks."), now_ms=NOW, summary="No opal"
    )
    assert (kept.summary, kept.detail) == ("No opal", "Opal leaks.")
