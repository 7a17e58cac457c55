"""What becomes of a new text among the kept ones."""

from __future__ import annotations

from sqlite3 import Connection
from typing import Any

import pytest

from engram_hooks.curate.changes.judging import Verdict, find_restatements, judge
from engram_hooks.curate.promote import promote_candidate, settle
from engram_hooks.store import audit, lookup, records

NOW = 1_780_000_000_000
DAY = 86_400_000


def keep(store: Connection, summary: str, **fields: Any) -> int:
    """Store a record of project 1 as it is; returns its id."""
    row = {"kind": "fact", "project_id": 1, "summary": summary, "valid_from": NOW - 30 * DAY, **fields}
    return records.insert(store, row, now_ms=NOW - 30 * DAY, actor="person")


def ask(store: Connection, summary: str, *, actor: str = "person", **fields: Any) -> Verdict:
    """What would become of a text of project 1."""
    row = {"kind": "fact", "project_id": 1, "summary": summary, "valid_from": NOW, **fields}
    return judge(store, row, actor=actor, now_ms=NOW)


def add(store: Connection, summary: str, *, actor: str = "person", **fields: Any) -> tuple[int, Verdict]:
    """Store a text of project 1 and settle it."""
    row = {"kind": "fact", "project_id": 1, "summary": summary, "valid_from": NOW, **fields}
    verdict = judge(store, row, actor=actor, now_ms=NOW)
    record_id = records.insert(store, row, now_ms=NOW, actor=actor)
    settle(store, record_id, verdict, actor=actor, now_ms=NOW)
    return record_id, verdict


def test_change_closes_what_was_and_links_it(store: Connection) -> None:
    old = keep(store, "Docs are built with Sphinx.")
    new, verdict = add(store, "We moved the docs from Sphinx to MkDocs.")
    row = records.read(store, old)
    assert (verdict.action, verdict.target_id) == ("supersede", old)
    assert (row["status"], row["superseded_by"], row["valid_to"]) == ("superseded", new, NOW)
    assert row["status_reason"] == verdict.reason == "says that sphinx is no longer it"


def test_what_says_the_same_as_the_old_one_goes_with_it(store: Connection) -> None:
    old = keep(store, "Docs are built with Sphinx.")
    again = keep(store, "Sphinx builds the docs.")
    verdict = ask(store, "We moved the docs from Sphinx to MkDocs.")
    assert {verdict.target_id, *verdict.also} == {old, again}


def test_reversal_brings_no_old_record_back(store: Connection) -> None:
    first = keep(store, "The message broker is NATS.")
    second, _ = add(store, "The message broker moved from NATS to RabbitMQ.")
    third, verdict = add(store, "The message broker moved from RabbitMQ to NATS.", valid_from=NOW + DAY)
    assert (verdict.target_id, verdict.also) == (second, ())
    assert [row["id"] for row in lookup.read_chain(store, third)] == [first, second, third]
    assert records.read(store, first)["status"] == "superseded"


@pytest.mark.parametrize(
    "text",
    [
        "We looked at MkDocs for the docs and decided against it.",
        "Should we move the docs from Sphinx to MkDocs?",
        "There is still a leftover of Sphinx in the tox file.",
        "Removed the Sphinx badge from the README.",
        "The Sphinx docs use the furo theme.",
        "Docs builds fail on warnings.",
        "Kafka carries the domain events.",
    ],
)
def test_other_notes_replace_nothing(store: Connection, text: str) -> None:
    old = keep(store, "Docs are built with Sphinx.")
    new, verdict = add(store, text)
    assert verdict.action == "create"
    assert {records.read(store, one)["status"] for one in (old, new)} == {"active"}


def test_note_on_an_old_value_does_not_revive_it(store: Connection) -> None:
    keep(store, "Docs are built with Sphinx.")
    new, _ = add(store, "We moved the docs from Sphinx to MkDocs.")
    _, verdict = add(store, "There is still a leftover of Sphinx in the tox file.", valid_from=NOW + DAY)
    assert verdict.action == "create"
    assert records.read(store, new)["status"] == "active"


