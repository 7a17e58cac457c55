"""Texts compared with a question by meaning."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engram_hooks.embed.encode import BUNDLED_PATH, Table
from engram_hooks.embed.likeness import compare


@pytest.fixture
def table() -> Iterator[Table]:
    opened = Table(BUNDLED_PATH)
    yield opened
    opened.close()


def test_paraphrase_is_nearer_than_another_subject(table: Table) -> None:
    near, far = compare(
        table, "the database is slow", ["queries take long on the SQL server", "we baked a cake"]
    )
    assert near > far + 0.2


def test_same_text_is_alike(table: Table) -> None:
    assert compare(table, "retry the payment", ["retry the payment"]) == [pytest.approx(1.0)]


@pytest.mark.parametrize(("question", "texts"), [("", ["a word"]), ("a word", ["", "\x00"])])
def test_what_says_nothing_is_like_nothing(table: Table, question: str, texts: list[str]) -> None:
    assert compare(table, question, texts) == [0.0] * len(texts)
