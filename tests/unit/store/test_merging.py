"""Merging moves every row of every table that belongs to a project."""

from __future__ import annotations

from sqlite3 import Connection

import pytest

from engram_hooks.errors import EngramError, StoreError
from engram_hooks.store.attempts import put_attempt
from engram_hooks.store.check import check_store, project_tables
from engram_hooks.store.invariants import add_rule
from engram_hooks.store.merging import merge_projects, settle_strays
from engram_hooks.store.projects import find_project, list_projects, rename_project
from engram_hooks.store.records import insert
from engram_hooks.store.trials import add_edits, add_run
from tests.conftest import NOW_MS


@pytest.fixture
def two(store: Connection) -> Connection:
    """A store with the projects 1 `shop` and 2 `shop` and 3 `bank`, and rows of the first two in every table."""
    for number, name in ((1, "shop"), (2, "shop"), (3, "bank")):
        uid = f"{number}" * 32
        store.execute("INSERT INTO projects VALUES (?, ?, ?, 0, ?)", (number, uid, name, number))
    for number in (1, 2):
        row = {"kind": "fact", "project_id": number, "summary": f"of {number}", "external_id": "same"}
        insert(store, row, now_ms=NOW_MS, actor="import")
        store.execute(
            "INSERT INTO sessions (client_id, project_id, started_at, last_at) VALUES (?, ?, 1, 1)",
            (f"c{number}", number),
        )
        store.execute(
            "INSERT INTO places VALUES (?, ?, 'git', ?, 1, 1)", (f"/{number}/.git", number, f"/{number}")
        )
        store.execute("INSERT INTO project_keys VALUES ('root', 'abc', ?)", (number,))
        store.execute("INSERT INTO project_keys VALUES ('git_dir', ?, ?)", (f"/{number}/.git", number))
        store.execute("INSERT INTO settings VALUES (?, 'boot.max_chars', ?, 'f:1')", (number, str(number)))
        store.execute("INSERT INTO settings_files VALUES (?, ?, 1, 1)", (f"/{number}/c", number))
        store.execute(
            "INSERT INTO jobs (kind, key, project_id, due_at, created_at) VALUES ('identity', ?, ?, 1, 1)",
            (f"/{number}/.git", number),
        )
        _give_vectors(store, number)
        _give_use(store, number)
        _give_attempts(store, number)
    return store


def _give_attempts(store: Connection, number: int) -> None:
    place = number, number, "", f"/{number}", "main"
    add_edits(store, place, [("a.py", ["old"], ["new"])], use_id=f"u{number}", now_ms=1)
    add_run(
        store,
        place,
        ("test", "pytest", (), "failed", [["t", "", "", ""]], "f"),
        use_id=f"r{number}",
        now_ms=1,
    )
    values = {
        "project_id": number,
        "session_id": number,
        "outcome": "abandoned",
        "change_key": f"k{number}",
        "created_at": 1,
        "updated_at": 1,
    }
    put_attempt(store, values, [("a.py", [], "old", "new")])
    rule = dict.fromkeys(("text", "why", "since", "enforcement", "symbol"), "")
    rule |= {"name": f"n{number}", "severity": "info"}
    add_rule(store, number, "", {**rule, "line": 0, "globs": ["**"], "keys": ["any"]}, now_ms=1)


def _give_use(store: Connection, number: int) -> None:
    branch = "INSERT INTO branches (project_id, name, state, seen_at) VALUES (?1, 'topic-' || ?1, 'open', 1)"
    store.execute(branch, (number,))
    store.execute("INSERT INTO usage (project_id, record_id, updated_at) VALUES (?1, ?1, 1)", (number,))
    said = "INSERT INTO feedback (project_id, record_id, verdict, actor, created_at)"
    store.execute(f"{said} VALUES (?1, ?1, 'useful', 'person', 1)", (number,))


def _give_vectors(store: Connection, number: int) -> None:
    store.execute(
        "INSERT OR IGNORE INTO vector_models (id, name, fingerprint, dims, is_hot, is_serving, created_at)"
        " VALUES (1, 'bundled', 'f', 8, 1, 1, 1)"
    )
    store.execute(
        "INSERT INTO vectors (record_id, model_id, project_id, signs, stored) VALUES (?1, 1, ?1, x'00', x'00')",
        (number,),
    )
    store.execute(
        "INSERT INTO vector_segments (uid, model_id, project_id, row_count, is_ready, created_at)"
        " VALUES (?, 1, ?, 1, 1, 1)",
        (f"s{number}", number),
    )
    store.execute(
        "INSERT INTO vector_gone (record_id, project_id, segment_id) VALUES (77, ?, 1)",
        (number,),
    )


def test_all_rows_move_and_nothing_is_lost(two: Connection) -> None:
    def count(table: str) -> int:
        return int(two.execute(f"SELECT count(*) FROM {table}").fetchone()[0])

    tables = project_tables(two)
    before = {table: count(table) for table in tables}
    assert all(before.values())
    assert merge_projects(two, 2, 1, now_ms=NOW_MS, reason="test") >= len(tables) - 1
    for table in tables:
        left = two.execute(f"SELECT count(*) FROM {table} WHERE project_id = 2").fetchone()[0]
        assert (table, left) == (table, 0)
    after = {table: count(table) for table in tables}
    assert {table: before[table] - after[table] for table in tables if before[table] != after[table]} == {
        "project_keys": 1,  # the root that both had
        "settings": 1,
        "vectors": 1,  # made anew for the project it is in now
        "vector_gone": -1,  # and not to be told from where it was before
    }
    assert two.execute("SELECT value FROM settings WHERE project_id = 1").fetchall() == [("1",)]
    assert check_store(two) == []


