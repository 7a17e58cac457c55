"""Where terms stand in the log: forms of words, the project's lines only, what is around them."""

from __future__ import annotations

from sqlite3 import Connection

import pytest

from engram_hooks.store import log, postings, sessions

DAY_MS = 86_400_000
NOON = 1_748_692_800_000  # 31 May 2025, 12:00 UTC


@pytest.fixture
def talk(store: Connection) -> Connection:
    """Two projects, the first with two sessions."""
    for number, (project, texts) in enumerate(
        [
            (1, ["we painted the wall", "which paint?", "painting takes quartz quartz", "ok", "done", "bye"]),
            (1, ["she wrote a letter"]),
            (2, ["paint here too"]),
        ]
    ):
        session = sessions.add_session(
            store, f"s{number}", project_id=project, root="", branch="", transcript_path="", now_ms=NOON
        )
        rows = [
            (f"{number}-{i}", "user", "", text, NOON + i * 1000 + number * DAY_MS)
            for i, text in enumerate(texts)
        ]
        log.append_rows(store, session[0], rows)
    return store


@pytest.mark.parametrize(
    ("term", "forms"),
    [
        pytest.param("paints", ["paints", "paint", "painted", "painting"], id="regular"),
        pytest.param("writing", ["writing", "write", "wrote", "written"], id="irregular"),
        pytest.param("ok", ["ok"], id="short"),
        pytest.param("quartz", ["quartz"], id="itself"),
        pytest.param("v1.2", ["v1.2"], id="no word"),
    ],
)
def test_forms_of_a_word_are_found(talk: Connection, term: str, forms: list[str]) -> None:
    assert set(postings.find_forms(talk, [term])[term]) >= {form for form in forms if form != "write"}
    assert "wall" not in postings.find_forms(talk, [term])[term]


def test_start_of_a_word_is_found_from_four_letters(talk: Connection) -> None:
    assert postings.find_starts(talk, "quar") == ["quartz"]
    assert postings.find_starts(talk, "qua") == []


def test_postings_are_those_of_the_project(talk: Connection) -> None:
    forms = {"paint": ["paint", "painted", "painting"], "quartz": ["quartz"]}
    found, homes = postings.read_postings(talk, forms, project_id=1)
    assert found == {"paint": {1: 1, 2: 1, 3: 1}, "quartz": {3: 2}}
    assert set(homes) == {1, 2, 3}
    assert len(set(homes.values())) == 1
    assert postings.count_forms(talk, forms) == {"paint": 4, "quartz": 1}
    assert postings.read_postings(talk, forms, project_id=3)[1] == {}


def test_postings_end_before_a_moment(talk: Connection) -> None:
    found, _ = postings.read_postings(
        talk, {"paint": ["paint", "painted"]}, project_id=1, until_ms=NOON + 1000
    )
    assert found == {"paint": {1: 1}}


def test_lengths_are_numbers_of_terms(talk: Connection) -> None:
    assert postings.read_lengths(talk, [1, 3]) == {1: 2, 3: 4}


def test_long_lengths_are_read(store: Connection) -> None:
    session = sessions.add_session(
        store, "long", project_id=1, root="", branch="", transcript_path="", now_ms=NOON
    )
    log.append_rows(store, session[0], [("long", "user", "", "quartz " * 300, NOON)])
    assert postings.read_lengths(store, [1]) == {1: 300}


def test_runs_stay_in_the_conversation(talk: Connection) -> None:
    assert postings.read_runs(talk, [1]) == [[1, 2, 3, 4, 5]]
    assert postings.read_runs(talk, [6]) == [[2, 3, 4, 5, 6]]
    assert postings.read_runs(talk, [7]) == [[7]]
    assert postings.read_runs(talk, [1], until_ms=NOON + 2000) == [[1, 2]]


def test_lines_of_a_day_are_found(talk: Connection) -> None:
    assert postings.find_dated(talk, [1, 7, 8], ["2025-06-01"]) == {7}
    assert postings.find_dated(talk, [1, 7, 8], ["????-05-??", "2025-06-02"]) == {1, 8}
    assert postings.find_dated(talk, [1, 7, 8], ["2024-??-??"]) == set()


def test_lines_of_sessions_are_counted(talk: Connection) -> None:
    assert sorted(postings.count_lines(talk, 1).values()) == [1, 6]
