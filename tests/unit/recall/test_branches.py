"""What is on the current branch comes first, then the mainline, then everywhere, then other branches, which say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engram_hooks.recall import branches, share

if TYPE_CHECKING:
    from engram_hooks.recall.fields import Row

HERE = "retry-backoff"
CURRENT = ("project", HERE)
BOUND = ("branch", HERE)
MAINLINE = ("project", "")
GLOBAL = ("global", "")
OTHER = ("project", "grpc")
LIMITED = ("branch", "grpc")


def row(
    number: int, place: tuple[str, str | None], *, kind: str = "decision", importance: float = 0.5
) -> Row:
    return (number, kind, *place, f"text {number}", "", "", importance, 1.0, 1_000 + number, -1.0)


def test_places_come_in_order_where_all_else_is_equal() -> None:
    places = [LIMITED, OTHER, GLOBAL, MAINLINE, CURRENT]
    scored: list[branches.Scored] = [(0.6, row(number, place), {}) for number, place in enumerate(places)]
    assert [item[1][0] for item in branches.weigh(scored, HERE)] == [4, 3, 2, 1, 0]


def test_a_much_better_answer_of_another_branch_still_comes_first() -> None:
    scored: list[branches.Scored] = [(0.9, row(1, OTHER), {}), (0.5, row(2, CURRENT), {})]
    assert [item[1][0] for item in branches.weigh(scored, HERE)] == [1, 2]


@pytest.mark.parametrize(
    "places",
    [
        pytest.param([MAINLINE, MAINLINE], id="one project, no branches"),
        pytest.param([("project", None), MAINLINE], id="unknown branch"),
        pytest.param([], id="nothing"),
    ],
)
def test_scores_of_the_mainline_stay_as_they_are(places: list[tuple[str, str | None]]) -> None:
    scored: list[branches.Scored] = [
        (0.7 - number / 10, row(number, place), {}) for number, place in enumerate(places)
    ]
    assert branches.weigh(scored, HERE) == scored


def test_scores_stay_at_most_one() -> None:
    assert branches.weigh([(1.0, row(1, CURRENT), {}), (0.9, row(2, MAINLINE), {})], HERE)[0][0] == 1.0


@pytest.mark.parametrize(
    ("place", "here", "is_away"),
    [
        pytest.param(OTHER, HERE, True, id="made on another branch"),
        pytest.param(LIMITED, HERE, True, id="limited to another branch"),
        pytest.param(OTHER, "", True, id="nothing is checked out"),
        pytest.param(CURRENT, HERE, False, id="made here"),
        pytest.param(BOUND, HERE, False, id="limited to this branch"),
        pytest.param(MAINLINE, HERE, False, id="mainline"),
        pytest.param(("global", "grpc"), HERE, False, id="holds everywhere"),
        pytest.param(("branch", None), HERE, False, id="branch unknown"),
    ],
)
def test_only_records_of_other_branches_say_where_they_are_from(
    place: tuple[str, str | None], here: str, is_away: bool
) -> None:
    assert branches.is_away(row(1, place), here) is is_away
    text = share.render_item(row(1, place), branch=here, year=1970, max_chars=80)
    assert ("on branch" in text) is is_away


def test_boot_pack_puts_the_state_of_this_branch_before_a_newer_one() -> None:
    rows = [row(1, CURRENT, kind="state"), row(9, MAINLINE, kind="state"), row(8, OTHER, kind="state")]
    first, _, _ = share.fill(rows, 2_000, branch=HERE, year=1970)
    assert [entry[0][0] for entry in first[2]] == [1, 9, 8]


def test_boot_pack_lets_importance_decide_before_the_branch() -> None:
    rows = [row(1, CURRENT), row(2, MAINLINE, importance=0.9), row(3, OTHER, importance=1.0)]
    first, _, _ = share.fill(rows, 2_000, branch=HERE, year=1970)
    assert [entry[0][0] for entries in first.values() for entry in entries] == [2, 1, 3]
