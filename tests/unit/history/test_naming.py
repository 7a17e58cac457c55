"""Which files belong together by their names."""

from __future__ import annotations

import pytest

from engram_hooks.history.naming import Names, stem_of


@pytest.mark.parametrize(
    ("path", "stem"),
    [
        ("src/shop/retry.py", "retry"),
        ("tests/test_retry.py", "retry"),
        ("retry_test.go", "retry"),
        ("src/retry.test.ts", "retry"),
        ("spec/retry_spec.rb", "retry"),
        ("src/RetryTest.java", "retry"),
        ("src/RetryTests.cs", "retry"),
        ("src/TestRetry.java", "retry"),
        ("shop/_retry.py", "retry"),
        ("include/retry.hpp", "retry"),
        (".eslintrc.json", "eslintrc"),
    ],
)
def test_the_stem_says_what_a_file_is_about(path: str, stem: str) -> None:
    assert stem_of(path) == stem


@pytest.mark.parametrize(
    "path", ["contest.py", "latest.py", "testing.py", "inspect.py", "test.py", "tests.rs"]
)
def test_other_words_stay(path: str) -> None:
    assert stem_of(path) == path.split(".")[0]


FILES = {
    1: ("src/retry.py", "source"),
    2: ("tests/test_retry.py", "test"),
    3: ("src/retry.pyi", "source"),
    4: ("src/order.py", "source"),
    5: ("other/deep/retry.py", "source"),
    6: ("other/retry.md", "docs"),
}


def test_the_test_of_a_source_counts_more_than_another_file_of_its_name() -> None:
    found = Names(FILES).related_to(1)
    assert found == pytest.approx({2: 1.0 / 3, 3: 0.5 / 3, 5: 0.5 / 3})
    assert list(found) == [2, 3, 5]


def test_a_file_alone_belongs_to_none() -> None:
    assert Names(FILES).related_to(4) == {}
