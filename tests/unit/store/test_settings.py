"""Effective settings: defaults < the user's file < the repository's < the environment."""

from __future__ import annotations

import os
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks.jsontext import dumps
from engram_hooks.store import settings
from engram_hooks.store.compiled import list_files, mark_read, replace_rows
from engram_hooks.store.settings import DEFAULTS, accept, read, trace
from tests.conftest import NOW_MS

Value = str | int | float | bool


def put(db: Connection, project_id: int, key: str, value: object) -> None:
    db.execute("INSERT INTO settings VALUES (?, ?, ?, 'file:1')", (project_id, key, dumps(value)))


def test_empty_store_gives_the_defaults(store: Connection) -> None:
    assert read(store, 1, {}) == DEFAULTS
    assert DEFAULTS["boot.max_chars"] == 4000


def test_later_source_wins(store: Connection) -> None:
    put(store, 0, "boot.max_chars", 3000)
    assert read(store, 1, {})["boot.max_chars"] == 3000
    put(store, 1, "boot.max_chars", 2000)
    assert read(store, 1, {})["boot.max_chars"] == 2000
    assert read(store, 2, {})["boot.max_chars"] == 3000
    assert read(store, 1, {"ENGRAM_BOOT_MAX_CHARS": " 1000 "})["boot.max_chars"] == 1000


def test_source_is_named(store: Connection) -> None:
    put(store, 0, "boot.max_chars", 3000)
    found = trace(store, 0, {"ENGRAM_INDEX_AUTO": "yes"})
    assert found["boot.max_chars"] == (3000, "file:1")
    assert found["index.auto"] == (True, "ENGRAM_INDEX_AUTO")
    assert found["embed.model"] == ("", "")


@pytest.mark.parametrize(
    ("name", "text", "key", "value"),
    [
        ("ENGRAM_PRECOMMIT_STRICT", "TRUE", "precommit.strict", True),
        ("ENGRAM_PRECOMMIT_STRICT", "on", "precommit.strict", True),
        ("ENGRAM_CONSOLIDATE_AUTO", "off", "consolidate.auto", False),
        ("ENGRAM_BRAIN_COMMAND", "claude -p", "brain.command", "claude -p"),
        ("ENGRAM_LOG_RETENTION_DAYS", "30", "log.retention_days", 30),
        ("ENGRAM_PREFLIGHT_MODE", "off", "preflight.mode", "off"),
    ],
)
def test_environment_is_read(store: Connection, name: str, text: str, key: str, value: Value) -> None:
    assert read(store, 0, {name: text}) == {**DEFAULTS, key: value}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ENGRAM_BOOT_MAX_CHARS", "many"),
        ("ENGRAM_BOOT_MAX_CHARS", ""),
        ("ENGRAM_BOOT_MAX_CHARS", "-1"),
        ("ENGRAM_BOOT_MAX_CHARS", "10000"),
        ("ENGRAM_BOOT_MAX_CHARS", "4000.5"),
        ("ENGRAM_PREFLIGHT_MODE", "loud"),
        ("ENGRAM_PRECOMMIT_STRICT", "maybe"),
        ("ENGRAM_MINDER_EAGERNESS", "0.5"),
        ("engram_boot_max_chars", "1"),
        ("ENGRAM_PROJECT", "x"),
        ("ENGRAM_HOME", "/x"),
    ],
)
def test_unusable_environment_changes_nothing(store: Connection, name: str, text: str) -> None:
    assert read(store, 0, {name: text}) == DEFAULTS


@pytest.mark.parametrize(
    "text", ["", "{", '"4000"', "true", "null", "[4000]", "1e999", "-5", "99999", '{"a": 1}']
)
def test_unusable_row_changes_nothing(store: Connection, text: str) -> None:
    store.execute("INSERT INTO settings VALUES (0, 'boot.max_chars', ?, 'file:1')", (text,))
    store.execute("INSERT INTO settings VALUES (0, 'no.such', '1', 'file:1')")
    assert read(store, 0, {}) == DEFAULTS


