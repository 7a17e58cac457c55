"""Answers: what is true, what was said, what a prompt would be given."""

from __future__ import annotations

from sqlite3 import Connection
from typing import Any

import pytest

from engram_hooks.curate.asking import recollect
from engram_hooks.curate.asking.question import Question
from engram_hooks.curate.record import Hit
from engram_hooks.errors import UsageError
from engram_hooks.store import log, records, sessions, tool_events
from engram_hooks.store.tombstones import normalise

NOW = 1_780_000_000_000


def add(store: Connection, summary: str, **fields: Any) -> int:
    """Insert a decision of project 1 and return its id."""
    row = {"kind": "decision", "project_id": 1, "summary": summary, **fields}
    return records.insert(store, row, now_ms=NOW, actor="person")


def say(store: Connection, *texts: str, project_id: int = 1) -> None:
    """Log lines of the user in a session of a project."""
    session = sessions.add_session(
        store, f"s{project_id}", project_id=project_id, root="", branch="", transcript_path="", now_ms=NOW
    )
    rows = [(f"{project_id}:{NOW}:{text}", "user", "", text, NOW + i) for i, text in enumerate(texts)]
    log.append_rows(store, session[0], rows)


def ask(store: Connection, text: str, mode: str = "facts", **options: Any) -> list[Hit]:
    """The answer in project 1."""
    question = Question(text, **{"project_id": 1, "now_ms": NOW, **options})
    return recollect.answer(store, question, mode)


@pytest.mark.parametrize("query", ["quartz", "QUARTZ?", "why quartz", "use of quartzes", "quart", '"quartz'])
def test_record_is_found_by_one_of_its_words(store: Connection, query: str) -> None:
    record_id = add(store, "queues run on quartz")
    assert [hit.number for hit in ask(store, query)] == [record_id]


@pytest.mark.parametrize("query", ["", "  ", "***", "granite", "qua", "\x00", "the of and"])
def test_nothing_is_found_without_a_common_word(store: Connection, query: str) -> None:
    add(store, "queues run on quartz")
    assert ask(store, query) == []
    assert ask(store, query, "search") == []


@pytest.mark.parametrize("status", ["candidate", "retracted", "quarantined", "superseded", "archived"])
def test_facts_are_only_what_is_told_as_true(store: Connection, status: str) -> None:
    add(store, "queues run on quartz", status=status)
    assert ask(store, "quartz") == []


def test_facts_come_from_the_project_and_the_global_layer(store: Connection) -> None:
    own, everywhere = add(store, "quartz here"), add(store, "quartz everywhere", project_id=0)
    add(store, "quartz elsewhere", project_id=2)
    say(store, "quartz elsewhere, too", project_id=2)
    assert {hit.number for hit in ask(store, "quartz")} == {own, everywhere}
    assert {hit.source for hit in ask(store, "quartz", "search")} == {"record"}
    assert [hit.number for hit in ask(store, "quartz", project_id=None)] == [everywhere]


def test_word_of_every_record_still_finds_them(store: Connection) -> None:
    for i in range(60):
        add(store, f"quartz rule number {i}")
    assert len(ask(store, "quartz", k=5)) == 5
    assert ask(store, "quartz 41")[0].summary.endswith("41")


def test_replaced_record_answers_as_of_its_time(store: Connection) -> None:
    old = add(store, "database is Mongo", valid_from=NOW - 100)
    new = add(store, "database is Postgres", valid_from=NOW - 50)
    records.supersede(store, old, new, at_ms=NOW - 50, now_ms=NOW, actor="person")
    assert [hit.number for hit in ask(store, "database")] == [new]
    past = ask(store, "database", as_of_ms=NOW - 60)
    assert [(hit.number, hit.status) for hit in past] == [(old, "live")]
    both = ask(store, "database", "search")
    assert {(hit.number, hit.status) for hit in both} == {(new, "live"), (old, "superseded")}


def test_search_tells_each_text_once(store: Connection) -> None:
    add(store, "queues run on quartz")
    say(store, "Queues run on quartz.", "quartz, she said", "quartz,  she said")
    found = [normalise(hit.summary) for hit in ask(store, "quartz", "search", k=9)]
    assert sorted(found) == ["quartz, she said", "queues run on quartz"]


def test_search_finds_failed_commands(store: Connection) -> None:
    say(store, "hello")
    event = {"tool": "Bash", "target": "", "command": "make quartz", "outcome": "failed", "error": "no rule"}
    tool_events.record_event(store, 1, {**event, "use_id": "u", "agent": ""}, now_ms=NOW)
    assert [(hit.source, hit.summary) for hit in ask(store, "quartz", "search")] == [
        ("tool", "make quartz: no rule")
    ]
    assert ask(store, "quartz") == []


def test_record_of_another_branch_comes_later(store: Connection) -> None:
    other = add(store, "quartz feature flag", scope="branch", branch="old")
    here = add(store, "quartz feature flag too", scope="branch", branch="main", valid_from=NOW - 10)
    assert [hit.number for hit in ask(store, "quartz feature flag", branch="main")] == [here, other]


def test_scores_lie_between_0_and_1_and_fall(store: Connection) -> None:
    for text in ("quartz", "quartz granite", "quartz granite basalt", "granite"):
        add(store, text)
    scores = [hit.score for hit in ask(store, "quartz granite basalt", k=9)]
    assert len(scores) == 4
    assert all(0 < score <= 1 for score in scores)


def test_hits_say_why_only_when_asked(store: Connection) -> None:
    add(store, "queues run on quartz")
    assert ask(store, "quartz")[0].why == {}
    assert ask(store, "quartz", is_explained=True)[0].why["matched"] == ["quartz"]


def test_minder_is_silent_about_small_talk(store: Connection) -> None:
    add(store, "continue with the quartz queue and thank everybody")
    assert ask(store, "thanks, continue", "hook") == []


def test_unknown_mode_is_refused(store: Connection) -> None:
    with pytest.raises(UsageError, match="no mode"):
        ask(store, "quartz", "psychic")
