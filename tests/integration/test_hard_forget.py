"""Forgetting for good: no byte of the text stays in any of our files."""

from __future__ import annotations

from pathlib import Path

import pytest

from engram_hooks.cli.main import main
from engram_hooks.curate import forget, invariants
from engram_hooks.curate.attempts import learn
from engram_hooks.memory import Engram, now
from engram_hooks.store import attempts, backup, log, sessions, trials
from engram_hooks.store.check import check_store
from engram_hooks.store.connect import connect_file
from tests.support.forgotten import TEXT, UUID, files_with, remember, remove
from tests.support.make_repo import Repo


@pytest.fixture
def memory(repo: Repo, data: str) -> Engram:
    """A memory that holds the text wherever a session may leave one."""
    return remember(repo, data)


def test_no_byte_of_the_text_stays(memory: Engram, repo: Repo) -> None:
    left = remove(memory)
    assert left == [str(repo / "talk.jsonl")]
    assert files_with(memory.data, "quuxfrob", "wombat", "zanzibar", "gnulike") == []


def test_no_byte_of_what_was_tried_stays(memory: Engram, repo: Repo) -> None:
    project_id = memory.project_id or 0
    place = project_id, 1, "", str(repo.path), "main"
    long = f'call("{TEXT}")' + " # filler" * 40  # long enough to be packed
    trials.add_edits(memory.db, place, [("a.py", ["x = 1"], [long])], use_id="e", now_ms=now())
    verdict = "test", "pytest", (f"test_{TEXT}",), "failed", [["t", "KeyError", f'"{TEXT}"', ""]], "f"
    trials.add_run(memory.db, place, verdict, use_id="r", now_ms=now())
    learn(memory.db, project_id, now_ms=now())
    rule = {"text": f"mind that {TEXT}", "globs": ["**"], "id": "own"}
    invariants.add_here(memory, rule, is_everywhere=False)
    tables = "edits", "check_runs", "attempts", "attempt_files", "invariants", "invariant_keys"
    assert all(memory.db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables)
    other = memory.add("an unrelated decision on basalt")
    assert remove(memory) == [str(repo / "talk.jsonl")]
    assert files_with(memory.data, "quuxfrob", "wombat", "zanzibar") == []
    with Engram(cwd=repo.path) as again:
        assert [again.db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables] == [
            0
        ] * 6
        assert check_store(again.db) == []
        assert again.find(other.short_id).summary == other.summary


def test_packed_text_of_an_attempt_is_found_in_a_backup(memory: Engram, repo: Repo) -> None:
    place = memory.project_id or 0, 1, "", str(repo.path), "main"
    trials.add_edits(memory.db, place, [("a.py", [], [TEXT + " # filler" * 40])], use_id="e", now_ms=now())
    path = backup.back_up_here(memory.db, memory.data, reason="test", now_ms=now())
    assert remove(memory, with_backups=True) == [str(repo / "talk.jsonl")]
    copy = connect_file(path, "mode=ro&immutable=1", 0)
    assert copy.execute("SELECT count(*) FROM edits").fetchone() == (0,)
    copy.close()


def test_restored_backup_holds_what_was_tried(memory: Engram, repo: Repo) -> None:
    place = memory.project_id or 0, 1, "", str(repo.path), "main"
    trials.add_edits(memory.db, place, [("a.py", ["old()"], ["new()"])], use_id="e", now_ms=now())
    trials.add_run(memory.db, place, ("test", "pytest", (), "failed", [], "f"), use_id="r", now_ms=now())
    learn(memory.db, memory.project_id or 0, now_ms=now())
    path = backup.back_up_here(memory.db, memory.data, reason="test", now_ms=now())
    attempts.delete_attempt(memory.db, 1)
    memory.close()
    backup.restore(memory.data, path, now_ms=now())
    with Engram(cwd=repo.path) as again:
        assert attempts.files_of(again.db, 1) == [("a.py", [], ["old()"], ["new()"])]
        assert check_store(again.db) == []


def test_other_things_stay(memory: Engram, repo: Repo) -> None:
    kept = memory.add("deploys happen on Tuesdays")
    remove(memory)
    assert (Path(memory.data) / "hook.log").read_text() == "1 stop fine\n3 stop fine\n"
    with Engram(cwd=repo.path) as again:
        assert [hit.id for hit in again.recall("tuesdays deploys")] == [kept.short_id]
        assert [hit.summary for hit in again.recall("basalt", mode="search")] == ["unrelated basalt"]
        assert again.db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_forgotten_line_does_not_come_back(memory: Engram, repo: Repo) -> None:
    remove(memory)
    with Engram(cwd=repo.path) as again:
        session = sessions.find_session(again.db, "s1")
        assert session is not None
        assert log.append_rows(again.db, session[0], [(UUID, "user", "", TEXT, now())]) == 0


def test_backups_are_named_and_cleaned_when_asked(memory: Engram) -> None:
    path = backup.back_up_here(memory.db, memory.data, reason="test", now_ms=now())
    removal = forget.plan_removal(memory.db, memory.data, 1)
    assert removal.backups == (path,)
    left = remove(memory, with_backups=True)
    assert path not in left
    assert files_with(memory.data, "quuxfrob", "wombat", "zanzibar") == []


def test_backups_stay_when_not_asked(memory: Engram) -> None:
    path = backup.back_up_here(memory.db, memory.data, reason="test", now_ms=now())
    assert path in remove(memory)
    assert files_with(memory.data, "quuxfrob") == [Path(path).name]


def test_a_short_text_takes_no_other_lines_along(repo: Repo, data: str) -> None:
    with Engram(cwd=repo.path) as memory:
        memory.add("basalt")
        session = sessions.add_session(
            memory.db,
            "s1",
            project_id=memory.project_id or 0,
            root="",
            branch="",
            transcript_path="",
            now_ms=now(),
        )
        log.append_rows(memory.db, session[0], [(UUID, "user", "", "we talked about basalt today", now())])
        removal = forget.plan_removal(memory.db, memory.data, 1)
        assert removal.traces == ()


def test_command_asks_before_it_removes(
    memory: Engram, repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    memory.close()
    monkeypatch.chdir(repo.path)
    assert main(["forget", "--hard", "d1"]) == 2
    assert "--yes" in capsys.readouterr().err
    assert main(["forget", "--hard", "--yes", "d1"]) == 0
    assert str(repo / "talk.jsonl") in capsys.readouterr().out
    assert main(["show", "d1"]) == 1
