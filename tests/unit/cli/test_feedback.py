"""`engram feedback`: what people and agents say of notes, and what that changes."""

from __future__ import annotations

import pytest

from engram_hooks import Engram
from engram_hooks.recall.standing import HIGHEST, lean
from engram_hooks.store import audit
from tests.support.command_runs import Run, read

NOTE = "Uploads are cut into parts of nine megabytes"


@pytest.fixture
def note(run: Run) -> str:
    return str(read(run, "add", "-s", NOTE, "-t", "fact")["id"])


@pytest.fixture
def as_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands are run by the client's agent."""
    monkeypatch.setenv("CLAUDECODE", "1")


def ids_told(run: Run) -> list[str]:
    return [
        row["id"] for row in read(run, "recall", "-q", "how large are parts of uploads?", "--mode", "facts")
    ]


def test_wrong_note_is_not_told_until_it_is_called_useful(run: Run, note: str) -> None:
    assert ids_told(run) == [note]
    found = read(run, "feedback", note, "wrong", "--reason", "it is ten now")
    assert (found["status"], found["held"], found["confidence"]) == ("needs_review", True, 0.3)
    assert found["standing"] < -1
    assert ids_told(run) == []
    found = read(run, "feedback", note, "useful")
    assert (found["status"], found["confidence"]) == ("active", 1.0)
    assert lean(found["standing"], "fact") == HIGHEST
    assert ids_told(run) == [note]


def test_wrong_note_says_what_to_do_and_how_to_undo_it(run: Run, note: str) -> None:
    code, out, err = run("feedback", note, "wrong")
    assert (code, err) == (0, "")
    for line in (
        f"engram supersede {note} -s",
        f"engram forget {note}",
        f"undo: engram feedback {note} useful",
    ):
        assert line in out
    assert run("feedback", note, "useful")[1].startswith(f"Told again: {note}")
    assert run("feedback", note, "useful")[1].startswith(f"Useful: {note}")


def test_reason_and_speaker_stand_in_the_history(run: Run, note: str) -> None:
    run("feedback", note, "wrong", "--reason", "it is ten now")
    with Engram() as memory:
        entry = audit.list_entries(memory.db, memory.find(note).id)[-1]
        assert memory.find(note).status_reason == "said to be wrong: it is ten now"
    assert (entry["action"], entry["actor"]) == ("feedback wrong", "person")
    assert entry["reason"] == "a person said so: it is ten now"
    assert entry["before"]["status"] == "active"


@pytest.mark.usefixtures("as_agent")
def test_agent_holds_a_fact_back_but_no_protected_note(run: Run, note: str) -> None:
    assert read(run, "feedback", note, "wrong")["held"] is True
    rule = read(run, "add", "-s", "Never log request bodies", "-t", "constraint")["id"]
    found = read(run, "feedback", rule, "wrong")
    assert (found["status"], found["held"], found["left"]) == ("active", False, True)
    _, out, _ = run("feedback", rule, "wrong")
    assert "only a person changes" in out
    with Engram() as memory:
        entries = audit.list_entries(memory.db, memory.find(rule).id)
    assert [(one["action"], one["reason"]) for one in entries[-2:]] == [
        ("feedback wrong", "the agent said so")
    ] * 2


def test_person_holds_a_protected_note_back(run: Run) -> None:
    rule = read(run, "add", "-s", "Never log request bodies", "-t", "constraint")["id"]
    assert read(run, "feedback", rule, "wrong")["held"] is True


def test_note_that_was_replaced_stays_so(run: Run, note: str) -> None:
    run("supersede", note, "-s", "Uploads are cut into parts of ten megabytes")
    found = read(run, "feedback", note, "wrong")
    assert (found["status"], found["held"]) == ("superseded", False)
    assert "superseded" in run("feedback", note, "wrong")[1]


def test_doubted_note_becomes_clearer(run: Run, note: str) -> None:
    with Engram() as memory:
        memory.db.execute("UPDATE records SET confidence = 0.5")
    assert read(run, "feedback", note, "useful")["confidence"] == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(("feedback", "k99", "useful"), 1, id="no such note"),
        pytest.param(("feedback", "k1", "splendid"), 2, id="no such verdict"),
        pytest.param(("feedback", "k1"), 2, id="no verdict"),
    ],
)
def test_mistakes_change_nothing(run: Run, note: str, arguments: tuple[str, ...], code: int) -> None:
    assert run(*arguments)[0] == code
    with Engram() as memory:
        assert memory.db.execute("SELECT count(*) FROM feedback").fetchone() == (0,)
        assert memory.find(note).status == "active"
