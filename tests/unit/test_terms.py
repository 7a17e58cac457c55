"""How text becomes terms, for the index and for queries alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_hooks.terms import (
    MAX_TERM_CHARS,
    content_terms,
    identifiers,
    index_terms,
    is_identifier,
    plain_words,
    query_terms,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("orderParser", "orderparser order parser", id="camel case"),
        pytest.param("parseHTTPRequest", "parsehttprequest parse http request", id="abbreviation inside"),
        pytest.param("retry_queue", "retry_queue retry queue", id="snake case"),
        pytest.param("max-retries", "max-retries max retries", id="kebab case"),
        pytest.param("src/app.py", "src/app.py src app py", id="path"),
        pytest.param("ERR_PAYMENT_DUPLICATE", "err_payment_duplicate err payment duplicate", id="error code"),
        pytest.param("v2.1.332", "v2.1.332 v2 1 332", id="version"),
        pytest.param("INC-2407", "inc-2407 inc 2407", id="issue key"),
        pytest.param("std::vector", "std::vector std vector", id="scope"),
        pytest.param("C++ c# g++", "c++ c# g++", id="languages"),
        pytest.param("Postgres, Mongo.", "postgres mongo", id="prose"),
        pytest.param("HTTP", "http", id="abbreviation alone"),
        pytest.param("café Straße Ørsted", "cafe strasse orsted", id="accents"),
        pytest.param("キャッシュ", "キャ ャッ ッシ シュ", id="kana in pairs"),
        pytest.param("表示する", "表示 示す する", id="kanji and kana"),
        pytest.param("用户id", "用户 id", id="name glued to another script"),
        pytest.param("ломать Привет", "ломать привет", id="cyrillic"),
        pytest.param("हिन्दी", "हिन्दी", id="vowel signs stay"),
        pytest.param("-- *** \"'", "", id="no word"),
    ],
)
def test_index_terms(text: str, expected: str) -> None:
    assert index_terms(text) == expected


@pytest.mark.parametrize(
    ("query", "text"),
    [
        pytest.param("悬空", "步2 重跑gen-itgc后50条悬空引用清零", id="part of a sentence"),
        pytest.param("itgc", "步3 重跑gen-itgc后都好", id="ascii between"),
        pytest.param("회의", "오늘 회의에서 결정", id="korean particle"),
        pytest.param("การ", "ทดสอบการค้นหา", id="thai"),
        pytest.param("cafe", "le café est fermé", id="accent"),
        pytest.param("retry", "set maxRetryCount to five", id="part of a name"),
        pytest.param("C++", "C++ and C# and .NET", id="punctuated name"),
    ],
)
def test_query_terms_are_among_the_index_terms(query: str, text: str) -> None:
    assert set(query_terms(query)) & set(index_terms(text).split())


def test_query_drops_stop_words_and_single_letters() -> None:
    assert query_terms("what is the plan for a b retry queue") == ["plan", "retry", "queue"]


def test_query_of_stop_words_alone_keeps_them() -> None:
    assert query_terms("do it again") == ["do", "it", "again"]


def test_query_terms_are_distinct_and_bounded() -> None:
    assert query_terms("queue Queue QUEUE") == ["queue"]
    assert len(query_terms(" ".join(f"word{at}" for at in range(100)))) == 40


@pytest.mark.parametrize(
    "word",
    [
        "retry_queue",
        "src/app.py",
        "orderParser",
        "INC-2407",
        "ERR_X",
        "v2.1",
        "std::move",
        "HTTPServer",
        "sha256",
    ],
)
def test_names_are_identifiers(word: str) -> None:
    assert is_identifier(word)


@pytest.mark.parametrize("word", ["retry", "Retry", "the", "HTTP", "API", "2407", "a", "well-known", "x."])
def test_words_are_not_identifiers(word: str) -> None:
    assert not is_identifier(word)


def test_identifiers_come_as_index_terms() -> None:
    assert identifiers('Fix "orderParser" in src/App.py, please.') == ["orderparser", "src/app.py"]


@given(st.text())
def test_terms_hold_no_space_quote_or_capital_and_are_bounded(text: str) -> None:
    for term in index_terms(text).split(" "):
        assert '"' not in term
        assert len(term) <= MAX_TERM_CHARS
        assert not any("A" <= char <= "Z" for char in term)


@given(st.text(max_size=200))
def test_every_term_of_a_query_is_a_term_of_the_same_text(text: str) -> None:
    assert set(query_terms(text)) <= set(index_terms(text).split())


@given(st.text(st.characters(max_codepoint=127), max_size=300))
def test_terms_word_by_word_are_those_of_the_text(text: str) -> None:
    words = plain_words(text)
    assert words is not None
    assert " ".join(filter(None, map(content_terms, words))) == content_terms(text)


def test_wide_text_has_no_terms_word_by_word() -> None:
    assert plain_words("caf\u0065\u0301 du monde") is None
