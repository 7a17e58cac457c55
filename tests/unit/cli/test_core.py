"""`engram core`: show, add, replace, remove, undo, history, compact."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engram_hooks.cli.review_dialog import ask_one
from engram_hooks.memory import Engram, now
from engram_hooks.store import records
from tests.support.command_runs import Run, read


def test_entry_is_added_and_shown(run: Run) -> None:
    code, out, _ = run("core", "add", "user", "My name is Ana")
    assert code == 0
    assert "+ My name is Ana" in out
    assert "undo: engram core undo user" in out
    code, out, _ = run("core")
    assert "user: You (2% full, 14 of 1,200 characters)" in out
    assert "USER.md" in out
    assert "empty" in out, "the agent's block"


def test_block_may_be_named_by_an_option(run: Run) -> None:
    run("core", "add", "--block", "agent", "docker needs sudo")
    assert read(run, "core", "show", "agent")[0]["entries"] == ["docker needs sudo"]
    assert read(run, "core", "show", "--block", "user")[0]["entries"] == []


def test_entries_are_read_from_the_standard_input(run: Run) -> None:
    run("core", "add", "user", "-", stdin="- My name is Ana\n- Short answers\n")
    assert read(run, "core", "show", "user")[0]["entries"] == ["My name is Ana", "Short answers"]
    run("core", "replace", "Short", "-", stdin="Long answers\n")
    assert read(run, "core", "show", "user")[0]["entries"] == ["My name is Ana", "Long answers"]


def test_entry_may_be_copied_out_of_a_list(run: Run) -> None:
    assert run("core", "add", "user", "- My name is Ana")[0] == 0
    assert run("core", "replace", "- My name", "- Call me Ana, --always")[0] == 0
    assert read(run, "core", "show", "user")[0]["entries"] == ["Call me Ana, --always"]
    assert run("core", "add", "user", "--", "--force is never right")[0] == 0


def test_change_is_told_as_json(run: Run) -> None:
    code, out, _ = run("core", "add", "user", "My name is Ana", "--json")
    assert code == 0
    change = json.loads(out)
    assert change["added"] == ["My name is Ana"]
    assert (change["block"]["block"], change["block"]["percent"]) == ("user", 2)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(("add", "My name is Ana"), "which block", id="no block"),
        pytest.param(("add", "user", "My", "name"), "one text expected", id="no quotes"),
        pytest.param(("replace", "user", "Ana"), "no entry", id="nothing to replace it by"),
        pytest.param(("replace", "one"), "2 texts expected", id="one text"),
        pytest.param(("show", "me"), "no block", id="unknown block"),
        pytest.param(("undo",), "nothing to undo", id="nothing to undo"),
        pytest.param(("remove", "Berlin"), "no entry", id="unknown entry"),
    ],
)
def test_wrong_use_is_said(run: Run, arguments: tuple[str, ...], said: str) -> None:
    code, _, err = run("core", *arguments)
    assert code in (1, 2)
    assert said in err


def test_ambiguous_part_is_answered_with_the_matches(run: Run) -> None:
    run("core", "add", "user", "-", stdin="Short answers\nAnswers in German\n")
    code, _, err = run("core", "remove", "answers")
    assert code == 1
    assert "Short answers (user)" in err
    assert "Answers in German (user)" in err


def test_undo_and_history(run: Run) -> None:
    run("core", "add", "user", "My name is Ana")
    run("core", "replace", "Ana", "My name is Ana Maria", "--reason", "full name")
    _, out, _ = run("core", "undo")
    assert "- My name is Ana Maria" in out
    assert "undo: engram core undo user --redo" in out
    _, out, _ = run("core", "history", "-n", "2")
    assert "user 2" in out
    assert "(full name)" in out
    assert "(back to version 1)" in out
    assert "user 1" not in out
    assert [row["version"] for row in read(run, "core", "history", "user")] == [1, 2, 3]


def test_full_block_names_the_remedy(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGRAM_CORE_USER_CHARS", "30")
    run("core", "add", "user", "My name is Ana")
    code, _, err = run("core", "add", "user", "Answers short, British")
    assert code == 1
    assert "14 of 30 characters" in err
    assert "engram core compact" in err


def test_compact_says_what_it_does(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGRAM_CORE_USER_CHARS", "40")
    assert "There is room" in run("core", "compact")[1]
    run("core", "add", "user", "-", stdin="Use tabs\nUse tabs: the linter wants it\n")
    assert "says it too" in run("core", "compact", "--dry-run")[1]
    assert len(read(run, "core", "show", "user")[0]["entries"]) == 2
    assert "undo: engram core undo" in run("core", "compact")[1]
    assert read(run, "core", "show", "user")[0]["entries"] == ["Use tabs: the linter wants it"]


def test_file_that_waits_is_said_by_the_next_command(run: Run) -> None:
    run("core", "add", "user", "My name is Ana")
    path = Path(read(run, "core", "show", "user")[0]["file"])
    path.write_text("x" * 1_300)
    code, _, err = run("stats")
    assert code == 0
    assert "core memory: USER.md is not taken over" in err
    assert "core memory" not in run("stats")[2]
    assert "The file is not taken over" in run("core", "show", "user")[1]


def test_conflict_is_shown(run: Run, data: str) -> None:
    run("core", "add", "user", "My name is Ana")
    Path(data, "core", "USER.conflict.md").write_text("- My name is Eva\n")
    assert "File and store were both changed" in run("core", "show")[1]
    assert "USER.conflict.md" in read(run, "core", "show", "user")[0]["conflict"]


@pytest.fixture
def proposal(run: Run) -> str:
    """A candidate about the user, as the log gives one; its id."""
    with Engram() as memory:
        row = {"kind": "user", "project_id": memory.project_id, "summary": "The user's name is Ana."}
        number = records.insert(memory.db, {**row, "status": "candidate"}, now_ms=now(), actor="miner")
        return f"u{number}"


def test_proposal_goes_to_core_memory(run: Run, proposal: str) -> None:
    assert "engram review --core ID" in run("review")[1]
    code, out, _ = run("review", "--core", proposal)
    assert (code, out) == (0, "Every session begins with it now: The user's name is Ana.\n")
    assert read(run, "core", "show", "user")[0]["entries"] == ["The user's name is Ana."]
    assert run("review", "--check")[0] == 0
    assert "it is in core memory" in run("show", proposal)[1]
    assert run("review", "--core", proposal)[0] == 1


def test_key_in_the_dialog_takes_a_proposal_to_core_memory(
    run: Run, proposal: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("click.getchar", lambda: "c")
    with Engram() as memory:
        (item,) = memory.review()
        assert ask_one(memory, item, place="1 of 1")
        assert memory.core("user")[0].entries == ("The user's name is Ana.",)
    assert "every session begins with it now (2% full)" in capsys.readouterr().out


def test_proposal_that_does_not_fit_still_waits(
    run: Run, proposal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENGRAM_CORE_USER_CHARS", "5")
    assert run("review", "--core", proposal)[0] == 1
    assert run("review", "--check")[0] == 1


def test_note_about_the_user_that_holds_everywhere_names_core_memory(run: Run) -> None:
    assert "engram core add user" in run("add", "--global", "-t", "user", "-s", "Lives in Lisbon")[1]
    assert "engram core" not in run("add", "--global", "-t", "fact", "-s", "Rain falls")[1]
