"""Each signal of the log's ranking puts the right line first."""

from __future__ import annotations

import pytest

from engram_hooks.recall.log_rank import (
    add_neighbours,
    bag,
    calibrate,
    estimate_sizes,
    rarity,
    score_lines,
    score_sessions,
    spread,
)

EVEN = dict.fromkeys(range(1, 7), 10)


def best(scores: dict[int, float]) -> int:
    """The line or session with the highest score."""
    return max(scores, key=lambda line: scores[line])


@pytest.mark.parametrize(
    ("postings", "lengths", "winner"),
    [
        pytest.param({"rare": {1: 1}, "common": {2: 1, 3: 1, 4: 1}}, EVEN, 1, id="the rare word"),
        pytest.param({"a": {1: 1, 2: 1}, "b": {2: 1, 3: 1}}, EVEN, 2, id="two words before one"),
        pytest.param({"a": {1: 1, 2: 3}}, EVEN, 2, id="a word that is repeated"),
        pytest.param(
            {"a": {1: 9, 2: 1, 3: 1}, "b": {2: 1, 4: 1, 5: 1}}, EVEN, 2, id="but not one word nine times"
        ),
        pytest.param({"a": {1: 1, 2: 1}}, {1: 5, 2: 50}, 1, id="the shorter of equals"),
    ],
)
def test_line_with_the_better_words_wins(
    postings: dict[str, dict[int, int]], lengths: dict[int, int], winner: int
) -> None:
    weights = dict.fromkeys(postings, 1.0)
    assert best(score_lines(postings, weights, lengths, total=100)) == winner


def test_weight_of_a_term_counts() -> None:
    postings = {"name": {1: 1}, "asking": {2: 1}}
    assert best(score_lines(postings, {"name": 1.0, "asking": 0.5}, EVEN, total=100)) == 1


def test_nothing_matches_nothing() -> None:
    assert score_lines({}, {}, {}, total=0) == {}
    assert score_sessions({}, {}, {}, {}) == {}
    assert add_neighbours({}, []) == {}
    assert spread([], {}) == []


def test_session_that_holds_all_words_wins_over_one_with_a_single_word() -> None:
    postings = {"a": {1: 1, 3: 1}, "b": {2: 1}}
    homes = {1: 10, 2: 10, 3: 20}
    scores = score_sessions(postings, {"a": 1.0, "b": 1.0}, homes, {10: 5, 20: 5, 30: 5})
    assert best(scores) == 10
    assert 30 not in scores


def test_long_session_needs_more_words_than_a_short_one() -> None:
    homes = {1: 10, 2: 20}
    scores = score_sessions({"a": {1: 1, 2: 1}}, {"a": 1.0}, homes, {10: 20.0, 20: 200.0})
    assert best(scores) == 10


def test_size_of_a_session_is_judged_by_its_known_lines() -> None:
    sizes = estimate_sizes({10: 4, 20: 4, 30: 4}, {1: 10, 2: 10, 3: 20}, {1: 5, 2: 15, 3: 40})
    assert sizes == {10: 40.0, 20: 160.0, 30: 80.0}
    assert estimate_sizes({10: 2}, {}, {}) == {10: 2.0}


def test_answer_gains_from_the_question_before_it() -> None:
    gained = add_neighbours({4: 10.0}, [[2, 3, 4, 5, 6, 7]])
    assert gained[5] == gained[3] > gained[6] == gained[2] > gained[7] == 0.0


def test_line_in_two_runs_gains_once() -> None:
    assert add_neighbours({1: 10.0}, [[1, 2], [1, 2, 3]])[2] == add_neighbours({1: 10.0}, [[1, 2]])[2]


def test_repetition_of_a_better_line_goes_behind_what_is_new() -> None:
    bags = {1: bag("Quartz queue, Redis."), 2: bag("the quartz queue (redis)"), 3: bag("granite disk full")}
    ranked = spread([(1, 10.0), (2, 9.0), (3, 7.0)], bags)
    assert [line for line, _ in ranked] == [1, 3, 2]
    assert [score for _, score in ranked] == [10.0, 7.0, pytest.approx(4.0)]


def test_lines_that_share_some_words_keep_their_order() -> None:
    bags = {1: bag("quartz queue redis"), 2: bag("quartz disk full")}
    ranked = [(1, 10.0), (2, 9.0), (3, 7.0)]
    assert spread(ranked, bags) == ranked


@pytest.mark.parametrize("text", ["", "  ", "it is", "...", "- ()"])
def test_line_without_words_has_an_empty_bag(text: str) -> None:
    assert bag(text) == frozenset()


def test_rarity_falls_with_frequency_and_is_never_negative() -> None:
    values = [rarity(count, 100) for count in (1, 10, 50, 100, 1000)]
    assert values == sorted(values, reverse=True)
    assert values[-1] > 0


def test_calibrated_scores_keep_the_order_between_0_and_1() -> None:
    values = [calibrate(value, 8.0) for value in (-1.0, 0.0, 1.0, 5.0, 20.0, 100.0)]
    assert values == sorted(values)
    assert values[0] == 0.0
    assert values[2] > 0.0
    assert values[-1] <= 1.0