@pytest.mark.parametrize(
    "fields",
    [
        {"project_id": 2},
        {"project_id": 0},
        {"branch": "next", "scope": "branch"},
        {"kind": "incident"},
        {"kind": "state"},
        {"status": "candidate"},
        {"status": "retracted"},
    ],
)
def test_records_of_another_place_or_sort_are_left_alone(store: Connection, fields: dict[str, Any]) -> None:
    keep(store, "Docs are built with Sphinx.", **fields)
    assert ask(store, "We moved the docs from Sphinx to MkDocs.").action == "create"


def test_one_subject_by_name_needs_no_proof(store: Connection) -> None:
    old = keep(store, "Previews sit on a disk.", tags="preview-store")
    assert ask(store, "Pictures go out through Varnish.", tags="preview-store").target_id == old
    assert ask(store, "Pictures go out through Varnish.", tags="other-store").action == "create"


def test_same_words_are_discarded(store: Connection) -> None:
    old = keep(store, "Docs are built with Sphinx.")
    assert (
        ask(store, "docs are built with sphinx").action,
        ask(store, "docs are built with sphinx").target_id,
    ) == (
        "discard",
        old,
    )


def test_same_words_of_the_global_layer_are_discarded_where_it_is_looked_at(store: Connection) -> None:
    everywhere = keep(store, "Docs are built with Sphinx.", project_id=0)
    fields = {"kind": "fact", "project_id": 1, "summary": "Docs are built with Sphinx.", "valid_from": NOW}
    found = judge(store, fields, actor="person", now_ms=NOW, project_ids=(1, 0))
    assert (found.action, found.target_id) == ("discard", everywhere)
    assert judge(store, fields, actor="person", now_ms=NOW).action == "create"


def test_restatement_goes_into_what_is_kept_with_its_words(store: Connection) -> None:
    old = keep(store, "Docs are built with Sphinx.")
    new, verdict = add(store, "Sphinx is used for the docs.")
    row = records.read(store, new)
    assert verdict.action in ("merge", "update")
    assert (row["status"], row["parent_id"]) == ("archived", old)


def test_restatement_with_a_detail_of_its_own_stays(store: Connection) -> None:
    keep(store, "Docs are built with Sphinx.")
    assert ask(store, "Sphinx is used for the docs.", detail="with the furo theme").action == "create"


def test_late_fact_is_closed_by_what_came_after_it(store: Connection) -> None:
    newer = keep(store, "Docs are built with Sphinx.")
    late, verdict = add(store, "Docs are built with DocBook.", valid_from=NOW - 90 * DAY)
    row = records.read(store, late)
    assert verdict.is_late
    assert (row["status"], row["superseded_by"], row["valid_to"]) == ("superseded", newer, NOW - 30 * DAY)
    assert records.read(store, newer)["status"] == "active"


def test_late_fact_between_two_closes_the_first(store: Connection) -> None:
    first = keep(store, "Docs are built with DocBook.", valid_from=NOW - 90 * DAY)
    last, _ = add(store, "Docs are built with MkDocs now.", valid_from=NOW - 10 * DAY)
    middle, _ = add(store, "Docs are built with Sphinx.", valid_from=NOW - 50 * DAY)
    rows = {one: records.read(store, one) for one in (first, middle, last)}
    assert [rows[one]["superseded_by"] for one in (first, middle, last)] == [middle, last, None]
    assert [rows[one]["valid_to"] for one in (first, middle)] == [NOW - 50 * DAY, NOW - 10 * DAY]


