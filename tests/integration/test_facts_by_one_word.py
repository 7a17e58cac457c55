"""One word finds the note that holds it, also where nothing knows what it means, beside a script without spaces."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engram_hooks import Engram
from tests.support.make_repo import make_repo

NOTES = (
    "步3 重跑gen-itgc后都好",
    "ทดสอบการค้นหา",
    "数据库迁移在周五",
    "support ends in May",
    "the port is 8080",
)


@pytest.fixture
def memory(tmp_path: Path, data: str) -> Iterator[Engram]:
    with Engram(cwd=make_repo(tmp_path / "shop", {"a.py": "x = 1\n"}).path) as memory:
        for note in NOTES:
            memory.add(note)
        yield memory


@pytest.mark.parametrize(
    ("word", "note"),
    [("itgc", NOTES[0]), ("ITGC", NOTES[0]), ("การ", NOTES[1]), ("数据", NOTES[2]), ("port", NOTES[4])],
)
def test_word_finds_its_note(memory: Engram, word: str, note: str) -> None:
    assert [hit.summary for hit in memory.recall(word)] == [note]


@pytest.mark.parametrize("word", ["tgc", "迁库", "xitgc", "por"])
def test_part_of_a_word_finds_none(memory: Engram, word: str) -> None:
    assert NOTES[0] not in [hit.summary for hit in memory.recall(word)]
