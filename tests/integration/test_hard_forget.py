"""Forgetting for good: no byte of the text stays in any of our files."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks.cli.main import main
from engram_hooks.curate import forget, invariants
from engram_hooks.curate.attempts import learn
from engram_hooks.memory import Engram, now
from engram_hooks.sessions.core_mirror import is_touched
from engram_hooks.store import attempts, backup, log, records, sessions, tool_events, trials
from engram_hooks.store.check import check_store
from engram_hooks.store.connect import connect_file
from engram_hooks.store.erase import list_record_tables
from engram_hooks.store.erase_places import KEPT_BY_RECORD, PARTS, ROWS, WITH_RECORD
from engram_hooks.store.indexes import rebuild_indexes
from engram_hooks.store.packing import pack_text, unpack_text
from engram_hooks.store.summaries import put_summary
from tests.support.make_repo import Repo
from tests.unit.store.test_erase_places import text_columns

TEXT = "the quuxfrob wombat protocol guards the order queue"
PACKING = "log", "edits", "check_runs", "attempts", "attempt_files"
PACKED = "text", "removed", "added", "faults", "cure"
UUID = "00000000-0000-4000-8000-000000000001"


def files_with(folder: str | Path, *words: str) -> list[str]:
    """The files below a folder that hold one of the words, in whatever case."""
    return sorted(
        path.name
        for path in Path(folder).rglob("*")
        if path.is_file() and any(word.encode() in path.read_bytes().lower() for word in words)
    )


@pytest.fixture
def memory(repo: Repo, data: str) -> Engram:
    """A memory that holds the text in a record, its versions, the log, prompts, events, spool and hook log."""
    memory = Engram(cwd=repo.path)
    record = memory.add(TEXT, detail="zanzibar detail", tags=["gnulike"])
    memory.edit(record.short_id, {"summary": TEXT.upper()})
    memory.edit(record.short_id, {"summary": TEXT})
    session = sessions.add_session(
        memory.db,
        "s1",
        project_id=memory.project_id or 0,
        root="",
        branch="",
        transcript_path=str(repo / "talk.jsonl"),
        now_ms=now(),
    )
    log.append_rows(
        memory.db,
        session[0],
        [
            (UUID, "user", "", f"remember: {TEXT}!", now()),
            (UUID[:-1] + "2", "user", "", "unrelated basalt", now()),
        ],
    )
    sessions.add_prompt(memory.db, session[0], f"so {TEXT}", prompt_id="p", now_ms=now())
    event = {"tool": "Bash", "target": "", "command": "make", "outcome": "failed", "error": f"E: {TEXT}"}
    tool_events.record_event(memory.db, session[0], {**event, "use_id": "u", "agent": ""}, now_ms=now())
    spool = Path(data) / "spool"
    spool.mkdir()
    (spool / "1.part").write_text(json.dumps({"prompt": TEXT}))
    (Path(data) / "hook.log").write_text(f"1 stop fine\n2 stop {TEXT}\n3 stop fine\n")
    (repo / "talk.jsonl").write_text(json.dumps({"text": TEXT}) + "\n")
    return memory


def remove(memory: Engram, *, with_backups: bool = False) -> list[str]:
    """Forget the record for good; what still holds the text."""
    removal = forget.plan_removal(memory.db, memory.data, memory.find("1").id)
    left = forget.remove(memory.db, memory.data, removal, now_ms=now(), with_backups=with_backups)
    memory.close()
    return left


def test_no_byte_of_the_text_stays(memory: Engram, repo: Repo) -> None:
    left = remove(memory)
    assert left == [str(repo / "talk.jsonl")]
    assert files_with(memory.data, "quuxfrob", "wombat", "zanzibar", "gnulike") == []


def fill_row(db: Connection, table: str, columns: tuple[str, ...], *, record_id: int) -> None:
    """Add a row to a table with the text in these columns, packed where it is long, and something in all others."""
    row: dict[str, object] = {}
    for _, name, kind, *_ in db.execute(f"PRAGMA table_info({table})").fetchall():
        if name in columns:
            text = f"{TEXT} in {table}.{name}" + " # filler" * 40
            row[name] = pack_text(text) if name in PACKED and table in PACKING else text
        elif name == "record_id":
            row[name] = record_id
        elif name == "uuid":
            row[name] = bytes(range(16))
        else:
            row[name] = 990 + record_id if kind in ("INTEGER", "REAL") else f"some {name}"
    if table == "invariants":
        row["file"] = ""
    names, marks = ", ".join(row), ", ".join("?" * len(row))
    db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(row.values()))


def test_no_column_keeps_the_text(memory: Engram, repo: Repo) -> None:
    other = memory.add("an unrelated decision on basalt")
    tables: dict[str, tuple[str, ...]] = {
        table: columns for table, _, columns, _ in ROWS if table != "records"
    }
    tables |= {table: columns for table, _, columns in PARTS if table != "records"}
    for table, columns in tables.items():
        fill_row(memory.db, table, columns, record_id=other.id)
    for table in list_record_tables(memory.db):
        if table not in (*KEPT_BY_RECORD, "shown", "evidence") and not table.endswith("_todo"):
            fill_row(memory.db, table, WITH_RECORD.get(table, ()), record_id=1)
    memory.db.execute("UPDATE records SET status_reason = ? WHERE id = ?", (f"near {TEXT}", other.id))
    rebuild_indexes(memory.db)
    remove(memory)
    with Engram(cwd=repo.path) as again:
        assert packed_texts(again.db, "quuxfrob") == []
    assert files_with(memory.data, "quuxfrob", "wombat", "zanzibar") == []
    with Engram(cwd=repo.path) as again:
        assert again.find(other.short_id).summary == other.summary
        for table in list_record_tables(again.db):
            kept = again.db.execute(f"SELECT count(*) FROM {table} WHERE record_id = 1").fetchone()[0]
            assert not kept or table in KEPT_BY_RECORD, table


def packed_texts(db: Connection, word: str) -> list[tuple[str, str]]:
    """The (table, column) that hold a word, packed or not."""
    return [
        (table, column)
        for table, column in text_columns(db)
        for (value,) in db.execute(f"SELECT {column} FROM {table}")
        if isinstance(value, str | bytes) and word in unpack_loosely(value)
    ]


def unpack_loosely(value: str | bytes) -> str:
    """The text of a stored value; bytes that are none give ''."""
    try:
        return unpack_text(value).lower()
    except zlib.error:
        return ""


def test_entities_of_the_text_go_with_it(memory: Engram) -> None:
    memory.db.execute("INSERT INTO entities (id, norm, created_at) VALUES (77, 'wombat-service', 1)")
    memory.db.execute("INSERT INTO mentions VALUES (77, 1, 'service', 'wombat-service')")
    memory.db.execute("INSERT INTO relations VALUES (77, 'uses', 77, 1)")
    remove(memory)
    assert files_with(memory.data, "wombat") == []


def test_summary_that_repeats_a_sentence_is_named_and_goes(repo: Repo, data: str) -> None:
    sentence = "the quuxfrob is switched off on Sundays at noon"
    with Engram(cwd=repo.path) as memory:
        memory.add(f"Mind the wombat. {sentence.capitalize()}.")
        put_summary(memory.db, 5, f"Talked: {sentence}. Done.", log_id=1, source="extract", now_ms=now())
        merged = {"kind": "fact", "project_id": memory.project_id, "summary": f"{sentence}; so it stays"}
        derived = records.insert(memory.db, merged, now_ms=now(), actor="consolidation")
        own = records.insert(memory.db, {**merged, "summary": f"{sentence}!"}, now_ms=now(), actor="person")
        removal = forget.plan_removal(memory.db, memory.data, 1)
        assert [trace[:2] for trace in removal.traces] == [("records", derived), ("session_summaries", 5)]
        forget.remove(memory.db, memory.data, removal, now_ms=now())
        assert memory.db.execute("SELECT count(*) FROM session_summaries").fetchone() == (0,)
        assert memory.find(str(own)).summary.endswith("!"), "what a person said in a sentence of theirs stays"


class TestCore:
    """Entries of core memory."""

    def test_no_byte_of_an_entry_stays(self, memory: Engram, repo: Repo) -> None:
        memory.core_add("user", f"My name is Ana\n{TEXT}")
        memory.core_add("agent", f"mind that {TEXT}")
        memory.core_replace(TEXT[:20], f"{TEXT} by night", block="user")
        memory.core_undo(block="user")
        Path(memory.data, "core", "USER.conflict.md").write_text(f"# You\n\n- {TEXT}\n- kept\n")
        assert remove(memory) == [str(repo / "talk.jsonl")]
        assert files_with(memory.data, "quuxfrob", "wombat") == []
        with Engram(cwd=repo.path) as again:
            assert again.core("user")[0].entries == ("My name is Ana",)
            assert not again.core("user")[0].pending
            assert not is_touched(again.db, again.data)
            assert Path(again.data, "core", "USER.conflict.md").read_text().endswith("- kept\n")

    def test_command_removes_an_entry_for_good(
        self,
        memory: Engram,
        repo: Repo,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        memory.core_add("user", f"My name is Ana\n{TEXT}")
        memory.close()
        monkeypatch.chdir(repo.path)
        assert main(["core", "remove", "--hard", "quuxfrob"]) == 2
        assert main(["core", "remove", "--hard", "--yes", "quuxfrob"]) == 0
        assert "Removed the entry for good" in capsys.readouterr().out
        assert files_with(memory.data, "quuxfrob") == []
        with Engram(cwd=repo.path) as again:
            assert again.core("user")[0].entries == ("My name is Ana",)
            assert again.core_undo(block="user").block.entries == ()

    def test_edit_that_waits_in_the_file_is_kept(self, memory: Engram) -> None:
        memory.core_add("user", "My name is Ana")
        path = Path(memory.core("user")[0].file)
        path.write_text("x" * 1_300 + f"\n{TEXT}\n")
        remove(memory)
        assert path.read_text() == "x" * 1_300 + "\n"


def test_a_short_text_takes_no_lines_of_files_along(repo: Repo, data: str) -> None:
    with Engram(cwd=repo.path) as memory:
        memory.add("stop")
        hook_log = Path(data, "hook.log")
        hook_log.write_text('1 stop fine\n2 {"a": "stop"}\nstop\n')
        removal = forget.plan_removal(memory.db, memory.data, 1)
        forget.remove(memory.db, memory.data, removal, now_ms=now())
        assert hook_log.read_text() == "1 stop fine\n"


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
