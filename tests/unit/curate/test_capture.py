"""Taking memories in: clean summaries, no duplicates, near ones named."""

from __future__ import annotations

from sqlite3 import Connection
from typing import Any

import pytest

from engram_hooks.curate.capture import MAX_SUMMARY_CHARS, Draft, capture, join_tags, split_text
from engram_hooks.curate.record import Captured
from engram_hooks.errors import EngramError, UsageError
from engram_hooks.store import lookup

NOW = 1_780_000_000_000
SECRET = "ghp" + "_" + "a1B2" * 9


def keep(store: Connection, summary: str, **fields: Any) -> Captured:
    """Capture a draft of project 1."""
    return capture(store, Draft(summary, **{"project_id": 1, **fields}), now_ms=NOW)


@pytest.mark.parametrize(
    ("text", "summary", "detail"),
    [
        pytest.param("one line", "one line", "", id="line"),
        pytest.param("  Title here \n\nbody\nmore ", "Title here", "body\nmore", id="title and body"),
        pytest.param("Short\nbody text", "Short body text", "", id="too short for a title"),
        pytest.param("Title here\r\nb\r\nc", "Title here", "b\nc", id="line breaks of Windows"),
        pytest.param("x" * 600, "x" * (MAX_SUMMARY_CHARS - 1) + "…", "x" * 101, id="one long word"),
        pytest.param(" \n\t ", "", "", id="nothing"),
    ],
)
def test_text_becomes_a_summary_and_a_detail(text: str, summary: str, detail: str) -> None:
    assert split_text(text) == (summary, detail)


def test_nothing_of_a_long_text_is_lost() -> None:
    text = " ".join(f"word{i}" for i in range(10_000))
    summary, detail = split_text(text)
    assert len(summary) <= MAX_SUMMARY_CHARS
    assert f"{summary.removesuffix('…')} {detail}" == text


@pytest.mark.parametrize("at", range(440, 520, 7))
def test_secret_is_not_cut_in_half(at: int) -> None:
    summary, detail = split_text("word " * (at // 5) + "token=" + SECRET + " end" * 100)
    assert "a1B2a1B2" not in summary + detail


def test_exact_repeat_is_not_added_twice(store: Connection) -> None:
    first = keep(store, "Postgres over Mongo")
    again = keep(store, "postgres  over mongo.")
    assert (first.is_new, again.is_new) == (True, False)
    assert again.record.id == first.record.id


@pytest.mark.parametrize(
    "fields", [{"kind": "fact"}, {"scope": "global"}, {"project_id": 2}, {"scope": "branch", "branch": "b"}]
)
def test_same_words_elsewhere_are_another_note(store: Connection, fields: dict[str, Any]) -> None:
    keep(store, "Postgres over Mongo")
    assert keep(store, "Postgres over Mongo", **fields).is_new


def test_near_note_is_named_and_still_added(store: Connection) -> None:
    first = keep(store, "Postgres over Mongo, for relational integrity")
    second = keep(store, "Postgres over Mongo for relational integrity of orders")
    assert second.is_new
    assert [record.id for record in second.near] == [first.record.id]


@pytest.mark.parametrize("other", ["Retries are capped at five", "Mongo", "Deploys happen on Tuesdays"])
def test_other_notes_are_not_near(store: Connection, other: str) -> None:
    keep(store, "Postgres over Mongo, for relational integrity")
    assert keep(store, other).near == ()


def test_replaced_note_is_closed_when_the_new_one_becomes_true(store: Connection) -> None:
    old = keep(store, "the database is Mongo", valid_from=NOW - 500).record
    new = keep(store, "the database is Postgres", supersedes=old.short_id, valid_from=NOW - 100)
    assert new.superseded is not None
    assert (new.superseded.status, new.superseded.valid_to) == ("superseded", NOW - 100)
    assert new.near == ()


def test_note_of_another_project_cannot_be_replaced(store: Connection) -> None:
    old = keep(store, "the database is Mongo", project_id=2).record
    with pytest.raises(UsageError, match="another project"):
        keep(store, "the database is Postgres", supersedes=old.short_id)
    assert len(lookup.list_records(store, project_ids=[1, 2])) == 1


@pytest.mark.parametrize(
    ("summary", "fields"),
    [
        pytest.param(" ", {}, id="empty"),
        pytest.param("x", {"kind": "bogus"}, id="kind"),
        pytest.param("x", {"scope": "galaxy"}, id="scope"),
        pytest.param("x", {"scope": "branch"}, id="no branch"),
        pytest.param("x", {"supersedes": "d99"}, id="nothing to replace"),
    ],
)
def test_unusable_draft_changes_nothing(store: Connection, summary: str, fields: dict[str, Any]) -> None:
    with pytest.raises(EngramError):
        keep(store, summary, **fields)
    assert lookup.list_records(store, project_ids=[1, 0]) == []


@pytest.mark.parametrize(
    ("alias", "kind"), [("gotcha", "incident"), ("Preference", "feedback"), ("note", "fact")]
)
def test_aliases_of_kinds(store: Connection, alias: str, kind: str) -> None:
    assert keep(store, "x y", kind=alias).record.kind == kind


def test_outside_a_project_a_note_is_global(store: Connection) -> None:
    assert keep(store, "x y", project_id=0).record.scope == "global"


def test_tags_are_single_words() -> None:
    assert join_tags(["#DB", "data model", "db", " "]) == "db data-model"


def test_typed_change_says_what_it_replaced_and_why(store: Connection) -> None:
    old = keep(store, "Docs are built with Sphinx.").record
    again = keep(store, "Sphinx builds the docs.", kind="fact").record
    found = keep(store, "The docs moved from Sphinx to MkDocs.")
    assert found.superseded is not None
    assert {found.superseded.id, *(record.id for record in found.retired)} == {old.id, again.id}
    assert found.reason == "says that sphinx is no longer it"


def test_typed_restatement_gives_the_note_that_says_it(store: Connection) -> None:
    old = keep(store, "Docs are built with Sphinx.").record
    found = keep(store, "Sphinx is used for the docs.")
    assert (found.record.id, found.is_new) == (old.id, False)
    assert found.merged is not None
    assert (found.merged.status, found.merged.summary) == ("archived", "Sphinx is used for the docs.")


def test_note_about_the_past_names_what_overtook_it(store: Connection) -> None:
    newer = keep(store, "Docs are built with Sphinx.").record
    found = keep(store, "Docs are built with DocBook.", valid_from=NOW - 500)
    assert found.overtaken_by is not None
    assert (found.overtaken_by.id, found.superseded, found.record.status) == (newer.id, None, "superseded")


def test_replaced_by_hand_takes_restatements_with_it(store: Connection) -> None:
    old = keep(store, "Docs are built with Sphinx.").record
    again = keep(store, "Sphinx builds the docs.", kind="fact").record
    found = keep(store, "MkDocs it is.", supersedes=old.short_id)
    assert [record.id for record in found.retired] == [again.id]
    assert lookup.find(store, again.short_id)["superseded_by"] == found.record.id
