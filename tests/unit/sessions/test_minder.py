"""What the minder finds: by words, by meaning, the same for hooks and commands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engram_hooks import Engram
from engram_hooks.curate.asking import search_records
from engram_hooks.recall import gate
from engram_hooks.recall.fields import ID
from engram_hooks.sessions import minder

ICONS = "Icons come from our own sprite; adding lucide or fontawesome was refused for bundle size."
OTHERS = "Backups run at night", "The parser lives in src/parse", "Ask before touching files under legal/"
OFF = {"ENGRAM_EMBED": "off"}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Engram]:
    """A store with a few notes that have vectors."""
    with Engram(home=tmp_path, cwd=tmp_path, environ={"HOME": str(tmp_path)}) as memory:
        rows = [{"id": str(at), "project": "p", "text": text} for at, text in enumerate((ICONS, *OTHERS), 1)]
        memory.import_records(rows)
        search_records.catch_up(memory.db, memory.question("x", project="p"))
        yield memory


def _ids(
    memory: Engram, prompt: str, environ: dict[str, str] | None = None, *, project: str = "p"
) -> list[int]:
    project_id = memory.question(prompt, project=project).project_id or 0
    scored = minder.find(memory.db, memory.data, prompt, project_id=project_id, environ=environ or {})
    return [row[ID] for _, row, _ in scored]


def test_meaning_finds_what_words_do_not(memory: Engram) -> None:
    prompt = "draw me a few pictograms and symbols"
    assert _ids(memory, prompt)[0] == 1
    assert _ids(memory, prompt, OFF) == []


def test_words_find_without_meaning(memory: Engram) -> None:
    assert _ids(memory, "is the parser slow?", OFF) == [3]


def test_folder_of_a_path_is_named_by_a_note_about_it(memory: Engram) -> None:
    project_id = memory.question("x", project="p").project_id or 0
    found = minder.find(memory.db, memory.data, "reword legal/terms.md", project_id=project_id, environ={})
    value, row, reasons = found[0]
    assert row[ID] == 4
    assert "legal/" in reasons["identifiers"]
    assert value > 0.5


def test_other_projects_are_not_looked_at(memory: Engram) -> None:
    memory.import_records([{"id": "9", "project": "other", "text": "Icons of the other project are drawn"}])
    search_records.catch_up(memory.db, memory.question("x", project="p"))
    assert _ids(memory, "which icons may I import", project="other") == [5]
    assert 5 not in _ids(memory, "which icons may I import")


def test_record_that_is_not_found_can_be_judged_too(memory: Engram) -> None:
    project_id = memory.question("x", project="p").project_id or 0
    found = minder.find(memory.db, memory.data, "parser", project_id=project_id, environ=OFF, also=[1])
    assert [row[ID] for _, row, _ in found] == [3, 1]


def test_preview_of_a_command_is_what_the_hook_shows(memory: Engram) -> None:
    for prompt in (
        "add a magnifier icon from fontawesome",
        "change legal/terms.md",
        "thanks",
        "paint the zoo",
    ):
        question = memory.question(prompt, project="p")
        scored = minder.find(
            memory.db, memory.data, prompt, project_id=question.project_id or 0, environ=memory.environ
        )
        shown = [str(row[ID]) for _, row, _ in gate.choose(scored)] if prompt != "thanks" else []
        assert [hit.id for hit in memory.recall(prompt, mode="hook", project="p")] == shown


def test_nothing_is_found_in_an_empty_store(tmp_path: Path) -> None:
    with Engram(home=tmp_path, cwd=tmp_path, environ={"HOME": str(tmp_path)}) as memory:
        assert minder.find(memory.db, memory.data, "the parser", project_id=1, environ={}) == []
