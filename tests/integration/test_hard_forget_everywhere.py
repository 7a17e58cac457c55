"""Forgetting for good looks through every column of the store, and takes along what was made out of the text."""

from __future__ import annotations

import zlib
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks.cli.main import main
from engram_hooks.curate import forget
from engram_hooks.memory import Engram, now
from engram_hooks.sessions.core_mirror import is_touched
from engram_hooks.store import backup, records
from engram_hooks.store.connect import connect_file
from engram_hooks.store.erase import list_record_tables
from engram_hooks.store.erase_places import KEPT_BY_RECORD, PARTS, ROWS, WITH_RECORD
from engram_hooks.store.indexes import rebuild_indexes
from engram_hooks.store.packing import pack_text, unpack_text
from engram_hooks.store.summaries import put_summary
from tests.support.forgotten import TEXT, files_with, remember, remove
from tests.support.make_repo import Repo
from tests.unit.store.test_erase_places import text_columns

PACKING = "log", "edits", "check_runs", "attempts", "attempt_files"
PACKED = "text", "removed", "added", "faults", "cure"


@pytest.fixture
def memory(repo: Repo, data: str) -> Engram:
    """A memory that holds the text wherever a session may leave one."""
    return remember(repo, data)


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


def test_damaged_store_that_was_set_aside_is_named(memory: Engram, repo: Repo) -> None:
    aside = Path(memory.data, "engram.db.damaged-20260502-101500")
    aside.write_bytes(b"torn pages" * 90)
    folder = Path(memory.data, "backups")
    folder.mkdir()
    (folder / "engram-1.db.new-7").write_text(f"half a copy of {TEXT}")
    (folder / "notes.txt").write_text("not a database")
    assert set(remove(memory, with_backups=True)) == {
        str(repo / "talk.jsonl"),
        str(aside),
        str(folder / "engram-1.db.new-7"),
    }
    assert aside.read_bytes() == b"torn pages" * 90


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

    def test_entry_goes_out_of_backups_when_asked(self, memory: Engram) -> None:
        memory.core_add("user", f"My name is Ana\n{TEXT}")
        path = backup.back_up_here(memory.db, memory.data, reason="test", now_ms=now())
        assert path not in remove(memory, with_backups=True)
        assert files_with(memory.data, "quuxfrob", "wombat") == []
        copy = connect_file(path, "mode=ro&immutable=1", 0)
        assert copy.execute("SELECT text FROM core").fetchall() == [("My name is Ana",)]
        copy.close()

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
