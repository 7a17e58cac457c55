"""How commits are weighed against a question."""

from __future__ import annotations

import pytest

from engram_hooks.history import why_rank
from engram_hooks.history.why_rank import Judged

SUBJECT, BODY, NAMES, CODE = 1, 2, 4, 8
AVERAGES = [5.0, 20.0, 10.0, 40.0]
SIZES = [5, 20, 10, 40]


def score(places: dict[str, dict[int, int]], **sizes: list[int]) -> dict[int, float]:
    known = {number: sizes.get(f"of_{number}", SIZES) for found in places.values() for number in found}
    values = why_rank.rarities(places, 100)
    return why_rank.score_words(places, values, sizes=known, averages=AVERAGES)


def test_a_word_in_the_subject_says_more_than_one_in_the_code() -> None:
    scores = score({"retry": {1: SUBJECT, 2: CODE}})
    assert scores[1] > scores[2] > 0


def test_a_rare_word_says_more_than_a_common_one() -> None:
    common = dict.fromkeys(range(10, 60), SUBJECT)
    scores = score({"fix": {1: SUBJECT, **common}, "retry": {2: SUBJECT}})
    assert scores[2] > scores[1]


def test_a_long_list_of_names_says_less_of_each() -> None:
    scores = score({"retry": {1: NAMES, 2: NAMES}}, of_2=[5, 20, 200, 40])
    assert scores[1] > scores[2]


def test_fields_add_up_to_less_than_their_sum() -> None:
    scores = score({"retry": {1: SUBJECT, 2: BODY, 3: SUBJECT | BODY}})
    assert max(scores[1], scores[2]) < scores[3] < scores[1] + scores[2]


def test_commits_that_were_not_measured_are_left_out() -> None:
    places = {"retry": {1: SUBJECT, 2: SUBJECT}}
    values = why_rank.rarities(places, 100)
    measured = why_rank.score_words(places, values, sizes={1: SIZES}, averages=AVERAGES)
    assert list(measured) == [1]
    assert set(why_rank.score_words(places, values, sizes={}, averages=AVERAGES)) == {1, 2}


@pytest.mark.parametrize(
    ("better", "worse", "kind"),
    [
        pytest.param("bugfix", "feature", "symptom", id="symptom-wants-fixes"),
        pytest.param("security", "chore", "cause", id="cause-wants-fixes"),
        pytest.param("feature", "bugfix", "change", id="change-wants-features"),
        pytest.param("chore", "docs", "symptom", id="docs-stand-back"),
        pytest.param("refactor", "build", "general", id="build-stands-back"),
    ],
)
def test_intents_count_by_the_kind_of_question(better: str, worse: str, kind: str) -> None:
    weights = [why_rank.weigh_intent(intent, kind=kind, sides=()) for intent in (better, worse)]
    assert weights[0] > weights[1]


def test_what_is_asked_for_does_not_stand_back() -> None:
    assert why_rank.weigh_intent("test", kind="symptom", sides={"test"}) == 0
    assert why_rank.weigh_intent("docs", kind="exact", sides=()) == 0


def test_a_revert_and_what_it_undid_stand_together() -> None:
    ranked = [Judged(number, {"words": value}) for number, value in ((1, 10.0), (2, 8.0), (3, 1.0))]
    tied = why_rank.tie_together(ranked, {3: [1], 1: [3]})
    assert [one.id for one, _ in tied] == [1, 3, 2]


def test_without_ties_the_order_stays() -> None:
    ranked = [Judged(1, {"words": 2.0}), Judged(2, {"words": 2.0}), Judged(3, {"words": 1.0})]
    assert [one.id for one, _ in why_rank.tie_together(ranked, {3: [9]})] == [1, 2, 3]


def test_a_commit_that_touched_much_says_little_of_each() -> None:
    shares = why_rank.share_evidence([1, 2], {1: [(n, 1.0) for n in range(16)], 2: [(99, 1.0)]})
    assert shares[99] > shares[0]


def test_what_several_commits_touched_comes_first() -> None:
    shares = why_rank.share_evidence([1, 2], {1: [(7, 1.0), (8, 1.0)], 2: [(8, 1.0)]})
    assert shares[8] > shares[7]
    assert why_rank.share_evidence([1, 2], {}) == {}
