"""Text as words for WordPiece."""

from __future__ import annotations

import pytest

from engram_hooks.embed.words import split_camel, split_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("Use pnpm, not npm!", ["use", "pnpm", "not", "npm"], id="punctuation"),
        pytest.param("retryCount", ["retry", "count"], id="camel"),
        pytest.param("parseHTTPServer2Go", ["parse", "http", "server2", "go"], id="run of capitals"),
        pytest.param("ERR_PAYMENT_DUPLICATE", ["err", "payment", "duplicate"], id="capitals"),
        pytest.param("v1.2-rc", ["v1", "2", "rc"], id="numbers"),
        pytest.param("Größe naïve", ["große", "naive"], id="marks are dropped"),
        pytest.param("数据库 retryCount", ["数", "据", "库", "retry", "count"], id="ideographs"),
        pytest.param("a\u200db\ufffdc\0d", ["abcd"], id="invisible characters"),
        pytest.param("“quoted” — dash", ["quoted", "dash"], id="wide punctuation"),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert split_words(text) == words


@pytest.mark.parametrize("text", ["", "  \n\t", "?!", "…", "\0"])
def test_text_without_words(text: str) -> None:
    assert split_words(text) == []


@pytest.mark.parametrize("word", ["word", "Word", "WORD", "x", "v2", "12"])
def test_word_without_inner_capital_stays_whole(word: str) -> None:
    assert split_camel(word) == [word]
