"""Consolidation with a brain: what it adds where it answers, and that nothing changes where it does not."""

from __future__ import annotations

import os
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks.curate.consolidate import Report, consolidate
from engram_hooks.store import brain as calls
from engram_hooks.store import log, records, sessions
from engram_hooks.store.create import ensure_store
from tests.conftest import NOW_MS
from tests.support.scripted_brain import brain_command, read_calls

DAY_MS = 86_400_000
STEPS = ["summarise", "promote", "merge", "decay", "expire", "compact", "reflect"]
RULE = "From now on always build the images with podman"

FACTS = (
    "The tests need a local Redis",
    "The tests need a local Redis running",
    "Gateways answer within two seconds",
    "The parser keeps comments",
    "Releases are cut on Thursdays",
    "Reports are written in British spelling",
    "The office plants get water on Fridays",
)


def fill(db: Connection) -> None:
    """Sessions in which a rule recurs, and records with something for every step."""
    for number in range(3):
        at = NOW_MS - (number + 1) * DAY_MS
        session = sessions.add_session(
            db, f"s{number}", project_id=1, root="", branch="", transcript_path="", now_ms=at
        )
        rows = [
            (f"u{number}", "user", "", f"{RULE}.", at),
            (f"a{number}", "assistant", "", "Understood: podman for every image of the shop.", at + 1),
        ]
        log.append_rows(db, session[0], rows)
        fields = {
            "kind": "feedback",
            "project_id": 1,
            "summary": RULE,
            "status": "candidate",
            "source": "log",
        }
        fields |= {"session_id": session[0], "uid": f"uid-{number}"}
        record_id = records.insert(db, fields, now_ms=at, actor="miner")
        records.add_evidence(db, record_id, "log", f"u{number}", now_ms=at)
    for number, summary in enumerate(FACTS):
        at = NOW_MS - 5 * DAY_MS
        fields = {
            "kind": "fact",
            "project_id": 1,
            "summary": summary,
            "source": "log",
            "uid": f"fact-{number}",
        }
        records.insert(db, {**fields, "created_at": at, "valid_from": at}, now_ms=at, actor="miner")


def run(
    folder: Path, command: str, *, is_dry: bool = False
) -> tuple[Report, list[tuple[object, ...]], list[str]]:
    """Consolidate a filled store with a brain: (report, what it holds, outcomes of the brain's calls)."""
    db = ensure_store(str(folder), now_ms=NOW_MS)
    try:
        fill(db)
        environ = {"PATH": os.environ["PATH"], "ENGRAM_HOME": str(folder), "ENGRAM_EMBED": "off"}
        environ |= {
            "ENGRAM_BRAIN_COMMAND": command,
            "ENGRAM_BRAIN_TIMEOUT_S": "2" if " hang" in command else "20",
        }
        report = consolidate(db, str(folder), environ, now_ms=NOW_MS, is_dry=is_dry, steps=STEPS)
        held = [
            row
            for query in (
                "SELECT uid, status, summary, superseded_by, parent_id, evidence_count FROM records"
                " WHERE uid LIKE 'uid-%' OR uid LIKE 'fact-%' ORDER BY uid",
                "SELECT kind, summary, status, source FROM records WHERE kind = 'insight' ORDER BY summary",
                "SELECT session_id, text, source FROM session_summaries ORDER BY session_id",
            )
            for row in db.execute(query)
        ]
        return report, held, [call[1] for call in calls.last_calls(db, limit=99)]
    finally:
        db.close()


@pytest.mark.parametrize(
    ("mode", "outcome"),
    [
        pytest.param("half", "malformed", id="half a document"),
        pytest.param("exit", "failed", id="an exit code"),
        pytest.param("hang", "timeout", id="no answer"),
        pytest.param("long", "too_long", id="no end"),
    ],
)
def test_brain_that_fails_changes_nothing(mode: str, outcome: str, home: Path, tmp_path: Path) -> None:
    plain, expected, none = run(tmp_path / "plain", "")
    record = tmp_path / "seen"
    report, held, outcomes = run(tmp_path / "brain", brain_command(mode, record=record))
    assert none == []
    assert held == expected
    assert [change for _, change in report.changes] == [change for _, change in plain.changes]
    assert outcomes == [outcome] * calls.REST_AFTER  # then it was left alone
    assert len(read_calls(record)) == len(outcomes)


def test_brain_that_answers_writes_summaries_and_insights(home: Path, tmp_path: Path) -> None:
    _, held, outcomes = run(tmp_path / "brain", brain_command("right", record=tmp_path / "seen"))
    assert set(outcomes) == {"ok"}
    assert ("insight", "The same module was repaired twice.", "candidate", "brain") in held
    summaries = [row for row in held if len(row) == 3]
    assert {row[2] for row in summaries} == {"brain"}
    assert {row[1] for row in summaries} == {
        "The session moved the build to another tool and left one test open."
    }


def test_dry_run_asks_nothing(home: Path, tmp_path: Path) -> None:
    record = tmp_path / "seen"
    run(tmp_path / "brain", brain_command("right", record=record), is_dry=True)
    assert read_calls(record) == []
