"""Which words of a text are another form of a word."""

from __future__ import annotations

import pytest

from engram_hooks.recall.topics import find_words, is_ending, stem_of


def _found(term: str, text: str) -> list[tuple[str, float, int]]:
    return find_words(text, text.lower(), [(term, stem_of(term))])


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("labels", "the label is blue"),
        ("printing", "it was printed twice"),
        ("retries", "one retry only"),
        ("queries", "a slow query"),
        ("parser", "class orderParser"),
        ("friday", "never on Fridays"),
        ("deploy", "it was deployed"),
        ("stop", "it was stopped"),
        ("running", "a run of it"),
        ("api_key", "the api_key is gone"),
        ("漏洞", "修复漏洞三号"),
        ("itgc", "步3 重跑gen-itgc后都好"),
        ("api", "이 API를 쓴다"),
        ("legal/", "ask before touching legal/."),
    ],
)
def test_form_of_a_word_is_found(term: str, text: str) -> None:
    assert [hit[0] for hit in _found(term, text)] == [term]


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("log", "the catalog"),
        ("itgc", "重跑xitgc后"),
        ("caf", "das Café"),
        ("port", "a portal"),
        ("cat", "concatenate"),
        ("label", "unlabelled"),
        ("stop", "a stoplight"),
        ("plan", "the planet"),
        ("api_key", "my_api_keyring"),
        ("legal/", "legal/terms.md"),
    ],
)
def test_part_of_another_word_is_not(term: str, text: str) -> None:
    assert _found(term, text) == []


def test_same_word_fits_better_than_another_form() -> None:
    [(_, same, at)], [(_, other, _)] = _found("label", "a label"), _found("labels", "a label")
    assert same == 1.0 > other > 0
    assert at == 2


@pytest.mark.parametrize(
    ("term", "stem"),
    [("labels", "label"), ("printing", "print"), ("bus", "bus"), ("v2.4.0", "v2.4.0"), ("uses", "uses")],
)
def test_stem(term: str, stem: str) -> None:
    assert stem_of(term) == stem


def test_endings() -> None:
    assert is_ending("ing")
    assert not is_ending("wards")
