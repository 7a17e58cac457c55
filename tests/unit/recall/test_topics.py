"""Words that stand for the same matter."""

from __future__ import annotations

import pytest

from engram_hooks.recall import topics
from engram_hooks.recall.topics import MAX_TOPICS, find_topics, stem_of


@pytest.mark.parametrize(
    ("term", "other"),
    [
        ("duplicates", "idempotent"),
        ("rollbacks", "revert"),
        ("timezone", "utc"),
        ("laptop", "silicon"),
        ("throttling", "429"),
        ("payments", "refund"),
        ("login", "passkey"),
    ],
)
def test_words_meet_in_a_matter(term: str, other: str) -> None:
    [*found] = find_topics([term])
    assert any((other, stem_of(other)) in others for _, others in found)


@pytest.mark.parametrize("term", ["", "a", "zebra", "portal", "catalogue", "quartz", "漏洞"])
def test_other_words_stand_for_none(term: str) -> None:
    assert find_topics([term]) == []


def test_own_words_are_not_among_the_others() -> None:
    for own, others in find_topics(["refund", "charge", "invoice"]):
        assert not {stem_of(term) for term in own} & {stem for _, stem in others}


def test_matters_are_bounded() -> None:
    words = topics._MATTERS.split()
    assert len(find_topics(words)) == MAX_TOPICS


def test_every_matter_has_several_words_each_once() -> None:
    for line in topics._MATTERS.strip().splitlines():
        words = line.split()
        assert len(words) > 2
        assert len(words) == len(set(words)), line
        assert line == line.lower()
