"""What a question asks the log for."""

from __future__ import annotations

import pytest

from engram_hooks.recall.log_plan import choose_terms, find_days, plan_terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Why did the cache fail?", {"cache": 1.0, "fail": 1.0}, id="words"),
        pytest.param(
            "the complete list of ports", {"complete": 0.5, "list": 0.5, "ports": 1.0}, id="how to answer"
        ),
        pytest.param(
            "shop-api timeout",
            {"shop": 0.5, "api": 0.5, "timeout": 1.0},
            id="parts of a hyphenated word share one",
        ),
        pytest.param(
            "orderParser",
            {"orderparser": 1.0, "order": 0.25, "parser": 0.25},
            id="a name and stand-ins for it",
        ),
        pytest.param("api of shop-api", {"api": 1.0, "shop": 0.5}, id="a word of its own counts whole"),
        pytest.param(
            "what was it", {"what": 1.0, "was": 1.0, "it": 1.0}, id="stop words where there is nothing else"
        ),
        pytest.param("注文の", {"注文": 1.0, "文の": 1.0}, id="pairs of a script without spaces"),
        pytest.param("", {}, id="nothing"),
        pytest.param("?!", {}, id="no words"),
    ],
)
def test_terms_have_weights(text: str, expected: dict[str, float]) -> None:
    assert plan_terms(text) == expected


def test_terms_are_bounded() -> None:
    assert len(plan_terms(" ".join(f"word{i}" for i in range(500)))) == 24


@pytest.mark.parametrize(
    ("text", "days"),
    [
        pytest.param("what did we do on 3 May 2025?", ["2025-05-03"], id="day first"),
        pytest.param("decided on May 3rd, 2025", ["2025-05-03"], id="month first"),
        pytest.param("the 21st of June", ["????-06-21"], id="any year"),
        pytest.param("in March", ["????-03-??"], id="month alone"),
        pytest.param("since August 2024", ["2024-08-??"], id="month and year"),
        pytest.param("on 2025-05-31 or 2025-06", ["2025-05-31", "2025-06-??"], id="iso"),
        pytest.param("between 1 Jan and 2 Feb", ["????-01-01", "????-02-02"], id="short names"),
    ],
)
def test_days_are_found(text: str, days: list[str]) -> None:
    assert find_days(text) == days


@pytest.mark.parametrize(
    "text", ["", "may I march on?", "it may fail", "in 2024", "version 2025-1", "9999", "1234-56-789", "dec"]
)
def test_other_words_are_no_days(text: str) -> None:
    assert find_days(text) == []


def test_rarest_terms_come_first_and_fit_the_places() -> None:
    counts = {"common": 900, "rare": 2, "gone": 0, "middling": 50}
    assert choose_terms(counts, max_places=100) == ["rare", "middling"]
    assert choose_terms({"common": 900}, max_places=100) == ["common"]
    assert choose_terms({"gone": 0}, max_places=100) == []
