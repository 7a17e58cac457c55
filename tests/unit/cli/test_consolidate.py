"""`engram consolidate` and `engram restore ID`, as people type them."""

from __future__ import annotations

from pathlib import Path

import pytest

from engram_hooks.memory import Engram, now
from engram_hooks.store import log, records, sessions
from tests.support.command_runs import Run, read

DAY_MS = 86_400_000
STEPS = "summarise promote merge rivals expire decay compact reflect staleness relations core prune vacuum".split()


@pytest.fixture(autouse=True)
def _without_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGRAM_EMBED", "off")


@pytest.fixture
def faded(run: Run) -> str:
    """A note of four years ago that nobody used; its id."""
    with Engram() as memory:
        at = now() - 1_400 * DAY_MS
        row = {
            "kind": "fact",
            "project_id": memory.project_id or 0,
            "summary": "The cache is warmed by hand",
            "created_at": at,
            "valid_from": at,
        }
        return f"k{records.insert(memory.db, row, now_ms=at, actor='miner')}"


def test_run_says_what_it_did_and_how_to_take_it_back(run: Run, faded: str) -> None:
    code, out, _ = run("consolidate")
    assert code == 0
    assert f"{faded} archived" in out
    assert "The cache is warmed by hand" in out
    assert "undo: engram consolidate --undo 1" in out
    assert run("consolidate", "--last")[1] == out
    assert run("consolidate", "--report", "1")[1] == out


def test_dry_run_changes_nothing(run: Run, faded: str) -> None:
    out = run("consolidate", "--dry-run")[1]
    assert out.startswith("Would be done")
    assert f"{faded} archived" in out
    assert "undo" not in out
    assert read(run, "show", faded)["status"] == "active"
    assert run("consolidate", "--last")[0] == 1


def test_json_names_every_step_and_change(run: Run, faded: str) -> None:
    found = read(run, "consolidate")
    assert [step["name"] for step in found["steps"]] == STEPS
    changes = [change for step in found["steps"] for change in step["changes"]]
    assert [(change["record"], change["action"]) for change in changes] == [(int(faded[1:]), "archived")]
    assert found["is_complete"]


def test_undo_of_a_run_brings_back_what_it_put_away(run: Run, faded: str) -> None:
    run("consolidate")
    code, out, _ = run("consolidate", "--undo", "last")
    assert (code, "Taken back: 1 note." in out) == (0, True)
    assert read(run, "show", faded)["status"] == "active"
    assert "archived" not in run("consolidate")[1]


def test_restored_note_is_told_again(run: Run, faded: str) -> None:
    run("consolidate")
    assert read(run, "restore", faded)["status"] == "active"
    assert "told already" in run("restore", faded)[1]


def test_restore_of_a_file_still_asks(run: Run, tmp_path: Path) -> None:
    assert run("restore", str(tmp_path / "engram.db"))[0] == 2
    assert run("restore", "./k12")[0] == 2


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("consolidate", "--only", "tidy"), 2),
        (("consolidate", "--skip", "tidy"), 2),
        (("consolidate", "--undo", "first"), 2),
        (("consolidate", "--last", "--undo", "1"), 2),
        (("consolidate", "--undo", "7"), 1),
        (("consolidate", "--report", "7"), 1),
        (("consolidate", "--last"), 1),
        (("restore", "k99"), 1),
    ],
)
def test_what_cannot_be_done_is_refused(run: Run, arguments: tuple[str, ...], code: int) -> None:
    assert run(*arguments)[0] == code


def test_only_and_skip_choose_steps(run: Run) -> None:
    assert [
        step["name"] for step in read(run, "consolidate", "--only", "decay", "--only", "merge")["steps"]
    ] == [
        "merge",
        "decay",
    ]
    names = [step["name"] for step in read(run, "consolidate", "--skip", "vacuum")["steps"]]
    assert names == STEPS[:-1]


def test_log_of_a_session_begins_with_its_summary(run: Run) -> None:
    with Engram() as memory:
        at = now() - DAY_MS
        session = sessions.add_session(
            memory.db,
            "abc",
            project_id=memory.project_id or 0,
            root="",
            branch="",
            transcript_path="",
            now_ms=at,
        )
        log.append_rows(memory.db, session[0], [("u1", "user", "", "Move the retries to a queue", at)])
    assert "Asked:" not in run("log", "--session", "abc")[1]
    run("consolidate")
    assert "Asked: Move the retries to a queue" in run("log", "--session", "abc")[1]
    assert read(run, "log")[0]["summary"].startswith("Asked: Move the retries to a queue")
