"""How likely records are needed: rarity, place, names, closeness, forms of words, meaning, matters, kind, age."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engram_hooks.recall.fields import ID
from engram_hooks.recall.rank import score, weigh

if TYPE_CHECKING:
    from engram_hooks.recall.fields import Row

DF = {
    "postgres": 2,
    "ledger": 6,
    "label": 30,
    "quartz": 4,
    "err_payment_duplicate": 1,
    "cache": 5,
    "parser": 3,
}


def _row(record_id: int, summary: str, **more: object) -> Row:
    given = {"kind": "fact", "detail": "", "tags": "", "at": 1_000_000, **more}
    columns = (record_id, given["kind"], "project", None, summary, given["detail"], given["tags"])
    return (*columns, 0.5, 0.8, given["at"], -1.0)


def _scores(
    terms: list[str],
    *rows: Row,
    names: tuple[str, ...] = (),
    cosines: dict[int, float] | None = None,
    intent: str = "",
) -> dict[int, float]:
    scored = score(terms, names, rows, df=DF, total=150, cosines=cosines, intent=intent)
    return {row[ID]: value for value, row, _ in scored}


def _order(
    terms: list[str], *rows: Row, cosines: dict[int, float] | None = None, intent: str = ""
) -> list[int]:
    scored = score(terms, (), rows, df=DF, total=150, cosines=cosines, intent=intent)
    return [row[ID] for _, row, _ in scored]


def test_full_match_scores_high_and_no_match_scores_zero() -> None:
    rows = _row(1, "Postgres holds the ledger"), _row(2, "Icons are sprites")
    found = _scores(["postgres", "ledger"], *rows)
    assert found[1] > 0.7
    assert found[2] == 0


@pytest.mark.parametrize(
    ("terms", "better", "worse"),
    [
        pytest.param(
            ["postgres", "label"], {"summary": "uses Postgres"}, {"summary": "a label"}, id="rare-word"
        ),
        pytest.param(
            ["postgres"], {"summary": "on Postgres"}, {"tags": "postgres"}, id="summary-before-tags"
        ),
        pytest.param(["postgres"], {"tags": "postgres"}, {"detail": "Postgres"}, id="tags-before-detail"),
        pytest.param(
            ["postgres", "ledger"],
            {"summary": "Postgres ledger"},
            {"summary": "Postgres " + "with many other words between " * 3 + "ledger"},
            id="words-that-stand-together",
        ),
        pytest.param(
            ["quartz", "ledger"],
            {"summary": "quartz and ledger"},
            {"summary": "quartz"},
            id="two-words-before-one",
        ),
    ],
)
def test_words(terms: list[str], better: dict[str, str], worse: dict[str, str]) -> None:
    rows = [_row(1, **{"summary": "x", **worse}), _row(2, **{"summary": "x", **better})]
    assert _order(terms, *rows) == [2, 1]


@pytest.mark.parametrize(
    ("intent", "better", "worse"),
    [
        pytest.param("symptom", "incident", "decision", id="trouble-wants-what-was-learnt-from-trouble"),
        pytest.param("change", "decision", "incident", id="an-order-wants-the-rule"),
        pytest.param("status", "state", "fact", id="the-state-of-the-work"),
        pytest.param("question", "fact", "state", id="no-state-for-a-question"),
    ],
)
def test_kind_against_intent(intent: str, better: str, worse: str) -> None:
    rows = [_row(1, "quartz ledger", kind=worse, at=9), _row(2, "quartz ledger", kind=better, at=1)]
    assert _order(["quartz", "ledger"], *rows, intent=intent) == [2, 1]


def test_why_wants_a_reason() -> None:
    rows = [
        _row(1, "quartz replaced granite today", at=9),
        _row(2, "quartz it is because granite broke", at=1),
    ]
    assert _order(["quartz", "granite"], *rows, intent="cause") == [2, 1]


def test_another_word_for_the_same_matter_counts() -> None:
    found = _scores(
        ["duplicated", "parcel"], _row(1, "consumers must be idempotent"), _row(2, "icons are sprites")
    )
    assert found[1] > found[2] == 0


def test_a_matter_counts_no_word_twice() -> None:
    row = _row(1, "the queue is a broker")
    [(_, _, reasons)] = score(["queue"], [], [row], df=DF, total=150)
    assert reasons["matters"] == []


def test_score_does_not_depend_on_the_other_candidates() -> None:
    row = _row(1, "Postgres holds the ledger")
    alone = _scores(["postgres", "ledger", "quartz"], row)
    others = [_row(i, "quartz of Postgres ledger") for i in range(2, 20)]
    assert alone[1] == _scores(["postgres", "ledger", "quartz"], row, *others)[1]


def test_share_of_the_question_counts_without_vectors() -> None:
    terms = ["postgres", "ledger"]
    row = _row(1, "Postgres and ledger")
    assert _scores(terms, row)[1] > _scores([*terms, "unknown", "words", "besides"], row)[1]


def test_verbatim_identifier_lifts_a_record_and_is_named() -> None:
    rows = [_row(1, "ERR_PAYMENT_DUPLICATE comes from the gateway"), _row(2, "payment ledger is a duplicate")]
    terms = ["err_payment_duplicate", "payment", "duplicate"]
    best, second = score(terms, ["err_payment_duplicate"], rows, df=DF, total=150)
    assert best[1][ID] == 1
    assert best[2]["identifiers"] == ["err_payment_duplicate"]
    assert second[2]["identifiers"] == []


def test_identifier_inside_a_longer_name_is_not_verbatim() -> None:
    [(_, _, reasons)] = score(["api_key"], ["api_key"], [_row(1, "my_api_keyring is big")], df={}, total=10)
    assert reasons["matched"] == []


def test_newest_of_near_ties_comes_first_where_asked_for() -> None:
    rows = [_row(1, "cache parser", at=1), _row(2, "cache parser", at=3), _row(3, "cache of a parser", at=2)]
    scored = score(["cache", "parser"], [], rows, df=DF, total=150, near_tie=0.5)
    assert [row[ID] for _, row, _ in scored] == [2, 3, 1]


def test_age_does_not_beat_relevance() -> None:
    rows = [_row(1, "cache parser", at=1), _row(2, "cache of icons", at=9)]
    scored = score(["cache", "parser"], [], rows, df=DF, total=150, near_tie=0.5)
    assert [row[ID] for _, row, _ in scored] == [1, 2]


def test_meaning_lifts_a_record_without_shared_words() -> None:
    cosines = {1: 0.8, 2: 0.1}
    found = _scores(["postgres"], _row(1, "the relational one"), _row(2, "icons"), cosines=cosines)
    assert found[1] > 0.5 > found[2]


def test_meaning_counts_less_where_everything_is_a_bit_alike() -> None:
    row = _row(1, "the relational one")
    near = {1: 0.5, **dict.fromkeys(range(2, 20), 0.45)}
    far = {1: 0.5, **dict.fromkeys(range(2, 20), 0.1)}
    assert _scores(["x"], row, cosines=near)[1] < _scores(["x"], row, cosines=far)[1]


def test_record_that_is_not_among_the_nearest_counts_as_the_farthest_of_them() -> None:
    row = _row(1, "quartz")
    assert _scores(["quartz"], row, cosines={2: 0.6, 3: 0.1}) == _scores(
        ["quartz"], row, cosines={1: 0.1, 2: 0.6}
    )


def test_scores_stay_between_zero_and_one() -> None:
    terms = [f"word{i}" for i in range(40)]
    row = _row(1, " ".join(terms), kind="constraint")
    assert 0 < _scores(terms, row, cosines={1: 1.0})[1] <= 1


def test_rarity_is_the_logarithm_of_the_share() -> None:
    found = weigh(["postgres", "nowhere"], ["postgres"], df=DF, total=130)
    assert list(found) == ["postgres", "nowhere"]
    assert abs(found["postgres"] - 3.9187) < 0.001  # ln(151 / 3)


def test_nothing_asked_scores_nothing() -> None:
    assert _scores([], _row(1, "Postgres"))[1] == 0


def test_record_that_is_asked_for_by_name_goes_before_newer_ones_that_are_merely_alike() -> None:
    named = (1, "decision", "project", "", "parse_orders keeps its cache", "", "", 0.5, 1.0, 1_000, -1.0)
    alike = (2, "decision", "project", "", "orders are parsed by the gateway", "", "", 0.5, 1.0, 9_000, -0.5)
    found = score(
        ["parse_orders"],
        ["parse_orders"],
        [alike, named],
        df={"parse_orders": 1},
        total=2,
        cosines={1: 0.30, 2: 0.45},
        near_tie=1.75,
    )
    assert [item[1][0] for item in found] == [1, 2]