@pytest.mark.parametrize(
    ("key", "user", "repository", "effective"),
    [
        pytest.param("preflight.mode", "advise", "confirm", "confirm", id="stricter"),
        pytest.param("preflight.mode", "confirm", "off", "confirm", id="laxer"),
        pytest.param("attempts.mode", "ask", "confirm", "ask", id="laxer than ask"),
        pytest.param("precommit.strict", False, True, True, id="strict"),
        pytest.param("precommit.strict", True, False, True, id="not strict"),
        pytest.param("boot.max_chars", 3000, 500, 500, id="smaller budget"),
        pytest.param("boot.max_chars", 3000, 8000, 8000, id="larger budget"),
        pytest.param("brain.command", "", "rm -rf x", "", id="command"),
        pytest.param("log.retention_days", 0, 1, 0, id="retention"),
        pytest.param("embed.model", "", "evil/model", "", id="model"),
        pytest.param("index.auto", False, True, False, id="indexing"),
        pytest.param("minder.eagerness", "normal", "off", "normal", id="eagerness"),
    ],
)
def test_repository_sets_a_listed_few_and_only_stricter(
    store: Connection, key: str, user: Value, repository: Value, effective: Value
) -> None:
    put(store, 0, key, user)
    put(store, 1, key, repository)
    assert read(store, 1, {})[key] == effective


def test_whole_table_is_read_with_one_statement(store: Connection) -> None:
    seen: list[str] = []
    store.set_trace_callback(seen.append)
    read(store, 1, {})
    store.set_trace_callback(None)
    assert len(seen) == 1
    plan = store.execute("EXPLAIN QUERY PLAN " + seen[0]).fetchall()
    assert any("USING PRIMARY KEY" in row[3] for row in plan)


def test_defaults_are_acceptable() -> None:
    assert {key: accept(key, value) for key, value in DEFAULTS.items()} == DEFAULTS


def test_file_is_stale_until_compiled_and_after_each_change(store: Connection, tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    assert not settings.is_stale(store, str(file))
    file.write_text("[boot]\n", encoding="utf-8")
    assert settings.is_stale(store, str(file))
    replace_rows(store, str(file), 1, {"boot.max_chars": (1, "f:2")}, stamp=settings.stamp_of(str(file)))
    assert not settings.is_stale(store, str(file))
    os.utime(file, ns=(1, 1))
    assert settings.is_stale(store, str(file))
    mark_read(store, str(file), 1, stamp=settings.stamp_of(str(file)))
    file.unlink()
    assert settings.is_stale(store, str(file))
    replace_rows(store, str(file), 1, {}, stamp=settings.stamp_of(str(file)))
    assert not settings.is_stale(store, str(file))
    assert list_files(store) == []
    assert read(store, 1, {}) == DEFAULTS


def test_hook_queues_a_changed_file_once(store: Connection, tmp_path: Path) -> None:
    assert not settings.queue_compile(store, str(tmp_path), 1, now_ms=NOW_MS)
    assert not settings.queue_compile(store, "", 1, now_ms=NOW_MS)
    file = tmp_path / ".engram" / "config.toml"
    file.parent.mkdir()
    file.write_text("[boot]\n", encoding="utf-8")
    for _ in range(2):
        assert settings.queue_compile(store, str(tmp_path), 1, now_ms=NOW_MS)
    assert list_files(store) == [str(file)]
    assert store.execute("SELECT kind, key FROM jobs").fetchall() == [("settings", str(file))]


def test_either_file_makes_the_settings_stale(store: Connection, data: str, tmp_path: Path) -> None:
    environ = {"ENGRAM_HOME": data}
    assert not settings.is_anything_stale(store, environ, str(tmp_path))
    own = Path(data, "config.toml")
    own.write_text("", encoding="utf-8")
    assert settings.is_anything_stale(store, environ, "")
    mark_read(store, str(own), 0, stamp=settings.stamp_of(str(own)))
    assert not settings.is_anything_stale(store, environ, str(tmp_path))
    (tmp_path / ".engram").mkdir()
    (tmp_path / ".engram" / "config.toml").write_text("", encoding="utf-8")
    assert settings.is_anything_stale(store, environ, str(tmp_path))
