"""What `engram stats` and `engram shown` say of how notes were taken."""

from __future__ import annotations

import pytest

from engram_hooks import Engram
from engram_hooks.curate.feedback_turns import recount
from engram_hooks.memory import now
from engram_hooks.store import sessions, shown, usage
from tests.support.command_runs import Run, read

NOTES = "Stripe needs a key per order", "Icons are drawn by hand", "Backups run at night"


@pytest.fixture
def session(run: Run) -> str:
    """A session of three turns: the first note was used, the second ignored again and again, the third is in a pack."""
    with Engram() as memory:
        for text in NOTES:
            memory.add(text, kind="fact")
        project_id = memory.project_id or 0
        number = 0
        for at in range(6):
            number, *_ = sessions.add_session(
                memory.db,
                f"c{at}",
                project_id=project_id,
                root="",
                branch="",
                transcript_path="",
                now_ms=now() + at,
            )
            shown.add_shown(
                memory.db, number, 0, [(2, 10, "0.50: words icons")], surface="minder", now_ms=now()
            )
        items = [(1, 12, "0.91: words stripe")]
        shown.add_shown(memory.db, number, 0, items, surface="minder", now_ms=now(), prompt_id="p1")
        shown.add_shown(memory.db, number, 0, [(3, 20, "startup")], surface="boot", now_ms=now())
        for at in range(1, 4):
            sessions.add_prompt(memory.db, number, f"do {at}", prompt_id=f"p{at}", now_ms=at)
        for shown_id, record_id in memory.db.execute("SELECT id, record_id FROM shown").fetchall():
            verdict = {1: ("used", 2.0, "it shows: stripe"), 2: ("ignored", -1.0, "nothing of it shows")}
            if record_id in verdict:
                usage.put_verdict(memory.db, shown_id, record_id, verdict[record_id], now_ms=now())
        recount(memory.db, project_id, [1, 2], now_ms=now())
        usage.add_miss(memory.db, number, 3, log_id=7, now_ms=now())
    return "c5"


@pytest.mark.usefixtures("session")
def test_stats_count_use_by_surface(run: Run) -> None:
    figures = read(run, "stats")
    none = dict.fromkeys(("used", "ignored", "wrong", "unknown", "open"), 0)
    assert figures["use"] == {
        "boot": {**none, "shown": 1, "tokens": 20, "open": 1},
        "minder": {**none, "shown": 7, "tokens": 72, "used": 1, "ignored": 6},
    }
    assert (figures["turns"], figures["silent"], figures["missed"]) == (3, 2, 1)
    assert [(item["id"], item["standing"] < -1) for item in figures["held_back"]] == [("k2", True)]


@pytest.mark.usefixtures("session")
def test_stats_say_it_in_words(run: Run) -> None:
    out = run("stats")[1]
    for words in (
        "at the start of sessions: nothing known yet",
        "beside prompts: 1 used, 6 ignored",
        "2 of 3 turns; in 1 a note not shown would have spared a correction",
        "often ignored, so seldom shown: k2",
    ):
        assert words in out


def test_stats_of_a_new_project_say_nothing_of_use(run: Run) -> None:
    figures = read(run, "stats")
    assert (figures["use"], figures["turns"], figures["held_back"]) == ({}, 0, [])
    out = run("stats")[1]
    assert "Silent" not in out
    assert "Came of it" not in out


def test_shown_says_what_came_of_each(run: Run, session: str) -> None:
    found = {item["id"]: item for item in read(run, "shown", "--session", session)["shown"]}
    assert (found["k1"]["verdict"], found["k1"]["verdict_reason"]) == ("used", "it shows: stripe")
    assert found["k3"]["verdict"] == ""
    out = run("shown", "--session", session)[1]
    assert "used: it shows: stripe" in out
    assert "ignored: nothing of it shows" in out
