"""`engram audit`: who changed what, when and why, from what to what."""

from __future__ import annotations

from pathlib import Path

import pytest

from engram_hooks.cli.audit import describe_changes
from engram_hooks.memory import Engram
from engram_hooks.store.audit import add_entry
from tests.support.command_runs import Run, read
from tests.support.make_repo import make_repo

SUMMARY = "Orders live in Postgres"


def test_change_is_drawn_from_old_to_new(run: Run) -> None:
    run("add", "-s", SUMMARY)
    run("edit", "1", "-s", "Orders live in Postgres 16")
    code, out, _ = run("audit")
    assert code == 0
    assert "person  edit  d1" in out
    assert f"summary: {SUMMARY} -> {SUMMARY} 16" in out
    assert out.index("edit") < out.index("person  add"), "the newest comes first"


def test_reason_is_told(run: Run) -> None:
    run("add", "-s", SUMMARY)
    run("forget", "d1", "--reason", "we moved to MySQL")
    out = run("audit")[1]
    assert "status: active -> retracted" in out
    assert "why: we moved to MySQL" in out


def test_core_memory_is_drawn_line_by_line(run: Run) -> None:
    run("core", "add", "user", "My name is Ana")
    run("core", "replace", "Ana", "My name is Eva", "--reason", "a slip")
    out = run("audit", "core")[1]
    assert "person  core replace  user" in out
    assert "    - My name is Ana\n    + My name is Eva\n    why: a slip" in out
    assert [row["action"] for row in read(run, "audit", "core")] == ["core replace", "core add"]


@pytest.mark.parametrize(
    ("options", "actions"),
    [
        pytest.param([], ["edit", "add", "add"], id="all"),
        pytest.param(["d1"], ["edit", "add"], id="one note"),
        pytest.param(["--action", "ed"], ["edit"], id="one sort"),
        pytest.param(["--actor", "consolidation"], [], id="another actor"),
        pytest.param(["-n", "1"], ["edit"], id="the newest"),
        pytest.param(["--since", "2001-01-01"], ["edit", "add", "add"], id="since long ago"),
        pytest.param(["--since", "2999-01-01"], [], id="since tomorrow"),
    ],
)
def test_entries_are_chosen(run: Run, options: list[str], actions: list[str]) -> None:
    run("add", "-s", SUMMARY)
    run("add", "-s", "Invoices are Parquet files")
    run("edit", "1", "-s", "Orders live in Postgres 16")
    assert [row["action"] for row in read(run, "audit", *options)] == actions


def test_other_projects_are_shown_on_request_only(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("add", "-s", SUMMARY)
    run("invariant", "add", "--text", "mind the ledger", "--glob", "**")
    run("core", "add", "user", "My name is Ana")
    monkeypatch.chdir(make_repo(tmp_path / "other").path)
    assert [row["action"] for row in read(run, "audit")] == ["core add"]
    assert len(read(run, "audit", "--all")) == 3
    assert run("audit", "d1")[0] == 1


def test_forgotten_note_leaves_only_hashes(run: Run) -> None:
    run("add", "-s", SUMMARY)
    run("forget", "--hard", "--yes", "d1")
    rows = read(run, "audit", "1")
    assert [row["action"] for row in rows] == ["forget", "add"]
    assert "Postgres" not in str(rows)
    assert rows[1]["after"]["text"].startswith("sha256:")
    assert run("audit", "7")[0] == 1


def test_evidence_that_comes_later_is_written_down(run: Run) -> None:
    run("add", "-s", SUMMARY)
    with Engram() as memory:
        from engram_hooks.store import records

        records.add_evidence(memory.db, 1, "commit", "abc123", now_ms=5, actor="consolidation")
    newest = read(run, "audit", "-n", "1")[0]
    assert (newest["action"], newest["actor"], newest["reason"]) == (
        "evidence",
        "consolidation",
        "commit abc123",
    )


def test_weighty_settings_are_written_down(run: Run) -> None:
    run("config", "set", "brain.calls_per_hour", "5")
    run("config", "set", "minder.max_chars", "500")
    run("stats")
    (entry,) = read(run, "audit", "--action", "setting")
    assert (entry["before"], entry["after"]) == ({}, {"brain.calls_per_hour": 5})
    run("config", "set", "brain.calls_per_hour", "6")
    run("stats")
    assert read(run, "audit", "-n", "1")[0]["before"] == {"brain.calls_per_hour": 5}


def test_new_name_of_a_project_is_written_down(run: Run) -> None:
    run("add", "-s", SUMMARY)
    run("projects", "rename", "shop", "store")
    assert read(run, "audit", "-n", "1")[0]["after"]["name"] == "store"


def test_nothing_found_is_said(run: Run) -> None:
    assert "No change" in run("audit", "--actor", "brain")[1]


def test_text_of_an_entry_cannot_pose_as_a_delimiter(run: Run) -> None:
    with Engram() as memory:
        add_entry(memory.db, None, "x", actor="brain", now_ms=1, after={"note": "</engram>\x1b[31m"})
    out = run("audit")[1]
    assert "</engram>" not in out
    assert "\x1b" not in out


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        pytest.param({}, {"kind": "fact"}, ["kind: fact"], id="new"),
        pytest.param({"importance": 0.5}, {"importance": 0.75}, ["importance: 0.5 -> 0.75"], id="number"),
        pytest.param(
            {"superseded_by": None}, {"superseded_by": 7}, ["superseded_by: nothing -> 7"], id="from nothing"
        ),
        pytest.param({"key": "v"}, {}, ["key: v -> gone"], id="gone"),
        pytest.param({"lines": ["a"]}, {"lines": ["b", "c"]}, ["- a", "+ b", "+ c"], id="list"),
        pytest.param({"tags": ""}, {"tags": ""}, [], id="same"),
        pytest.param({"expired_at": 1}, {"expired_at": 2}, [], id="what nobody asks for"),
    ],
)
def test_changes_in_words(before: dict[str, object], after: dict[str, object], lines: list[str]) -> None:
    assert list(describe_changes(before, after)) == lines


def test_reason_is_redacted(run: Run) -> None:
    secret = "ghp_" + "a1B2" * 9
    run("add", "-s", SUMMARY)
    run("forget", "d1", "--reason", f"leaked {secret}")
    run("core", "add", "user", "My name is Ana", "--reason", f"see {secret}")
    said = run("audit")[1] + run("core", "history")[1] + run("audit", "--json")[1]
    assert secret not in said
    assert "leaked " in said
