"""What was true when: through the commands, with dates, with late news, in other time zones."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from engram_hooks.memory import Engram
from tests.support.command_runs import Run, read
from tests.unit.cli.conftest import run

__all__ = ["run"]
MAY, JUNE = "2025-05-10", "2025-06-20"


@pytest.fixture
def told(run: Run) -> Iterator[Engram]:
    """A project that kept its sessions in Memcached, then in Valkey, and measured something else."""
    run("add", "-s", "Sessions are kept in Memcached", "--valid-from", MAY)
    run(
        "add",
        "-s",
        "Sessions are kept in Valkey now, not in Memcached: evictions logged people out",
        "--valid-from",
        JUNE,
    )
    run("add", "-s", "Invoices are rendered by Typst", "--valid-from", MAY)
    with Engram() as memory:
        yield memory


def ask(run: Run, *words: str) -> list[dict[str, Any]]:  # Any: what the command prints
    """The notes that a question gives."""
    return [hit for hit in read(run, "recall", *words, "--mode", "facts") if hit["source"] == "record"]


@pytest.mark.usefixtures("told")
@pytest.mark.parametrize(
    ("words", "best", "status"),
    [
        pytest.param(("where are sessions kept?",), "d2", "live", id="now"),
        pytest.param(("where are sessions kept", "--as-of", "2025-06-01"), "d1", "live", id="as of a day"),
        pytest.param(
            ("where are sessions kept", "--as-of", "2025-06-20"), "d2", "live", id="the day of the change"
        ),
        pytest.param(
            ("where were sessions kept in May 2025",), "d1", "superseded", id="a month in the words"
        ),
        pytest.param(("where were sessions kept on 1 July 2025?",), "d2", "live", id="a day in the words"),
        pytest.param(("where did we keep sessions before?",), "d1", "superseded", id="before"),
        pytest.param(("where did we keep sessions before Valkey",), "d1", "superseded", id="before a name"),
        pytest.param(("where were sessions kept originally",), "d1", "superseded", id="originally"),
        pytest.param(("why did we leave Memcached?",), "d2", "live", id="why"),
        pytest.param(("where are invoices rendered before?",), "d3", "live", id="nothing was replaced"),
    ],
)
def test_time_decides_what_is_told(run: Run, words: tuple[str, ...], best: str, status: str) -> None:
    hits = ask(run, *words)
    assert (hits[0]["id"], hits[0]["status"]) == (best, status)
    if best == "d1":
        assert hits[0]["replaced_by"] == "d2"


@pytest.mark.usefixtures("told")
@pytest.mark.parametrize(
    "words",
    [
        ("where are sessions kept", "--as-of", "2025-05-01"),
        ("where were sessions kept in April 2025",),
        ("which museum shows the meteorite",),
        ("who waters the office plants",),
    ],
)
def test_nothing_is_told_where_nothing_was_known(run: Run, words: tuple[str, ...]) -> None:
    assert ask(run, *words) == []


@pytest.mark.usefixtures("told")
def test_people_are_told_what_replaced_it_and_when(run: Run) -> None:
    out = run("recall", "-q", "where did we keep sessions before", "--mode", "facts")[1]
    assert "no longer true: replaced by d2 on 20 June" in out
    assert "until 20 June" in run("recall", "sessions kept", "--as-of", "2025-06-01", "--mode", "facts")[1]
    tree = run("show", "d2")[1]
    assert "└─ d1  Sessions are kept in Memcached  (10 May 2025 to 20 June 2025" in tree


@pytest.mark.usefixtures("told")
def test_late_news_about_the_past_takes_its_place_there(run: Run) -> None:
    assert run("add", "-s", "Sessions are kept in cookies", "--valid-from", "2025-01-05")[0] == 0
    assert ask(run, "where are sessions kept?")[0]["id"] == "d2"
    assert ask(run, "where are sessions kept", "--as-of", "2025-02-01")[0]["id"] == "d4"
    assert ask(run, "where are sessions kept", "--as-of", "2025-06-01")[0]["id"] == "d1"


def test_what_says_the_same_comes_once(run: Run) -> None:
    with Engram() as memory:
        rows = [
            ("x1", "Sessions live in Valkey", "2025-01-05"),
            ("x2", "Login sessions: Valkey", "2025-01-09"),
        ]
        memory.import_records(
            {"id": name, "kind": "decision", "text": text, "ts": at} for name, text, at in rows
        )
    hits = ask(run, "where do sessions live?")
    assert len(hits) == 1
    assert len(hits[0]["also"]) <= 1


@pytest.mark.parametrize(("zone", "best"), [("Pacific/Auckland", "d1"), ("America/Los_Angeles", "d2")])
def test_a_day_is_that_of_the_clock_here(
    run: Run, monkeypatch: pytest.MonkeyPatch, zone: str, best: str
) -> None:
    """The change came at noon UTC on 20 June: in Auckland that day had ended, in Los Angeles it had begun."""
    for text, at in (
        ("Sessions are kept in Memcached", MAY),
        ("Sessions are kept in Valkey now, not in Memcached", "2025-06-20T12:00+00:00"),
    ):
        run("add", "-s", text, "--valid-from", at)
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert ask(run, "where are sessions kept", "--as-of", "2025-06-20")[0]["id"] == best
        assert ask(run, "where are sessions kept", "--as-of", "2025-06-20T12:00+00:00")[0]["id"] == "d2"
    finally:
        monkeypatch.undo()
        time.tzset()
