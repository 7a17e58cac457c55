"""Stems: forms of a word share one, other words do not."""

from __future__ import annotations

import pytest

from engram_hooks.stems import common_start, irregular_forms, stem


@pytest.mark.parametrize(
    "forms",
    [
        pytest.param("paint paints painted painting", id="regular"),
        pytest.param("happy happiness", id="y"),
        pytest.param("run runs running ran", id="doubled and irregular"),
        pytest.param("bake bakes baked baking", id="silent e"),
        pytest.param("relate relates related relating relation relational", id="derived"),
        pytest.param("migrate migration migrating migrated", id="ion"),
        pytest.param("buy buys buying bought", id="irregular verb"),
        pytest.param("child children", id="irregular noun"),
        pytest.param("prefer prefers preferred preference", id="ence"),
        pytest.param("cache caches cached caching", id="technical"),
        pytest.param("glasses glass", id="double s"),
    ],
)
def test_forms_share_a_stem(forms: str) -> None:
    assert len({stem(word) for word in forms.split()}) == 1


@pytest.mark.parametrize(
    "words",
    [
        pytest.param("car care carry", id="near words"),
        pytest.param("string strong", id="ing without a vowel before"),
        pytest.param("red reed", id="short ed"),
        pytest.param("test text", id="one letter"),
        pytest.param("policy police", id="policy"),
    ],
)
def test_other_words_keep_apart(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == len(words.split())


@pytest.mark.parametrize("word", ["", "a", "is", "v2", "err_code", "注文", "café", "sing"])
def test_what_is_no_inflected_word_stays(word: str) -> None:
    assert stem(word) == word


@pytest.mark.parametrize("word", ["happy", "happiness", "baking", "painted", "relational", "caching"])
def test_forms_begin_with_the_common_start(word: str) -> None:
    assert word.startswith(common_start(stem(word)))


def test_irregular_forms_are_listed_by_stem() -> None:
    assert irregular_forms(stem("writes")) == ("wrote", "written")
    assert irregular_forms("quartz") == ()
