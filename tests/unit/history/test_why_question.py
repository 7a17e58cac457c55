"""What a question about a repository asks for."""

from __future__ import annotations

import pytest

from engram_hooks.history.why_question import MAX_QUESTION_CHARS, cites, find_pairs, read_question, read_stems


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        pytest.param("why does retry keep the key", "cause", id="why"),
        pytest.param("parser crashes on an empty file", "symptom", id="trouble"),
        pytest.param("Added support for custom headers", "change", id="new"),
        pytest.param("add a check, it crashes on an empty file", "symptom", id="trouble-wins"),
        pytest.param("what holds the connection pool", "general", id="question"),
        pytest.param("charge_with_retry", "exact", id="name"),
        pytest.param("src/pay/retry.py", "exact", id="path"),
        pytest.param("#123", "exact", id="issue"),
        pytest.param("399d5566", "exact", id="hash"),
    ],
)
def test_a_question_is_of_a_kind(text: str, kind: str) -> None:
    assert read_question(text).kind == kind


@pytest.mark.parametrize(
    ("text", "hashes", "issues"),
    [
        pytest.param("399d5566", ("399d5566",), (), id="short-hash"),
        pytest.param("399D5566", ("399d5566",), (), id="upper-case-hash"),
        pytest.param("a" * 40, ("a" * 40,), (), id="whole-hash"),
        pytest.param("beef", ("beef",), (), id="four-digits-alone"),
        pytest.param("what did 399d5566 change", ("399d5566",), (), id="hash-in-words"),
        pytest.param("#123", (), ("123",), id="number"),
        pytest.param("GH-12", (), ("12",), id="gh"),
        pytest.param("INC-2407", (), ("INC-2407",), id="key"),
        pytest.param("see issue 7 and pull/8", (), ("7", "8"), id="words"),
    ],
)
def test_hashes_and_issues_are_found(text: str, hashes: tuple[str, ...], issues: tuple[str, ...]) -> None:
    question = read_question(text)
    assert (question.hashes, question.issues) == (hashes, issues)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a facade for the decade", id="words-of-hash-letters"),
        pytest.param("after 1048576 bytes it stops", id="plain-number"),
        pytest.param("decode UTF-8 as ISO-8859", id="names-of-standards"),
        pytest.param("the colour is &#123; here", id="entity"),
        pytest.param("deadbeefs everywhere", id="longer-word"),
    ],
)
def test_what_only_looks_like_a_reference_is_none(text: str) -> None:
    question = read_question(text)
    assert (question.hashes, question.issues) == ((), ())


@pytest.mark.parametrize(("text", "is_reference"), [("#12", True), ("the #12", True), ("#12 retry", False)])
def test_a_reference_is_a_question_without_other_words(text: str, is_reference: bool) -> None:
    assert read_question(text).is_reference is is_reference


@pytest.mark.parametrize("text", ["fixes #12", "GH-12: pay once", "see issues/12", "(#12)"])
def test_a_text_cites_an_issue(text: str) -> None:
    assert cites(text, "12")


@pytest.mark.parametrize("text", ["fixes #123", "12 bytes", "line 12", "x#12"])
def test_a_text_that_holds_the_number_alone_cites_nothing(text: str) -> None:
    assert not cites(text, "12")


def test_a_key_is_cited_as_a_whole_word() -> None:
    assert cites("pay once (inc-2407)", "INC-2407")
    assert not cites("pay once (INC-24071)", "INC-2407")


def test_pairs_stand_side_by_side_in_any_form() -> None:
    asked = read_stems("redirect loops, host names")
    assert find_pairs(asked, "Redirected looping on many a host") == 2
    assert find_pairs(asked, "names and hosts, loops and redirects") == 0


def test_of_a_huge_question_the_start_counts() -> None:
    question = read_question("parsers " * MAX_QUESTION_CHARS + " crash")
    assert list(question.terms) == ["parsers"]
    assert len(question.text) == MAX_QUESTION_CHARS


@pytest.mark.parametrize("text", ["", "   ", "!!!", "\x00\x01", "\ud800"])
def test_a_text_without_words_asks_for_nothing(text: str) -> None:
    question = read_question(text)
    assert not question.hashes
    assert not question.issues
    assert not question.is_reference