@pytest.mark.parametrize("actor", ["miner", "consolidation", "brain"])
@pytest.mark.parametrize(
    ("old", "kind", "new", "why"),
    [
        (
            "Docs are built with Sphinx.",
            "decision",
            "We moved the docs from Sphinx to MkDocs.",
            "a person's word",
        ),
        (
            "Docs are built with Sphinx.",
            "constraint",
            "We moved the docs from Sphinx to MkDocs.",
            "a person's word",
        ),
        ("Logins go through Okta.", "fact", "Logins moved from Okta to Keycloak.", "it is about auth"),
        (
            "Prices are integer cents.",
            "fact",
            "Prices moved from integer cents to decimals.",
            "it is about money",
        ),
    ],
)
def test_what_was_only_heard_waits_for_a_person(
    store: Connection, actor: str, old: str, kind: str, new: str, why: str
) -> None:
    kept = keep(store, old, kind=kind)
    heard = keep(store, new, status="candidate", valid_from=NOW)
    verdict = promote_candidate(store, heard, actor=actor, now_ms=NOW)
    row = records.read(store, kept)
    assert (verdict.action, verdict.held, verdict.target_id) == ("needs_review", "supersede", kept)
    assert why in verdict.reason
    assert records.read(store, heard)["status"] == "needs_review"
    assert (row["status"], row["status_reason"]) == ("active", f"disputed by k{heard}")


@pytest.mark.parametrize("actor", ["miner", "consolidation", "brain"])
def test_what_was_heard_of_other_things_replaces_at_once(store: Connection, actor: str) -> None:
    old = keep(store, "Docs are built with Sphinx.")
    heard = keep(store, "We moved the docs from Sphinx to MkDocs.", status="candidate", valid_from=NOW)
    assert promote_candidate(store, heard, actor=actor, now_ms=NOW).action == "supersede"
    assert records.read(store, old)["superseded_by"] == heard
    assert records.read(store, heard)["status"] == "active"


@pytest.mark.parametrize("actor", ["person", "import"])
@pytest.mark.parametrize("kind", ["decision", "constraint", "architecture"])
def test_what_a_person_says_replaces_protected_records(store: Connection, actor: str, kind: str) -> None:
    old = keep(store, "Logins go through Okta.", kind=kind)
    assert ask(store, "Logins moved from Okta to Keycloak.", actor=actor).target_id == old


def test_decided_candidate_ends_the_dispute(store: Connection) -> None:
    old = keep(store, "Logins go through Okta.")
    heard = keep(store, "Logins moved from Okta to Keycloak.", status="candidate", valid_from=NOW)
    promote_candidate(store, heard, actor="miner", now_ms=NOW)
    promote_candidate(store, heard, actor="person", now_ms=NOW)
    assert records.read(store, old)["superseded_by"] == heard
    assert records.read(store, old)["status_reason"].startswith("says that okta")


def test_every_change_is_in_the_book_with_its_reason(store: Connection) -> None:
    old = keep(store, "Docs are built with Sphinx.")
    add(store, "We moved the docs from Sphinx to MkDocs.", actor="import")
    entry = audit.list_entries(store, old)[-1]
    assert (entry["actor"], entry["action"]) == ("import", "supersede")
    assert entry["reason"] == "says that sphinx is no longer it"


def test_restatements_of_a_record_are_found(store: Connection) -> None:
    old = keep(store, "Docs are built with Sphinx.")
    again = keep(store, "Sphinx builds the docs.")
    keep(store, "Docs builds fail on warnings.")
    assert find_restatements(store, records.read(store, old)) == (again,)


def test_judging_writes_nothing(store: Connection) -> None:
    keep(store, "Docs are built with Sphinx.")
    before = store.total_changes
    ask(store, "We moved the docs from Sphinx to MkDocs.")
    assert store.total_changes == before


def test_order_put_aside_settles_nothing(store: Connection) -> None:
    old = keep(store, "Docs are built with Sphinx.")
    aside = keep(store, "We moved the docs from Sphinx to MkDocs.", status="quarantined")
    settle(store, aside, Verdict("supersede", old), actor="person", now_ms=NOW)
    assert records.read(store, old)["status"] == "active"