def test_equal_approach_and_rule_are_kept_once(two: Connection) -> None:
    two.execute("UPDATE attempts SET change_key = 'same'")
    two.execute("UPDATE invariants SET name = 'same'")
    merge_projects(two, 2, 1, now_ms=NOW_MS)
    for table in ("attempts", "attempt_files", "invariants", "invariant_keys"):
        assert two.execute(f"SELECT count(*) FROM {table}").fetchone() == (1,), table
    assert check_store(two) == []


def test_imports_of_one_id_are_both_kept(two: Connection) -> None:
    merge_projects(two, 2, 1, now_ms=NOW_MS)
    rows = two.execute("SELECT summary, external_id FROM records WHERE project_id = 1 ORDER BY id").fetchall()
    assert rows[0] == ("of 1", "same")
    assert rows[1][0] == "of 2"
    assert rows[1][1].startswith("same@")


def test_merge_is_written_into_the_book(two: Connection) -> None:
    merge_projects(two, 2, 1, now_ms=NOW_MS, actor="person", reason="one repository")
    row = two.execute(
        "SELECT actor, before, after, reason FROM audit WHERE action = 'merge projects'"
    ).fetchone()
    assert row == ("person", f"project 2 shop {'2' * 32}", f"project 1 shop {'1' * 32}", "one repository")


def test_row_of_a_later_table_moves_too(two: Connection) -> None:
    two.execute("CREATE TABLE later (id INTEGER PRIMARY KEY, project_id INTEGER)")
    two.execute("INSERT INTO later VALUES (1, 2)")
    merge_projects(two, 2, 1, now_ms=NOW_MS)
    assert two.execute("SELECT project_id FROM later").fetchall() == [(1,)]


def test_row_that_cannot_move_stops_the_merge(two: Connection) -> None:
    two.execute("CREATE TABLE later (project_id INTEGER, name TEXT, UNIQUE (project_id, name))")
    two.execute("INSERT INTO later VALUES (1, 'a'), (2, 'a')")
    with pytest.raises(StoreError, match="later"):
        merge_projects(two, 2, 1, now_ms=NOW_MS)
    assert two.execute("SELECT count(*) FROM records WHERE project_id = 2").fetchone() == (1,)
    assert len(list_projects(two)) == 3


@pytest.mark.parametrize(("source", "target"), [(1, 1), (0, 1), (1, 0), (1, 99), (99, 1)])
def test_impossible_merge_changes_nothing(two: Connection, source: int, target: int) -> None:
    with pytest.raises(EngramError):
        merge_projects(two, source, target, now_ms=NOW_MS)
    assert len(list_projects(two)) == 3


def test_rows_written_meanwhile_follow(two: Connection) -> None:
    merge_projects(two, 2, 1, now_ms=NOW_MS)
    merge_projects(two, 1, 3, now_ms=NOW_MS)
    insert(two, {"kind": "fact", "project_id": 2, "summary": "late"}, now_ms=NOW_MS, actor="person")
    assert settle_strays(two) == 1
    assert two.execute("SELECT project_id FROM records WHERE summary = 'late'").fetchone() == (3,)
    assert settle_strays(two) == 0


@pytest.mark.parametrize(
    ("text", "project_id"),
    [
        pytest.param("bank", 3, id="name"),
        pytest.param("BANK", 3, id="other case"),
        pytest.param("2", 2, id="number"),
        pytest.param("/2/", 2, id="folder"),
        pytest.param("1111", 1, id="start of the uid"),
    ],
)
def test_project_is_found(two: Connection, text: str, project_id: int) -> None:
    assert find_project(two, text) == project_id


@pytest.mark.parametrize(
    ("text", "word"),
    [
        pytest.param("shop", "2 projects", id="name of two"),
        pytest.param("ban", "no project", id="part of a name"),
        pytest.param("99", "no project", id="unknown number"),
        pytest.param("", "no project", id="nothing"),
        pytest.param("11", "no project", id="too little of a uid"),
    ],
)
def test_project_is_not_guessed(two: Connection, text: str, word: str) -> None:
    with pytest.raises(EngramError, match=word):
        find_project(two, text)


def test_list_counts_what_belongs_to_a_project(two: Connection) -> None:
    found = {project.id: project for project in list_projects(two)}
    assert (found[1].record_count, found[1].session_count, found[1].roots) == (1, 1, ("/1",))
    assert (found[3].record_count, found[3].session_count, found[3].roots) == (0, 0, ())
    assert found[1].last_at == NOW_MS


def test_renamed_project_is_found_by_its_new_name(two: Connection) -> None:
    rename_project(two, 2, " web  shop ")
    assert find_project(two, "web shop") == 2
    with pytest.raises(EngramError, match="another project"):
        rename_project(two, 1, "web shop")
    with pytest.raises(EngramError, match="needs a name"):
        rename_project(two, 1, "  ")
    with pytest.raises(EngramError, match="no project"):
        rename_project(two, 99, "x")
