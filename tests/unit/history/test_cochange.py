"""Votes of commits for what changed along, the order they give, and what is worth telling unasked."""

from __future__ import annotations

import pytest

from engram_hooks.history.cochange import (
    MAX_KEPT,
    Mate,
    Tally,
    rank,
    tally_of,
)

Commits = list[tuple[list[str], int]]


def order(
    commits: Commits,
    *,
    named: dict[str, float] | None = None,
    same_kind: str = "",
    since: dict[str, int] | None = None,
) -> list[Mate[str]]:
    """Rank what is in commits given newest first; `since`: of how many a companion could be, all else of all."""
    tally = tally_of(commits)
    return rank(
        tally,
        named=named or {},
        look_at=lambda key: (key, key in same_kind.split()),
        chances_of=lambda key: (since or {}).get(key, tally.total),
    )


def names(mates: list[Mate[str]]) -> list[str]:
    return [mate.key for mate in mates]


def test_a_vote_is_shared_and_fades() -> None:
    tally: Tally[str] = tally_of([(["a"], 2), (["a", "b"], 3), ([], 1)])
    assert tally.total == 3
    assert tally.votes == pytest.approx({"a": 1 + (8 / 9) / 2, "b": (8 / 9) / 2})
    assert tally.squares == pytest.approx({"a": 1 + (8 / 9) ** 2 / 2, "b": (8 / 9) ** 2 / 2})
    assert tally.support == {"a": 2, "b": 1}
    assert tally.sums[-1][0] == pytest.approx(1 + 8 / 9 + 8 / 10)


def test_files_that_are_gone_take_their_part_of_a_vote() -> None:
    assert tally_of([(["a"], 5)]).votes == {"a": 0.25}


def test_the_score_is_the_share_of_all_votes() -> None:
    (mate,) = order([(["a"], 2), ([], 1)])
    assert mate.score == pytest.approx(1 / (1 + 8 / 9 + 2))
    assert (mate.support, mate.speaks) == (1, False)


@pytest.mark.parametrize(
    ("commits", "first", "second"),
    [
        pytest.param([(["a"], 2), (["b"], 2)], "a", "b", id="the newer"),
        pytest.param([(["b", *map(str, range(9))], 11), (["a"], 2)], "a", "b", id="of the smaller commit"),
        pytest.param([(["a", "b"], 3), (["b"], 2), (["b"], 2)], "b", "a", id="the more frequent"),
        pytest.param([(["b", "a"], 3)], "a", "b", id="equal ones by name"),
    ],
)
def test_first_comes(commits: Commits, first: str, second: str) -> None:
    found = names(order(commits))
    assert found.index(first) < found.index(second)


def test_what_belongs_by_name_is_told_without_history() -> None:
    found = order([], named={"test_a": 1.0})
    assert [(mate.key, mate.support, mate.speaks) for mate in found] == [("test_a", 0, False)]
    assert 0 < found[0].score < 1


def test_a_companion_of_the_same_kind_counts_less() -> None:
    commits: Commits = [(["a", "b"], 3)] * 3
    assert names(order(commits, same_kind="a")) == ["b", "a"]


def test_scores_stay_within_one() -> None:
    commits: Commits = [(["a"], 2)] * 3000
    for mate in order(commits, named={"a": 1.0}):
        assert 0.9 < mate.score <= 1.0


@pytest.mark.parametrize(
    ("commits", "named", "since"),
    [
        pytest.param([(["a"], 2)] * 4, {}, {}, id="always together"),
        pytest.param([(["a"], 2), ([], 1)] * 4, {"a": 1.0}, {}, id="half the time, and by name"),
        pytest.param([(["a"], 2)] * 4 + [([], 1)] * 40, {}, {"a": 4}, id="ever since it is there"),
        pytest.param([(["a"], 2)] * 10 + [([], 1)] * 200, {}, {}, id="always lately"),
    ],
)
def test_it_speaks(commits: Commits, named: dict[str, float], since: dict[str, int]) -> None:
    (mate,) = order(commits, named=named, since=since)
    assert mate.speaks
    assert mate.chance >= 0.44


@pytest.mark.parametrize(
    ("commits", "named"),
    [
        pytest.param([(["a"], 2)], {}, id="once"),
        pytest.param([(["a"], 2)], {"a": 1.0}, id="once, and by name"),
        pytest.param([], {"a": 1.0}, id="by name alone"),
        pytest.param([(["a"], 30)] * 6, {}, id="in large commits"),
        pytest.param([([], 1)] * 8 + [(["a"], 2)] * 5, {}, id="long ago"),
        pytest.param([(["a"], 2), *[([], 1)] * 9] * 3, {}, id="now and then"),
    ],
)
def test_it_stays_silent(commits: Commits, named: dict[str, float]) -> None:
    assert not any(mate.speaks for mate in order(commits, named=named))


def test_of_several_it_speaks_for_the_first() -> None:
    found = order([(["a", "b"], 3), (["a", "b"], 3), ([], 1)] * 3)
    assert [(mate.key, mate.speaks) for mate in found] == [("a", True), ("b", False)]
    assert 0.44 <= found[1].chance < 0.6


def test_it_speaks_for_all_that_are_nearly_sure() -> None:
    found = order([(["a", "b"], 3)] * 4)
    assert [mate.speaks for mate in found] == [True, True]
    assert found[1].chance >= 0.6


def test_it_speaks_for_a_later_one_where_the_first_is_silent() -> None:
    commits: Commits = [(["b"], 2)] * 4 + [([], 1)] * 8 + [(["a"], 2), ([], 1)] * 20
    found = order(commits, since={"b": 4})
    assert [(mate.key, mate.speaks) for mate in found] == [("a", False), ("b", True)]


def test_a_companion_of_the_same_kind_has_lower_odds() -> None:
    commits: Commits = [(["a"], 2)] * 4
    (other,), (same,) = order(commits), order(commits, same_kind="a")
    assert same.chance / (1 - same.chance) == pytest.approx(0.75 * other.chance / (1 - other.chance))


def test_the_list_is_bounded() -> None:
    commits: Commits = [([f"f{number}" for number in range(29)], 30)] * 3
    assert len(order(commits)) == MAX_KEPT
