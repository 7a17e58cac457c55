"""Whether a text stands in another one, and that one without it."""

from __future__ import annotations

import json

import pytest

from engram_hooks.store.erase_texts import MARK, Wanted, split_sentences

TEXT = "The wombat protocol guards the order queue. Nobody may switch it off at night without a ticket."
SENTENCE = "Nobody may switch it off at night without a ticket."


@pytest.mark.parametrize(
    "holder",
    [
        pytest.param(TEXT, id="itself"),
        pytest.param(TEXT.upper().replace(" ", "\n  "), id="case and white space"),
        pytest.param(f"I said: {TEXT} ok?", id="inside"),
    ],
)
def test_text_is_found(holder: str) -> None:
    assert Wanted([TEXT]).is_in(holder)


@pytest.mark.parametrize(
    "other", ["", "The wombat protocol", "the order queue is guarded", "Nobody may switch it off"]
)
def test_other_text_is_not(other: str) -> None:
    assert not Wanted([TEXT]).is_in(other)
    assert not Wanted([TEXT]).is_in(other, is_derived=True)


def test_sentence_counts_in_what_was_derived_alone() -> None:
    holder = f"Two things: {SENTENCE} And more."
    assert Wanted([TEXT]).is_in(holder, is_derived=True)
    assert not Wanted([TEXT]).is_in(holder)


def test_short_sentences_are_nobodys() -> None:
    assert split_sentences("Run the tests. Then commit.") == []
    assert split_sentences("One sentence that is rather long and stands alone.") == []


def test_short_text_is_only_found_alone() -> None:
    wanted = Wanted(["basalt"])
    assert wanted.is_in(" Basalt. ")
    assert not wanted.is_in("we talked about basalt")


def test_lines_of_a_text_go() -> None:
    assert Wanted([TEXT]).cut(f"first\n- {TEXT}\nlast") == "first\nlast"


def test_strings_of_json_become_a_mark() -> None:
    value = json.dumps({"summary": TEXT, "tags": ["x", f"so {TEXT}"], "n": 3})
    assert json.loads(Wanted([TEXT]).cut(value)) == {"summary": MARK, "tags": ["x", MARK], "n": 3}


def test_text_over_several_lines_goes_as_a_whole() -> None:
    assert Wanted(["the first line\nand the second"]).cut("the first line\nand the second") == ""


def test_what_does_not_hold_it_stays_as_it_is() -> None:
    for value in ("a\n\nb ", '{"a": ["b", 1]}', "{broken", "[1, 2"):
        assert Wanted([TEXT]).cut(value) == value
