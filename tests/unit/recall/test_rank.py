"""Scores of candidates: rarity, place, names, closeness, forms of words, age, meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_hooks.recall.fields import ID
from engram_hooks.recall.rank import score, weigh

if TYPE_CHECKING:
    from engram_hooks.recall.fields import Row

DF = {"postgres": 2, "retry": 6, "label": 30, "queue": 4, "err_payment_duplicate": 1, "cache": 5, "parser": 3}


def _row(record_id: int, summary: str, **more: object) -> Row:
    given = {"kind": "fact", "detail": "", "tags": "", "at": 1_000_000, **more}
    columns = (record_id, given["kind"], "project", None, summary, given["detail"], given["tags"])
    return (*columns, 0.5, 0.8, given["at"], -1.0)


def _scores(terms: list[str], *rows: Row, names: tuple[str, ...] = (), **more: object) -> dict[int, float]:
    cosines = more.get("cosines")
    assert cosines is None or isinstance(cosines, dict)
    return {row[ID]: value for value, row, _ in score(terms, names, rows, df=DF, total=150, cosines=cosines)}


def test_full_match_scores_high_and_no_match_scores_zero() -> None:
    found = _scores(
        ["postgres", "retry"], _row(1, "Postgres holds the retry table"), _row(2, "Icons are sprites")
    )
    assert found[1] > 0.7
    assert found[2] == 0


def test_score_does_not_depend_on_the_other_candidates() -> None:
    row = _row(1, "Postgres holds the retry table")
    alone = _scores(["postgres", "retry", "queue"], row)
    among = _scores(
        ["postgres", "retry", "queue"], row, *(_row(i, "queue of Postgres retry") for i in range(2, 20))
    )
    assert alone[1] == among[1]


def test_rare_word_weighs_more_than_a_common_one() -> None:
    found = _scores(["postgres", "label"], _row(1, "uses Postgres"), _row(2, "prints a label"))
    assert found[1] > found[2]


def test_share_of_the_question_counts() -> None:
    terms = ["postgres", "retry"]
    row = _row(1, "Postgres and retry")
    assert _scores(terms, row)[1] > _scores([*terms, "unknown", "words", "besides"], row)[1]


def test_summary_counts_more_than_tags_and_these_more_than_detail() -> None:
    rows = (_row(1, "about Postgres"), _row(2, "about", tags="postgres"), _row(3, "about", detail="Postgres"))
    found = _scores(["postgres", "retry"], *rows)
    assert found[1] > found[2] > found[3] > 0


def test_verbatim_identifier_lifts_a_record_and_is_named() -> None:
    rows = [_row(1, "ERR_PAYMENT_DUPLICATE comes from the gateway"), _row(2, "payment retry is a duplicate")]
    terms = ["err_payment_duplicate", "payment", "duplicate"]
    best, second = score(terms, ["err_payment_duplicate"], rows, df=DF, total=150)
    assert best[1][ID] == 1
    assert best[2]["identifiers"] == ["err_payment_duplicate"]
    assert second[2]["identifiers"] == []


def test_identifier_inside_a_longer_name_is_not_verbatim() -> None:
    [(_, _, reasons)] = score(["api_key"], ["api_key"], [_row(1, "my_api_keyring is big")], df={}, total=10)
    assert reasons["matched"] == []


def test_words_close_together_beat_words_far_apart() -> None:
    far = "Postgres " + "with many other words in between " * 3 + "retry"
    found = _scores(["postgres", "retry"], _row(1, "Postgres retry"), _row(2, far))
    assert found[1] > found[2]


def test_other_forms_of_a_word_match() -> None:
    for term, text in (
        ("labels", "the label is blue"),
        ("printing", "it was printed twice"),
        ("retries", "one retry only"),
        ("queries", "a slow query"),
        ("parser", "class orderParser"),
        ("cafe", "le café fermé"),
        ("漏洞", "修复漏洞三号"),
    ):
        assert _scores([term], _row(1, text))[1] > 0, term


def test_parts_of_other_words_do_not_match() -> None:
    for term, text in (
        ("log", "the catalog"),
        ("port", "a portal"),
        ("cat", "concatenate"),
        ("label", "unlabelled"),
    ):
        assert _scores([term], _row(1, text))[1] == 0, term


def test_newest_of_near_ties_comes_first() -> None:
    rows = [_row(1, "cache parser", at=1), _row(2, "cache parser", at=3), _row(3, "cache parser", at=2)]
    assert [row[ID] for _, row, _ in score(["cache", "parser"], [], rows, df=DF, total=150)] == [2, 3, 1]


def test_age_does_not_beat_relevance() -> None:
    rows = [_row(1, "cache parser", at=1), _row(2, "cache of icons", at=9)]
    assert [row[ID] for _, row, _ in score(["cache", "parser"], [], rows, df=DF, total=150)] == [1, 2]


def test_meaning_lifts_a_record_without_shared_words() -> None:
    found = _scores(
        ["postgres"], _row(1, "the relational database"), _row(2, "icons"), cosines={1: 0.9, 2: 0.1}
    )
    assert found[1] > 0.5 > found[2]


def test_meaning_only_lifts() -> None:
    row = _row(1, "Postgres and retry")
    assert _scores(["postgres", "retry"], row, cosines={1: 0.0})[1] == _scores(["postgres", "retry"], row)[1]


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
