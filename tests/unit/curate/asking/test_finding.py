"""How likely records are to be about a question, and which of them answer it."""

from __future__ import annotations

import pytest

from engram_hooks.curate.asking import fact_weights as w
from engram_hooks.curate.asking import finding


def reasons(
    cosine: float, *, matched: list[str] | None = None, matters: list[str] | None = None
) -> dict[str, object]:
    """What the ranking says of a record."""
    return {"cosine": cosine, "matched": matched or [], "matters": matters or []}


WEIGHTS = {"retry": 4.0, "limit": 3.0, "partner": 4.0}


def test_chance_grows_with_meaning_words_and_matters() -> None:
    plain = finding.judge(reasons(0.3), WEIGHTS)
    assert finding.judge(reasons(0.4), WEIGHTS) > plain
    assert finding.judge(reasons(0.3, matched=["retry"]), WEIGHTS) > plain
    assert finding.judge(reasons(0.3, matters=["retry"]), WEIGHTS) > plain
    assert finding.judge(reasons(0.3), dict.fromkeys("abcdef", 3.0)) < plain
    assert 0.0 < finding.judge(reasons(-0.2), WEIGHTS) < 0.05
    assert 0.95 < finding.judge(reasons(0.6, matched=["retry", "limit", "partner"]), WEIGHTS) < 1.0


def test_other_words_for_a_matter_count_only_where_the_meaning_is_not_far_off() -> None:
    far = finding.judge(reasons(0.05, matters=["retry"]), WEIGHTS)
    assert far == finding.judge(reasons(0.05), WEIGHTS)


@pytest.mark.parametrize(
    ("value", "share", "is_told"), [(0.5, 0.0, True), (0.01, 0.3, True), (0.01, 0.1, False)]
)
def test_without_meaning_words_decide(value: float, share: float, is_told: bool) -> None:
    assert (finding.judge_words(value, share) >= w.FACT_FLOOR) is is_told


@pytest.mark.parametrize(
    "text",
    [
        "Old cache step removed.",
        "API key of the mail service revoked",
        "Stale badge removed from the front page.",
        "Nightly dump archived; linker script deleted.",
    ],
)
def test_tidying_up_is_a_deed(text: str) -> None:
    assert finding.is_deed(text)


@pytest.mark.parametrize(
    "text",
    [
        "Merged branches are deleted.",
        "Old dumps must be archived in the bucket",
        "Keys should be rotated every quarter.",
        "The old runner was removed; jobs run on the new one.",
        "Removed",
        "Deleted rows stay for a year",
        "Retries are capped at 5",
        "",
    ],
)
def test_a_rule_is_no_deed(text: str) -> None:
    assert not finding.is_deed(text)
