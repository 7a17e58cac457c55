"""Which words of a query are asked for, and that they never become query syntax."""

from __future__ import annotations

from sqlite3 import Connection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_hooks.store import matching, records
from engram_hooks.terms import query_terms


def test_rarest_terms_come_first_and_common_ones_stay_out() -> None:
    counts = {"common": 30, "rare": 1, "medium": 8}
    assert matching.rarest_terms(["common", "medium", "rare", "unknown"], counts, 100) == ["rare", "medium"]


def test_small_store_asks_for_common_terms_too() -> None:
    assert matching.rarest_terms(["common"], {"common": 9}, 10) == ["common"]


def test_postings_are_bounded_but_one_term_is_always_asked_for() -> None:
    counts = {"a": 2_000, "b": 2_100, "c": 9_000}
    assert matching.rarest_terms(["a", "b", "c"], counts, 100_000) == ["a"]
    assert matching.rarest_terms(["c"], counts, 100_000) == ["c"]


@pytest.mark.parametrize(
    "query",
    [
        '"quoted phrase"',
        "NEAR(a b, 5)",
        "NOT OR AND",
        "col:umn",
        "a* ^b",
        "a'b; DROP TABLE x",
        "--x",
        "\x00",
        '"',
    ],
)
def test_query_syntax_is_only_text(store: Connection, query: str) -> None:
    records.insert(
        store, {"kind": "fact", "project_id": 1, "summary": f"about {query} here"}, now_ms=1, actor="person"
    )
    asked = matching.quote_terms(query_terms(query))
    if asked:
        found = store.execute(
            "SELECT count(*) FROM records_fts WHERE records_fts MATCH ?", (asked,)
        ).fetchone()
        assert found == (1,)


@given(st.lists(st.text(min_size=1), min_size=1, max_size=5))
def test_any_text_can_be_quoted(terms: list[str]) -> None:
    quoted = matching.quote_terms(terms)
    assert quoted.count('"') % 2 == 0
