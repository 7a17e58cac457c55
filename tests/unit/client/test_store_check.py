"""What doctor says about the store, and how it mends one."""

from __future__ import annotations

import os
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks.client.doctor import Surroundings, check_backlog
from engram_hooks.client.repair import repair
from engram_hooks.client.store_check import check_privacy, check_store_file, is_damage
from engram_hooks.paths import store_path
from engram_hooks.store import backup, jobs, places, trouble
from engram_hooks.store.create import ensure_store
from engram_hooks.store.meta import get_fact, set_fact

NOW_MS = 1_780_000_000_000


def slugs_of(data: str) -> list[str]:
    """Return what is found about the store of a data folder."""
    return [finding.slug for finding in check_store_file(Path(data), now_ms=NOW_MS)[0]]


def look_around(data: str) -> Surroundings:
    """Return the surroundings of a command with this data folder."""
    return Surroundings({"ENGRAM_HOME": data}, Path(data), NOW_MS)


def fix(data: str) -> list[str]:
    """Repair what is found about the store; return what was done."""
    return repair(look_around(data), check_store_file(Path(data), now_ms=NOW_MS)[0])


def test_missing_store_is_noted_and_not_made(data: str) -> None:
    assert slugs_of(data) == ["store-missing"]
    assert not os.path.exists(data)


def test_new_store_is_fine(data: str, store: Connection) -> None:
    found, facts = check_store_file(Path(data), now_ms=NOW_MS)
    assert found == []
    assert (facts["journal_mode"], facts["backups"]) == ("wal", 0)


@pytest.mark.parametrize(
    ("version", "slug"),
    [pytest.param(999, "store-newer", id="newer"), pytest.param(0, "store-outdated", id="older")],
)
def test_other_schema_is_found(data: str, store: Connection, version: int, slug: str) -> None:
    store.execute(f"PRAGMA user_version = {version}")
    assert slugs_of(data) == [slug]


def test_work_that_waits_and_work_that_failed_is_found(data: str, store: Connection) -> None:
    jobs.add_job(store, "session", "a", project_id=0, now_ms=NOW_MS)
    assert slugs_of(data) == ["jobs-pending"]
    job = jobs.take_job(store, owner="me", now_ms=NOW_MS)
    assert job is not None
    jobs.fail_job(store, job, "OSError: gone", owner="me", now_ms=NOW_MS)
    assert slugs_of(data) == ["jobs-failing"]


def test_text_in_place_of_a_store_is_set_aside(data: str, store: Connection) -> None:
    store.close()
    path = Path(store_path(data))
    path.write_text("nonsense", encoding="utf-8")
    assert slugs_of(data) == ["store-damaged"]
    done = fix(data)
    assert slugs_of(data) == []
    assert [kept.read_text(encoding="utf-8") for kept in Path(data).glob("engram.db.damaged-*")] == [
        "nonsense"
    ]
    assert "empty store" in done[-1]


def test_newest_sound_backup_takes_the_place_of_a_damaged_store(data: str, store: Connection) -> None:
    set_fact(store, "mark", "kept")
    backup.back_up_here(store, data, reason="test", now_ms=NOW_MS)
    newest = Path(backup.back_up_here(store, data, reason="test", now_ms=NOW_MS + 60_000))
    store.close()
    newest.write_bytes(b"nonsense")
    Path(store_path(data)).write_bytes(b"nonsense")
    done = fix(data)
    mended = ensure_store(data, now_ms=NOW_MS)
    assert get_fact(mended, "mark") == "kept"
    mended.close()
    assert [sentence.split()[0] for sentence in done] == ["set", "passed", "restored"]


def test_full_text_that_does_not_fit_is_made_anew(data: str, store: Connection) -> None:
    store.execute("INSERT INTO log_fts (rowid, text) VALUES (7, 'stray')")
    assert slugs_of(data) == ["store-inconsistent"]
    assert fix(data)[0].startswith("made the full text anew")
    assert slugs_of(data) == []


def test_projects_with_one_first_commit_are_named(data: str, store: Connection) -> None:
    for name in ("shop", "copy of shop"):
        project_id = places.add_project(store, name, is_provisional=False, now_ms=NOW_MS)
        assert slugs_of(data) == []
        places.add_key(store, "root", "abc", project_id)
    (finding,) = check_store_file(Path(data), now_ms=NOW_MS)[0]
    assert finding.slug == "projects-alike"
    assert "engram projects merge 'copy of shop' shop" in finding.hint


@pytest.mark.parametrize(
    ("problem", "damage"),
    [
        pytest.param("the file is damaged: page 3", True, id="pages"),
        pytest.param("the table log is missing", True, id="table"),
        pytest.param("log_fts lacks 1 rows and has 0 too many", False, id="full text"),
        pytest.param("3 rows of shown point at records that do not exist", False, id="stray rows"),
    ],
)
def test_only_deep_faults_cost_a_store_its_place(problem: str, damage: bool) -> None:
    assert is_damage([problem]) is damage


@pytest.mark.skipif(os.name == "nt", reason="not on Windows: it has no permission bits")
def test_open_files_are_found_and_closed(data: str, store: Connection) -> None:
    assert check_privacy(Path(data), Path(data)) == []
    os.chmod(store_path(data), 0o644)
    os.chmod(data, 0o755)
    found = check_privacy(Path(data), Path(data))
    assert [finding.slug for finding in found] == ["store-permissions", "store-permissions"]
    assert len(repair(look_around(data), found)) == 2
    assert check_privacy(Path(data), Path(data)) == []


def test_failures_of_hooks_are_told_once(data: str, store: Connection) -> None:
    assert list(check_backlog(Path(data))) == []
    trouble.note_failure(data, "stop", "ValueError: no", now_ms=NOW_MS)
    found = list(check_backlog(Path(data)))
    assert [finding.slug for finding in found] == ["hook-failures"]
    assert "ValueError: no" in found[0].text
    repair(look_around(data), found)
    assert list(check_backlog(Path(data))) == []


def test_switch_of_the_hooks_is_found(data: str, store: Connection) -> None:
    assert list(check_backlog(Path(data))) == []
    Path(data, "off").touch()
    assert [finding.slug for finding in check_backlog(Path(data))] == ["engram-off"]


@pytest.mark.parametrize("locked", ["", "engram.db"])
def test_data_folder_that_cannot_be_written_is_an_error(
    data: str, store: Connection, monkeypatch: pytest.MonkeyPatch, locked: str
) -> None:
    path = os.path.join(data, locked) if locked else data
    monkeypatch.setattr(os, "access", lambda name, mode: not (mode & os.W_OK and name == path))
    found, facts = check_store_file(Path(data), now_ms=NOW_MS)
    assert [(finding.slug, finding.level) for finding in found] == [("store-read-only", "error")]
    assert path in found[0].text
    assert facts["problems"] == []
