"""Which notes say the same: words in other forms and order do, another value does not."""

from __future__ import annotations

import pytest

from engram_hooks.curate.sameness import Reader, WordIndex, is_heard_again, says_same

SAME = [
    ("Run the linter before committing", "Run the linter before you commit."),
    ("The search index is rebuilt every Sunday", "Search index gets rebuilt on Sundays"),
    ("Invoices are rendered with WeasyPrint", "WeasyPrint renders the invoices"),
    ("Use British spelling in the docs", "Docs use British spelling"),
    ("USE BRITISH SPELLING", "use   british spelling"),
    ("Tests need a local Redis", "The tests need a local Redis running"),
]
OTHER = [
    ("Use pnpm in the web folder", "Use npm in the web folder"),
    ("Postgres over Mongo for orders", "Mongo over Postgres for orders"),
    ("Run lint before tests", "Run tests before lint"),
    ("Traffic goes from the CDN to the app", "Traffic goes from the app to the CDN"),
    ("Replace Celery with Dramatiq", "Replace Dramatiq with Celery"),
    ("Never push to main", "Push to main"),
    ("Don't cache responses", "Cache responses"),
    ("The worker retries 3 times", "The worker retries 5 times"),
    ("payments/retry.py was slow in case 1", "payments/retry.py was slow in case 2"),
    ("The mobile app caches images", "The mobile app caches images of Alice"),
    ("Builds are slow", "Builds are slow where the cache of layers was lost on a runner"),
    ("", "Use pnpm"),
]


@pytest.mark.parametrize(("text", "other"), SAME)
def test_repetition_is_recognised_from_both_sides(text: str, other: str) -> None:
    reader = Reader()
    assert says_same(reader.read(text), reader.read(other))
    assert says_same(reader.read(other), reader.read(text))


@pytest.mark.parametrize(("text", "other"), OTHER)
def test_other_value_is_no_repetition(text: str, other: str) -> None:
    reader = Reader()
    assert not says_same(reader.read(text), reader.read(other))
    assert not says_same(reader.read(other), reader.read(text))


@pytest.mark.parametrize(
    ("text", "cosine", "expected"),
    [
        pytest.param("Always run the linter", 0.0, True, id="a part of it"),
        pytest.param("Always run the formatter before committing", 0.0, False, id="another word"),
        pytest.param(
            "Always start the linter before committing", 0.9, True, id="another word of the same meaning"
        ),
        pytest.param("Never run the linter before committing", 0.99, False, id="the opposite"),
        pytest.param("Always run the linter of web/app.ts before committing", 0.99, False, id="a name"),
    ],
)
def test_sentence_is_heard_again(text: str, cosine: float, expected: bool) -> None:
    reader = Reader()
    known = reader.read("Always run the linter before committing")
    assert is_heard_again(reader.read(text), known, cosine=cosine) == expected


@pytest.mark.parametrize(("text", "other"), SAME)
def test_index_finds_every_repetition(text: str, other: str) -> None:
    reader, index = Reader(), WordIndex()
    index.add("here", 1, reader.read(text))
    index.add("there", 2, reader.read(text))
    assert index.find("here", reader.read(other)) == [1]
