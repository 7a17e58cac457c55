"""Core memory through the hook: known from the first request on, in every project, in the same bytes."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from engram_hooks.bench.synthetic import record_texts
from engram_hooks.cli.main import main
from engram_hooks.memory import Engram, now
from engram_hooks.sessions.core_mirror import is_touched
from engram_hooks.store import records
from engram_hooks.store.transactions import Transaction
from tests.support.make_repo import Repo
from tests.support.repo_files import ROOT
from tests.support.run_hook import context_of, run_hook


def start(data: str, directory: Path, *, source: str = "startup") -> str:
    """What a session that begins in a directory is told."""
    payload = {
        "hook_event_name": "SessionStart",
        "session_id": str(uuid.uuid4()),
        "cwd": str(directory),
        "source": source,
    }
    return context_of(run_hook(data, "session-start", dict(payload)))


def say(*arguments: str) -> None:
    """Call a command, which must succeed."""
    assert main(list(arguments)) == 0


@pytest.fixture
def ana(data: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A store in which a person said their name, outside of any project; its folder."""
    monkeypatch.chdir(home)
    say("core", "add", "user", "My name is Ana")
    return data


def test_first_session_of_a_new_repository_knows_the_name(ana: str, repo: Repo) -> None:
    lines = start(ana, repo.path).split("\n")
    assert lines[0].startswith('<engram project="shop"')
    assert lines[1] == "You (2% full): My name is Ana"
    assert "No notes for this project yet" in lines[2]


def test_session_outside_any_project_knows_the_name(ana: str, home: Path, tmp_path: Path) -> None:
    assert "My name is Ana" in start(ana, home)
    (tmp_path / "plain").mkdir()
    assert "My name is Ana" in start(ana, tmp_path / "plain")


@pytest.mark.parametrize("source", ["startup", "clear", "compact", "resume"])
def test_every_kind_of_start_tells_it_in_the_same_bytes(ana: str, repo: Repo, source: str) -> None:
    assert start(ana, repo.path, source=source) == start(ana, repo.path, source="startup")


def test_core_comes_before_the_notes_and_is_not_repeated(
    ana: str, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.path)
    say("add", "--global", "-t", "user", "-s", "My name is Ana.")
    say("add", "-t", "decision", "-s", "Orders live in Postgres")
    text = start(ana, repo.path)
    assert text.count("My name is Ana") == 1
    assert text.index("My name is Ana") < text.index("Notes from earlier sessions") < text.index("Postgres")


def test_edit_of_the_file_is_told_by_the_very_next_session(ana: str, repo: Repo) -> None:
    path = Path(ana) / "core" / "USER.md"
    path.write_text(path.read_text().replace("Ana", "Ana Maria"))
    assert "You (2% full): My name is Ana Maria" in start(ana, repo.path)
    assert main(["core", "history"]) == 0


def test_text_that_does_not_fit_disturbs_no_session(ana: str, repo: Repo) -> None:
    path = Path(ana) / "core" / "USER.md"
    path.write_text("x" * 1_300)
    assert "My name is Ana" in start(ana, repo.path)
    assert path.read_text() == "x" * 1_300


def fill_notes(repo: Repo) -> None:
    """Keep more notes than a pack can tell."""
    with Engram(cwd=repo.path) as memory, Transaction(memory.db):
        for kind, summary in record_texts(300):
            row = {"kind": kind, "project_id": memory.project_id, "summary": summary}
            records.insert(memory.db, row, now_ms=now(), actor="import")


def fill_core(block: str, count: int) -> None:
    """Fill a block with entries of some twenty characters."""
    say("core", "add", block, "\n".join(f"{block} entry number {at:04}" for at in range(count)))


@pytest.mark.parametrize(
    ("setting", "room"),
    [
        pytest.param(None, 6_000, id="as it comes"),
        pytest.param("4000", 4_000, id="set to what it is by default"),
        pytest.param("1000", 1_000, id="small"),
    ],
)
def test_core_takes_at_most_half_of_the_pack(
    ana: str, repo: Repo, monkeypatch: pytest.MonkeyPatch, setting: str | None, room: int
) -> None:
    fill_core("user", 40)
    fill_core("agent", 60)
    fill_notes(repo)
    if setting:
        monkeypatch.setenv("ENGRAM_BOOT_MAX_CHARS", setting)
    text = start(ana, repo.path)
    assert room * 0.9 < len(text) <= room
    core = text[text.index("You (") : text.index("Notes from earlier")]
    assert len(core) <= room // 2
    assert ("\nDecided: " in text) == (room >= 4_000)


def test_pack_is_as_large_as_before_without_core(data: str, repo: Repo) -> None:
    fill_notes(repo)
    assert 3_600 < len(start(data, repo.path)) <= 4_000


def test_entries_of_processes_at_once_are_all_kept(ana: str, home: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    argv = [sys.executable, "-m", "engram_hooks", "core", "add", "agent"]
    running = [subprocess.Popen([*argv, f"lesson {at}"], cwd=home, env=env) for at in range(5)]
    assert [process.wait(timeout=120) for process in running] == [0] * 5
    with Engram(cwd=home) as memory:
        block = memory.core("agent")[0]
        assert sorted(block.entries) == [f"lesson {at}" for at in range(5)]
        assert block.version == 5
        assert not is_touched(memory.db, memory.data)
    file = Path(ana, "core", "AGENT.md").read_text()
    assert [f"- lesson {at}" in file for at in range(5)] == [True] * 5
    assert sorted(os.listdir(Path(ana, "core"))) == ["AGENT.md", "USER.md"]
