"""What the message of a revert or a re-land names."""

from __future__ import annotations

import pytest

from engram_hooks.history.undoing import Undoing, drop_number, read_number, read_undoing

FULL = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        pytest.param(
            f'Revert "Add retries (#12)"\n\nThis reverts commit {FULL}.',
            Undoing(hashes=(FULL,), subject="Add retries (#12)"),
            id="by git",
        ),
        pytest.param("revert: feat: retries", Undoing(subject="feat: retries"), id="conventional"),
        pytest.param(
            "revert 8e6e47af and c121b98c", Undoing(hashes=("8e6e47af", "c121b98c")), id="two hashes"
        ),
        pytest.param("Revert #8025", Undoing(number="8025"), id="a number"),
        pytest.param('Reapply "Add retries"', Undoing(is_reland=True, subject="Add retries"), id="a re-land"),
        pytest.param(
            'Revert "Revert "Add retries""',
            Undoing(subject='Revert "Add retries"'),
            id="a revert of a revert",
        ),
        pytest.param(
            f"Remove retries\n\nThis reverts commit {FULL}", Undoing(hashes=(FULL,)), id="only in the body"
        ),
        pytest.param(
            f'fix: revert "load maps" (#11775)\n\nThis reverts commit {FULL}.',
            Undoing(hashes=(FULL,), subject="load maps"),
            id="behind a prefix",
        ),
    ],
)
def test_names_in_messages(message: str, expected: Undoing) -> None:
    assert read_undoing(message) == expected


@pytest.mark.parametrize(
    "message", ["Revert the caching", "Undo", "", "Back out the last change", "Fix abcdef1234"]
)
def test_messages_that_name_nothing(message: str) -> None:
    assert read_undoing(message) is None


def test_numbers_at_the_end_of_a_subject() -> None:
    assert drop_number("Add retries (#12)") == "Add retries"
    assert drop_number("Add retries") == "Add retries"
    assert read_number("Add retries (#12)") == "12"
    assert read_number("Merge pull request #7 from a/b") == "7"
    assert read_number("Close #12 for good") == ""
